"""Taking confidential originals out of answers: what is looked for, found and put in place."""
