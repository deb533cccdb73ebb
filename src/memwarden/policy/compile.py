"""A chain of policy files to one compiled policy, with the place every setting came from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from types import MappingProxyType
from typing import Final, TypeVar

from memwarden.errors import Mistake
from memwarden.model import (
    Action,
    CustomKind,
    CutSetting,
    FenceSetting,
    Grant,
    GuardSetting,
    Honeytoken,
    Influence,
    Kind,
    Limits,
    Mode,
    ModelSetting,
    Policy,
    ReadSetting,
    RuleSetting,
    ScrubSetting,
    Severity,
    Tier,
    Treatment,
    Waiver,
)
from memwarden.policy.crosscheck import cross_mistakes, guard_mistakes, models_folder
from memwarden.policy.document import Document, checked
from memwarden.policy.guarding import PARANOIA, PATTERNS, GuardShop, make_guard, orders
from memwarden.policy.merge import merged
from memwarden.policy.pattern_check import custom_pattern
from memwarden.policy.revision import revision_of
from memwarden.policy.schema import PolicyFile
from memwarden.policy.sections import (
    ActionCells,
    Cells,
    ReadSection,
    RuleEntry,
    Section,
    WaiverEntry,
)
from memwarden.policy.tree import Branch, dotted, ends
from memwarden.policy.unfold import without_taken_back

K = TypeVar("K")
V = TypeVar("V")
Given = TypeVar("Given")
S = TypeVar("S", CutSetting, Limits, FenceSetting, ScrubSetting, ReadSetting)

BUILT_IN: Final = "built in"


@dataclass(frozen=True, slots=True)
class Effective:
    """A tenant's policy, and where each of its settings came from.

    ``origins`` maps the path of a setting (``kinds.preference.trusted``, ``guards.pii.ignore[2]``)
    to ``file:line``. What no file mentions is built in. ``chain`` are the files, base first.
    """

    policy: Policy
    origins: Mapping[str, str]
    chain: tuple[str, ...]

    def origin(self, path: str) -> str:
        return self.origins.get(path, BUILT_IN)


def compile_policy(
    tenant: str, chain: Sequence[Document], shop: GuardShop
) -> tuple[Effective | None, list[Mistake]]:
    """Return the effective policy, or None and everything that keeps it from being one."""
    tree = without_taken_back(merged(chain))
    file = checked(tree)
    guards, mistakes = _guards(tree, file, shop)
    if not all(document.sound for document in chain):
        return None, mistakes
    mistakes += cross_mistakes(tree, file)
    if not mistakes:
        mistakes += guard_mistakes(tree, file, guards, chain[-1])
    if mistakes:
        return None, mistakes
    policy = replace(_policy(tenant, file, guards), models=_models(tree, file))
    policy = replace(policy, revision=revision_of(policy))
    origins = {dotted(path): str(node.place) for path, node in ends(tree) if path}
    return Effective(policy, _frozen(origins), tuple(link.file for link in chain)), []


def _guards(
    tree: Branch, file: PolicyFile, shop: GuardShop
) -> tuple[tuple[GuardSetting, ...], list[Mistake]]:
    given: dict[str, object] = {}
    if file.paranoia is not None:
        given[PARANOIA] = file.paranoia
    if file.patterns:
        given[PATTERNS] = tuple(
            custom_pattern(name, entry) for name, entry in sorted(file.patterns.items())
        )
    made: list[GuardSetting] = []
    mistakes: list[Mistake] = []
    for order in orders(tree, given):
        setting, wrong = make_guard(order, shop)
        mistakes += wrong
        if setting is not None:
            made.append(setting)
    return tuple(made), mistakes


def _policy(tenant: str, file: PolicyFile, guards: tuple[GuardSetting, ...]) -> Policy:
    language = file.language or "en"
    treatment = file.default_treatment or Treatment.SEAL
    sensitivity, retention = file.sensitivity, file.retention
    return Policy(
        tenant=tenant,
        revision="",
        mode=Mode(file.mode or "enforce"),
        guards=guards,
        sources=_frozen(file.sources),
        matrix=_keyed(file.kinds, Kind, lambda cells: _row(cells, Action.HOLD)),
        severities=_severities(file),
        rules=_keyed(file.rules, str, _rule),
        entities=_keyed(file.entities, str, lambda cells: _row(cells, treatment)),
        entity_sensitivity=_frozen(sensitivity.entities if sensitivity else None),
        kind_sensitivity=_keyed(sensitivity.kinds if sensitivity else None, Kind, _same),
        influence=_row(file.influence or Cells[Influence](), Influence.REFERENCE),
        retention=_row((retention and retention.tiers) or Cells[timedelta | None](), None),
        default_treatment=treatment,
        kind_retention=_kind_retention(file),
        custom_kinds=_custom_kinds(file),
        consent=_consent(file, treatment),
        waivers=tuple(_waiver(entry) for _, entry in sorted((file.waivers or {}).items())),
        cut=_section(CutSetting(), file.cut),
        limits=_section(Limits(), file.limits),
        fence=_section(FenceSetting(language=language), file.fence),
        scrub=_section(ScrubSetting(), file.scrub),
        read=_read(file.read),
        on_refused=file.on_refused or "raise",
        language=language,
    )


def _frozen(values: Mapping[K, V] | None) -> Mapping[K, V]:
    return MappingProxyType(dict(values or {}))


def _same(value: V) -> V:
    return value


def _keyed(
    values: Mapping[str, Given] | None, key: Callable[[str], K], change: Callable[[Given], V]
) -> Mapping[K, V]:
    return MappingProxyType({key(name): change(item) for name, item in (values or {}).items()})


def _row(cells: Cells[V], otherwise: V) -> Mapping[Tier, V]:
    """A value for every tier."""
    return MappingProxyType({**dict.fromkeys(Tier, otherwise), **_said(cells)})


def _said(cells: Cells[V]) -> dict[Tier, V]:
    given = {tier: getattr(cells, tier.label) for tier in Tier}
    return {tier: value for tier, value in given.items() if value is not None}


def _severities(file: PolicyFile) -> Mapping[Severity, Mapping[Tier, Action]]:
    given: dict[str, ActionCells] = {}
    given.update((file.severities or {}).items())
    return MappingProxyType(
        {
            severity: _row(given.get(severity.label, ActionCells()), Action.HOLD)
            for severity in Severity
        }
    )


def _rule(entry: RuleEntry) -> RuleSetting:
    actions = None if entry.actions is None else _row(entry.actions, Action.HOLD)
    return RuleSetting(Mode(entry.mode or "enforce"), actions)


def _kind_retention(file: PolicyFile) -> Mapping[Kind, timedelta]:
    given = (file.retention.kinds if file.retention else None) or {}
    return MappingProxyType({Kind(name): time for name, time in given.items() if time is not None})


def _custom_kinds(file: PolicyFile) -> tuple[CustomKind, ...]:
    return tuple(
        CustomKind(Kind(name), entry.examples or (), entry.near_misses or ())
        for name, entry in sorted((file.kinds or {}).items())
        if entry.examples
    )


def _models(tree: Branch, file: PolicyFile) -> ModelSetting | None:
    folder = models_folder(tree, file)
    if folder is None or file.models is None or file.models.sha256 is None:
        return None
    return ModelSetting(str(folder), file.models.sha256, file.models.hostile or ())


def _consent(file: PolicyFile, treatment: Treatment) -> Mapping[str, Mapping[Tier, Treatment]]:
    """A tier that consent does not mention is treated as without consent."""
    entities = file.entities or {}
    rows: dict[str, Mapping[Tier, Treatment]] = {}
    for name, cells in (file.consent or {}).items():
        usual = _row(entities.get(name, Cells[Treatment]()), treatment)
        rows[name] = MappingProxyType({**usual, **_said(cells)})
    return MappingProxyType(rows)


def _waiver(entry: WaiverEntry) -> Waiver:
    return Waiver(
        entry.rule, entry.reason, entry.expires, entry.source or "", entry.text_digest or ""
    )


def _read(given: ReadSection | None) -> ReadSetting:
    if given is None:
        return ReadSetting()
    plain = _section(ReadSetting(), given.model_copy(update=dict.fromkeys(_OWN_FORM)))
    return replace(
        plain,
        ceilings=_frozen(given.ceilings),
        shared=frozenset(
            source for source, who in (given.audience or {}).items() if who == "everyone"
        ),
        grants=tuple(
            Grant(entry.reader, entry.of, entry.namespace)
            for _, entry in sorted((given.grants or {}).items())
            if entry.enabled
        ),
        honeytokens=tuple(
            Honeytoken(name, entry.text or "", entry.id or "")
            for name, entry in sorted((given.honeytokens or {}).items())
            if entry.enabled
        ),
    )


_OWN_FORM: Final = ("ceilings", "audience", "grants", "honeytokens")
"""Keys of ``read`` that a policy keeps in another form than the file."""


def _section(defaults: S, given: Section | None) -> S:
    if given is None:
        return defaults
    said = {name: value for name, value in given if value is not None}
    return replace(defaults, **said)
