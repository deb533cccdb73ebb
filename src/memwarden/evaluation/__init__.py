"""Measuring a policy on labelled rows: what it blocks, what it wrongly holds, what it redacts."""

from memwarden.evaluation.intervals import wilson
from memwarden.evaluation.rows import Row, read_rows
from memwarden.evaluation.spans import SpanTally, tally_spans
from memwarden.evaluation.tally import Tally, WriteTally

__all__ = ["Row", "SpanTally", "Tally", "WriteTally", "read_rows", "tally_spans", "wilson"]
