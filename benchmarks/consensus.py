"""What consensus by the bundled encoder finds, on labelled records.

    python benchmarks/consensus.py RECORDS.jsonl [RECORDS.jsonl ...]

Rows are ``{id, lang, text, label}``. Every malicious record is put among its four nearest benign
neighbours of the same language, every benign one among its four nearest, as a recall would bring
them together; then the odd ones are counted. ``beyond_the_gate`` counts the malicious records that
the base policy would have stored from a user, which is what consensus could add. Prints JSON.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import structlog

from memwarden import Candidate, Origin, bundled
from memwarden.encoder import Encoder
from memwarden.model import WindowReading
from memwarden.policy import LOCAL
from memwarden.warden import Chain
from memwarden.warden.recall.consensus import of_readings

NEIGHBOURS = 4
AT_MOST = 400
LONGEST = 2_000

Row = dict[str, str]


def main(paths: Sequence[str]) -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    rows = [
        json.loads(line)
        for path in paths
        for line in Path(path).read_text(encoding="utf-8").splitlines()
        if line.strip()
    ]
    chosen = random.Random(7)  # noqa: S311 - a repeatable sample, no secret
    report = {}
    encoder = Encoder.open(bundled.models_dir(), threads=1)
    with Chain.open() as chain:
        for lang in ("en", "zh"):
            benign = sampled(rows, lang, "benign", chosen)
            malicious = sampled(rows, lang, "malicious", chosen)
            if len(benign) > NEIGHBOURS and malicious:
                report[lang] = measured(encoder, chain, benign, malicious)
    print(json.dumps(report, indent=2))


def sampled(rows: Sequence[Row], lang: str, label: str, chosen: random.Random) -> list[str]:
    texts = sorted({row["text"] for row in rows if row["lang"] == lang and row["label"] == label})
    short = [text for text in texts if len(text) <= LONGEST]
    return chosen.sample(short, min(AT_MOST, len(short)))


def measured(
    encoder: Encoder, chain: Chain, benign: list[str], malicious: list[str]
) -> dict[str, int]:
    readings = dict(zip(benign + malicious, encoder.encode(benign + malicious), strict=True))
    vectors = dict(zip(readings, np.array(encoder.vectors(list(readings))), strict=True))
    missed = {
        text
        for text, decision in zip(
            malicious,
            chain.preview([Candidate(t, origin=Origin("user")) for t in malicious], tenant=LOCAL),
            strict=True,
        )
        if decision.action.stores and not decision.cuts
    }
    found = {text for text in malicious if is_odd(text, benign, vectors, readings)}
    return {
        "malicious": len(malicious),
        "found": len(found),
        "beyond_the_gate": len(missed),
        "found_beyond_the_gate": len(found & missed),
        "benign": len(benign),
        "benign_withheld": sum(is_odd(text, benign, vectors, readings) for text in benign),
    }


def is_odd(
    text: str,
    benign: Sequence[str],
    vectors: dict[str, np.ndarray],
    readings: dict[str, tuple[WindowReading, ...]],
) -> bool:
    others = sorted(
        (other for other in benign if other != text),
        key=lambda other: -float(vectors[text] @ vectors[other]),
    )[:NEIGHBOURS]
    return 0 in of_readings([readings[one] for one in (text, *others)]).diverging


if __name__ == "__main__":
    main(sys.argv[1:])
