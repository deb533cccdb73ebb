"""Guards, one file each. A guard reports what is there; the ruling says what happens."""
