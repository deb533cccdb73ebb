"""What the shipped models do on labelled records: shares held, by source, with intervals.

The score alone, without rules, matrix or provenance; ``memwarden evaluate`` judges the whole.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

from memwarden.encoder import Encoder
from memwarden.guards.attack import Attack
from models.corpus.public import records

LIMITS = {"trusted": Attack().trusted, "untrusted": Attack().untrusted}
TIERS = tuple(LIMITS)


@dataclass(frozen=True, slots=True)
class Held:
    """How many of ``count`` texts reach what the attack guard holds from each tier."""

    count: int
    by_tier: Mapping[str, int]

    def share(self, tier: str) -> str:
        held = self.by_tier[tier]
        low, high = wilson(held, self.count)
        return f"{held / self.count:6.1%} [{low:.1%}, {high:.1%}]"


def wilson(held: int, count: int) -> tuple[float, float]:
    """The 95 % interval of a share."""
    z, share = 1.96, held / count
    middle = share + z * z / (2 * count)
    reach = z * sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    scale = 1 + z * z / count
    return max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale)


def evaluate(encoder: Encoder, folder: Path) -> dict[tuple[str, str, str, str], Held]:
    """Label, language, source and kind to what is held of them."""
    scores: dict[tuple[str, str, str, str], list[float]] = defaultdict(list)
    for record, score in _scored(encoder, list(records(folder))):
        key = (record["label"], record["lang"], record["source"], record["kind"])
        scores[key].append(score)
    return {
        key: Held(len(own), {tier: sum(s >= limit for s in own) for tier, limit in LIMITS.items()})
        for key, own in sorted(scores.items())
    }


def _scored(
    encoder: Encoder, rows: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[Mapping[str, Any], float]]:
    for row, windows in zip(rows, encoder.encode([row["text"] for row in rows]), strict=True):
        yield row, max((window.attack for window in windows), default=0.0)


def table(held: Mapping[tuple[str, str, str, str], Held]) -> str:
    """A line per group, then the mean over groups of a label and language."""
    lines = [
        f"{label:10} {lang} {source[:22]:22} {kind[:34]:34} {own.count:5}  "
        + "  ".join(f"{tier} {own.share(tier)}" for tier in TIERS)
        for (label, lang, source, kind), own in held.items()
    ]
    groups: dict[tuple[str, str], list[Held]] = defaultdict(list)
    for (label, lang, _, _), own in held.items():
        groups[label, lang].append(own)
    for (label, lang), owns in groups.items():
        means = [
            f"{tier} {sum(own.by_tier[tier] / own.count for own in owns) / len(owns):6.1%}"
            for tier in TIERS
        ]
        lines.append(f"{label:10} {lang} mean over {len(owns)} groups: {'  '.join(means)}")
    return "\n".join(lines)
