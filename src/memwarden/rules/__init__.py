"""Rule packs: data files that say what to look for, why, and with which examples.

``book`` gives the compiled rules of some packs. See docs/guards.md for how to write one.
"""

from memwarden.rules.loader import (
    discussing,
    load_packs,
    parse_pack,
    shipped_packs,
    word_list,
)
from memwarden.rules.matching import Book, Hit, book, found
from memwarden.rules.mentions import is_mention, is_waived
from memwarden.rules.model import Examples, Lang, Pack, Pattern, Rule

__all__ = [
    "Book",
    "Examples",
    "Hit",
    "Lang",
    "Pack",
    "Pattern",
    "Rule",
    "book",
    "discussing",
    "found",
    "is_mention",
    "is_waived",
    "load_packs",
    "parse_pack",
    "shipped_packs",
    "word_list",
]
