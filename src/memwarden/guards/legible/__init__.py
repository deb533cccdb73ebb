"""What is no text that models were taught on: other languages, noise, optimized strings. Pure."""
