"""Training of the attack and kind heads, calibration, export and evaluation."""
