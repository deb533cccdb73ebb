"""Names that were published as taken for each other, or easily could be.

Prefix matches and separator collisions (CVE-2026-71433, langgraphjs#2721), case, look-alike
letters, Unicode normal forms, blanks, wildcards of query languages.
"""

from __future__ import annotations

from typing import Final

Place = tuple[str, ...]

PLACES: Final[tuple[tuple[Place, Place], ...]] = (
    (("acme",), ("acme-corp",)),
    (("a", "b:c"), ("a", "b", "c")),
    (("a", "b/c"), ("a", "b", "c")),
    (("a", "b.c"), ("a", "b", "c")),
    (("a", "b|c"), ("a", "b", "c")),
    (("a", "b,c"), ("a", "b", "c")),
    (("a", "b c"), ("a", "b", "c")),
    (("a", "b\x1fc"), ("a", "b", "c")),
    (("a", "b\x00c"), ("a", "b", "c")),
    (("a:b", "c"), ("a", "b:c")),
    (("1:a1:b",), ("a", "b")),
    (("a", "b"), ("ab",)),
    (("a", "b"), ("a",)),
    (("a", "b"), ("b", "a")),
    (("user", "1"), ("user", "10")),
    (("user", "1"), ("user", "01")),
    (("%",), ("x",)),
    (("_",), ("x",)),
    (("*",), ("x",)),
    (("caf\u00e9",), ("cafe\u0301",)),
    (("ａ",), ("a",)),
    (("а",), ("a",)),
    (("A",), ("a",)),
    (("a ",), ("a",)),
    (("null",), ("None",)),
)
"""Pairs of namespaces that are not the same."""

TENANTS: Final = ("acme-corp", "acm", "acmee", "acme.corp", "acme_corp", "ACME", "ａcme", "аcme")
"""Tenants that are not ``acme``: prefixes, separators, case, full width, Cyrillic."""

NO_TENANTS: Final[tuple[object, ...]] = (
    *("", " ", " acme", "acme ", "acme\x00", "*", "%", "acme/../acme", "cafe\u0301"),
    *(None, 0, ("acme",)),
)
"""What no policy names a tenant by, and what a lost id looks like."""

PEOPLE: Final = (
    *("alic", "alicex", "Alice", "ALICE", "alice ", " alice", "alice\x00", "alice:1", "alice,bob"),
    *("ａlice", "аlice", "al\u0131ce", "alice\u200b", "*", "%", "_lice", "alice' OR '1'='1"),
)
"""People who are not ``alice``."""
