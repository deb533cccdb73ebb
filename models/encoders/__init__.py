"""The two sentence encoders, rebuilt from packages whose hashes are known. No model hub."""
