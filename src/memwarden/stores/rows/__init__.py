"""What adapters share: rows of JSON fields, judged in batches, stored with a stamp, read back.

A host's adapter turns its own records into rows and back; everything between lies here, so that
there is one place where a write is judged, recorded, refused or reported.
"""
