"""The training corpus: written texts and permitted public ones, as labelled windows."""
