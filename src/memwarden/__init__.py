"""memwarden guards the long-term memory of LLM agents."""
