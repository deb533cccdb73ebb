"""A namespace and a key as one id, and back: the same key may stand in many namespaces."""

from __future__ import annotations

from collections.abc import Sequence


def address(namespace: Sequence[str], key: str) -> str:
    """``("memories", "sam"), "tea"`` to ``memories/sam/tea``; slashes inside are escaped."""
    return "/".join(_escaped(label) for label in (*namespace, key))


def located(row_id: str) -> tuple[tuple[str, ...], str]:
    """The namespace and the key of an address."""
    *namespace, key = (_unescaped(label) for label in row_id.split("/"))
    return tuple(namespace), key


def _escaped(label: str) -> str:
    return label.replace("~", "~0").replace("/", "~1")


def _unescaped(label: str) -> str:
    return label.replace("~1", "/").replace("~0", "~")
