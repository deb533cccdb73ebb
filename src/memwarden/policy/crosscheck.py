"""What can only be seen once inheritance is done: names that mean nothing, gaps, no guards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path as FilePath
from typing import Final

from memwarden.errors import Mistake
from memwarden.model import KINDS, GuardSetting, Tier
from memwarden.policy.document import Document
from memwarden.policy.schema import PolicyFile
from memwarden.policy.tree import Branch, Path, Place, place_of
from memwarden.policy.vocabulary import similar

MIN_EXAMPLES: Final = 10
_OF_NO_GUARD: Final = (
    "ruling.no-guards",
    "bounds.parts",
    "bounds.length",
    "bounds.depth",
    "bounds.nul",
    "bounds.surrogate",
)
_NAMES_KINDS: Final = "whitelist"
"""The guard that has a rule for every kind, those of the policy's own included."""


def cross_mistakes(tree: Branch, file: PolicyFile) -> list[Mistake]:
    """What is wrong with a merged policy whose files are each right, its guards aside."""
    return [
        *_kind_names(tree, file),
        *_custom_kinds(tree, file),
        *_gaps(tree, file),
        *_models(tree, file),
    ]


def models_folder(tree: Branch, file: PolicyFile) -> FilePath | None:
    """The folder of the models that a policy names, seen from the file that names it."""
    if file.models is None or file.models.folder is None:
        return None
    says = FilePath(place_of(tree, ("models", "folder")).file)
    return (says.parent / file.models.folder).absolute()


def _models(tree: Branch, file: PolicyFile) -> Iterator[Mistake]:
    folder = models_folder(tree, file)
    if folder is not None and not folder.is_dir():
        yield place_of(tree, ("models", "folder")).mistake(
            f"there is no folder {folder}", "the path is relative to this file"
        )


def guard_mistakes(
    tree: Branch, file: PolicyFile, guards: Sequence[GuardSetting], document: Document
) -> list[Mistake]:
    """What its guards, all of them made, show to be wrong."""
    return [*_rule_names(tree, file, guards), *_no_guards(tree, guards, document)]


def _kind_names(tree: Branch, file: PolicyFile) -> Iterator[Mistake]:
    """A kind exists when it is built in, has examples, or a pattern gives it."""
    cells = file.kinds or {}
    patterns = file.patterns or {}
    given = {entry.kind for entry in patterns.values() if entry.kind in cells}
    known = {*KINDS, *(name for name, entry in cells.items() if entry.examples), *given}
    mentioned: list[Path] = [("kinds", name) for name in cells]
    if file.sensitivity:
        mentioned += [("sensitivity", "kinds", name) for name in file.sensitivity.kinds or ()]
    if file.retention:
        mentioned += [("retention", "kinds", name) for name in file.retention.kinds or ()]
    for path in mentioned:
        if path[-1] not in known:
            yield _unknown_kind(str(path[-1]), known, place_of(tree, path, key=True))
    for name, entry in patterns.items():
        if entry.kind and entry.kind not in known:
            place = place_of(tree, ("patterns", name, "kind"))
            yield _unknown_kind(entry.kind, known, place)


def _unknown_kind(kind: str, known: set[str], place: Place) -> Mistake:
    own = "a kind of your own needs a line under `kinds`, and examples or a pattern that gives it"
    return place.mistake(f"unknown kind `{kind}`", similar(kind, known) or own)


def _custom_kinds(tree: Branch, file: PolicyFile) -> Iterator[Mistake]:
    for name, entry in (file.kinds or {}).items():
        if entry.examples is None and entry.near_misses is None:
            continue
        path: Path = ("kinds", name, "near_misses" if entry.examples is None else "examples")
        place = place_of(tree, path, key=True)
        if name in KINDS:
            yield place.mistake(
                f"`{name}` is a built-in kind and takes no examples", "give your kind its own name"
            )
        elif len(set(entry.examples or ())) < MIN_EXAMPLES:
            yield place.mistake(
                f"`kinds.{name}` needs at least {MIN_EXAMPLES} different examples",
                "write sentences as people would say them",
            )


def _rule_names(
    tree: Branch, file: PolicyFile, guards: Sequence[GuardSetting]
) -> Iterator[Mistake]:
    """Unknown rule ids, where every guard lists its rules and none is switched off."""
    if not file.rules and not file.waivers:
        return
    listed = [getattr(setting.guard, "rule_ids", None) for setting in guards]
    entries = (file.guards or {}).values()
    if any(rules is None for rules in listed) or any(entry.mode == "off" for entry in entries):
        return
    known = {*_OF_NO_GUARD, *(f"{setting.guard.name}.failed" for setting in guards)}
    known.update(str(rule) for rules in listed if rules is not None for rule in rules)
    known.update(f"{_NAMES_KINDS}.{name}" for name in file.kinds or ())
    for rule in file.rules or ():
        if rule not in known:
            place = place_of(tree, ("rules", rule), key=True)
            yield place.mistake(f"no guard has a rule `{rule}`", similar(rule, known))
    for name, waiver in (file.waivers or {}).items():
        if waiver.rule not in known:
            place = place_of(tree, ("waivers", name, "rule"))
            yield place.mistake(f"no guard has a rule `{waiver.rule}`", similar(waiver.rule, known))


def _gaps(tree: Branch, file: PolicyFile) -> Iterator[Mistake]:
    for rule, entry in (file.rules or {}).items():
        if entry.actions is None:
            continue
        gaps = [tier.label for tier in Tier if getattr(entry.actions, tier.label) is None]
        if gaps:
            place = place_of(tree, ("rules", rule, "actions"), key=True)
            yield place.mistake(
                f"`rules.{rule}.actions` does not say what happens for {', '.join(gaps)}",
                "add `else:`",
            )


def _no_guards(
    tree: Branch, guards: Sequence[GuardSetting], document: Document
) -> Iterator[Mistake]:
    if not guards:
        place = place_of(tree, ("guards",), key=True) if "guards" in tree.items else None
        yield (place or Place(document.file, 1, 1)).mistake(
            "no guard is switched on, so every write would be held",
            "name guards under `guards:`, or `extends: base`",
        )
