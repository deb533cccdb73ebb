"""Count false alarms: python -m models.gate [--every N] [--accept]

Reads every sentence (or every Nth) as a memory of its own and counts those whose attack
probability reaches what the attack guard holds from a trusted and from an untrusted writer.
Fails when there are more of them in a language than ``accepted.json`` allows; ``--accept``
writes that file anew.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memwarden.encoder import Encoder
from memwarden.guards.attack import Attack
from models.corpus.public import LANGUAGES
from models.gate.collect import FOLDER, read

ACCEPTED: Final = FOLDER / "accepted.json"
LIMITS: Final = {"trusted": Attack().trusted, "untrusted": Attack().untrusted}
TIERS: Final = tuple(LIMITS)
MODELS: Final = FOLDER.parent / "onnx"


@dataclass(frozen=True, slots=True)
class Alarms:
    """Sentences read and alarms raised, by family and tier, in one language."""

    read: Mapping[str, int]
    raised: Mapping[tuple[str, str], int]

    def total(self, tier: str) -> int:
        return sum(count for (_, own), count in self.raised.items() if own == tier)


def count(encoder: Encoder, lang: str, every: int = 1) -> Alarms:
    """Count the alarms of one language, on every Nth sentence."""
    lines = read(FOLDER / f"{lang}.tsv.gz")[::every]
    readings = encoder.encode([text for _, text in lines])
    raised: Counter[tuple[str, str]] = Counter()
    for (family, _), windows in zip(lines, readings, strict=True):
        score = max((window.attack for window in windows), default=0.0)
        raised.update((family, tier) for tier, limit in LIMITS.items() if score >= limit)
    return Alarms(Counter(family for family, _ in lines), raised)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--accept", action="store_true")
    parser.add_argument("--models", type=Path, default=MODELS)
    options = parser.parse_args()
    encoder = Encoder.open(options.models)
    alarms = {lang: count(encoder, lang, options.every) for lang in LANGUAGES}
    for lang, own in alarms.items():
        _show(lang, own)
    key = f"every {options.every}"
    accepted = json.loads(ACCEPTED.read_text()) if ACCEPTED.exists() else {}
    if options.accept:
        found = {lang: {t: own.total(t) for t in TIERS} for lang, own in alarms.items()}
        ACCEPTED.write_text(json.dumps({**accepted, key: found}, indent=1) + "\n")
        return 0
    risen = [
        f"{lang}, {tier}: {alarms[lang].total(tier)} alarms, {most} accepted"
        for lang, tiers in accepted[key].items()
        for tier, most in tiers.items()
        if alarms[lang].total(tier) > most
    ]
    print("\n".join(risen) or "no more alarms than accepted")
    return 1 if risen else 0


def _show(lang: str, alarms: Alarms) -> None:
    for family, size in sorted(alarms.read.items()):
        rates = [f"{tier} {alarms.raised[family, tier] / size:.2%}" for tier in TIERS]
        print(f"{lang} {family:22} {size:6} sentences  {'  '.join(rates)}")
    size = sum(alarms.read.values())
    rates = [f"{tier} {alarms.total(tier) / size:.2%}" for tier in TIERS]
    print(f"{lang} {'all':22} {size:6} sentences  {'  '.join(rates)}")


if __name__ == "__main__":
    sys.exit(main())
