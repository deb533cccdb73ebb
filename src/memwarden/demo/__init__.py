"""The demo: real published texts through the whole chain, with the embedded store."""
