"""The false-alarm gate: thousands of harmless sentences from sources no model was trained on."""
