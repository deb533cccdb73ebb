"""Network faces: memwarden in front of a memory server, for clients in any language."""
