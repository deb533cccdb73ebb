"""What the models make of a policy: whether they are there, and whether its kinds can be told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memwarden import bundled
from memwarden.errors import ModelUnavailable

if TYPE_CHECKING:
    from memwarden.encoder import Confusion, Separability
    from memwarden.policy import Effective


@dataclass(frozen=True, slots=True)
class Report:
    """What there is to say of the models, or of one kind; ``fine`` is false where it must change.

    No line repeats an example: a sentence is named by its file and line.
    """

    fine: bool
    lines: tuple[str, ...]


def reports(found: Effective) -> Iterator[Report]:
    """Open the models that a policy names and learn its kinds; nothing loads where it has none."""
    policy = found.policy
    if policy.models is None and not policy.custom_kinds:
        return
    from memwarden.encoder import Encoders

    try:
        encoder = Encoders(bundled.models_dir()).of(policy)
        qualities = encoder.separability()
        encoder.encode(["probe"], policy.tenant)
    except ModelUnavailable as error:
        yield Report(False, (f"{found.origin('models.folder')}: {error}",))
        return
    if policy.models is not None:
        yield Report(True, (f"models {', '.join(encoder.names)}",))
    for quality in qualities:
        yield Report(quality.separable, tuple(_lines(quality, found)))


def _lines(quality: Separability, found: Effective) -> Iterator[str]:
    verdict = "separable" if quality.separable else "NOT separable"
    yield (
        f"kind `{quality.name}` is {verdict}: {quality.recognised:.0%} of its examples are "
        "recognised when they are left out"
    )
    for confusion in quality.confusions:
        yield from _confused(quality, confusion, found)
    for at in quality.near_misses:
        place = found.origin(f"kinds.{quality.name}.near_misses[{at + 1}]")
        yield f"  {place}: near miss {at + 1} is still taken for `{quality.name}`"


def _confused(quality: Separability, confusion: Confusion, found: Effective) -> Iterator[str]:
    for at in confusion.examples:
        place = found.origin(f"kinds.{quality.name}.examples[{at + 1}]")
        yield f"  {place}: example {at + 1} would be taken for `{confusion.kind}`"
    if confusion.claimed:
        yield (
            f"  {confusion.claimed:.0%} of the known sentences of `{confusion.kind}` "
            f"would be taken for `{quality.name}`"
        )
