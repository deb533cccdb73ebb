"""How the models of memwarden are built: encoders, corpus, training, calibration, evaluation."""
