"""The recipe of the linear tagger for English names and addresses, and of its word list."""
