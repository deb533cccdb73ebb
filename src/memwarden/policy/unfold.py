"""The shorthands of a policy file, unfolded to the one full form.

- ``preference: hold`` means every tier; ``{trusted: allow, else: hold}`` names the others by
  ``else``. ``authoritative``, when it is not named, is treated as ``trusted`` is where that is
  named: more trust never means less.
- ``some.rule: off`` and ``some-guard: observe`` are modes.
- ``reason: a sentence`` stands for both languages.
- ``off`` takes back an inherited pattern or waiver, ``models: bundled`` inherited models.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from memwarden.model import Tier
from memwarden.policy.tree import Branch, Leaf, Node

TIERS: Final = tuple(tier.label for tier in Tier)
_ELSE: Final = "else"
_OFF: Final = "off"
_BUNDLED: Final = "bundled"


def unfold(root: Branch) -> Branch:
    """The same file without shorthands. What has the wrong shape is left for the schema."""
    for section, change in _SECTIONS.items():
        node = root.items.get(section)
        if node is not None:
            root = root.having(section, change(node))
    return root


def without_taken_back(root: Branch) -> Branch:
    """The tree without the patterns and waivers that stand as ``off``."""
    for section in ("patterns", "waivers"):
        node = root.items.get(section)
        if isinstance(node, Branch):
            off = [key for key, item in node.items.items() if is_off(item)]
            root = root.having(section, node.lacking(off))
    return root


def is_off(node: Node) -> bool:
    return isinstance(node, Leaf) and node.value == _OFF


def _by_tier(node: Node) -> Node:
    if isinstance(node, Leaf) and node.value is not None:
        return Branch(dict.fromkeys(TIERS, node), node.place)
    if not isinstance(node, Branch):
        return node
    whole = node.lacking((_ELSE,))
    if "authoritative" not in whole.items and "trusted" in whole.items:
        whole = whole.having("authoritative", whole.items["trusted"])
    otherwise = node.items.get(_ELSE)
    if otherwise is not None:
        for tier in TIERS:
            if tier not in whole.items:
                whole = whole.having(tier, otherwise)
    return whole


def _each(change: Callable[[Node], Node]) -> Callable[[Node], Node]:
    def apply(node: Node) -> Node:
        if not isinstance(node, Branch):
            return node
        for key, item in node.items.items():
            node = node.having(key, change(item))
        return node

    return apply


def _under(key: str, change: Callable[[Node], Node]) -> Callable[[Node], Node]:
    def apply(node: Node) -> Node:
        if isinstance(node, Branch) and key in node.items:
            return node.having(key, change(node.items[key]))
        return node

    return apply


def _mode(node: Node) -> Node:
    if isinstance(node, Leaf) and node.value is not None:
        return Branch({"mode": node}, node.place)
    return node


def _models(node: Node) -> Node:
    if isinstance(node, Leaf) and node.value == _BUNDLED:
        return Branch({}, node.place)
    return node


def _reason(node: Node) -> Node:
    if isinstance(node, Leaf) and node.value is not None:
        return Branch({"en": node, "zh": node}, node.place)
    return node


_SECTIONS: Final[dict[str, Callable[[Node], Node]]] = {
    "severities": _each(_by_tier),
    "kinds": _each(_by_tier),
    "entities": _each(_by_tier),
    "consent": _each(_by_tier),
    "rules": _each(lambda node: _under("actions", _by_tier)(_mode(node))),
    "guards": _each(_mode),
    "patterns": _each(_under("reason", _reason)),
    "models": _models,
    "influence": _by_tier,
    "retention": _under("tiers", _by_tier),
}
