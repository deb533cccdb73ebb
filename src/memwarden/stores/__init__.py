"""Adapters, one file per host, and the embedded store that memwarden brings along."""
