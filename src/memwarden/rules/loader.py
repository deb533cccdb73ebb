"""Rule packs from YAML to typed rules. Strict: every mistake is reported, with file and line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

import yaml

from memwarden.errors import Mistake, PolicyError, UsageError
from memwarden.model import KINDS, UNSAID, Kind, Message, Severity
from memwarden.rules.language import GAPS, pieces
from memwarden.rules.model import Examples, Lang, Pack, Pattern, Rule
from memwarden.rules.nodes import Source
from memwarden.text import fold

WordLists = Mapping[str, Mapping[Lang, str]]
"""Name of a list to its alternatives in each language, as one RE2 group."""

_PACKAGE: Final = "memwarden.rules"
_WORDS: Final = "words.yaml"
_PACK_KEYS: Final = ("about", "defaults", "rules")
_DEFAULT_KEYS: Final = (
    "kind",
    "severity",
    "below_trusted",
    "paranoia",
    "references",
    "score",
    "mentions",
)
_RULE_KEYS: Final = (*_DEFAULT_KEYS, "id", "reason", "patterns", "unless", "examples")
_ID: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\.[a-z0-9]+(?:-[a-z0-9]+)*")
_NOT_FOLDED: Final = re.compile(r"\\x\{[0-9a-f]+\}|\\[pP]\{[^}]*\}|\\.|\(\?[a-z]*[:)]")
_UNBOUNDED: Final = re.compile(r"(?<!\\)\.[*+]|\{\d+,\}")
_MOST_PARANOID: Final = 4


@cache
def shipped_packs() -> tuple[str, ...]:
    """Names of the packs that come with memwarden."""
    names = (entry.name for entry in files(_PACKAGE).iterdir() if entry.name.endswith(".yaml"))
    return tuple(sorted(name.removesuffix(".yaml") for name in names if name != _WORDS))


@cache
def load_packs(names: tuple[str, ...]) -> tuple[Pack, ...]:
    """Load packs by name, or from a path that ends in ``.yaml``.

    Raises PolicyError with every mistake in all of the files, UsageError for an unknown name.
    """
    mistakes: list[Mistake] = []
    words = _load_words(mistakes)
    packs = []
    for name in names:
        file, content = _content(name)
        source = Source(file, trusted=name in shipped_packs())
        packs.append(_pack(source, content, words))
        mistakes += source.mistakes
    mistakes += _repeated(packs)
    if mistakes:
        raise PolicyError(mistakes)
    return tuple(packs)


def parse_pack(name: str, content: str) -> Pack:
    """One pack from its text; raises PolicyError. For rule authors and tests."""
    mistakes: list[Mistake] = []
    words = _load_words(mistakes)
    source = Source(name)
    pack = _pack(source, content, words)
    mistakes += source.mistakes
    if mistakes:
        raise PolicyError(mistakes)
    return pack


def _content(name: str) -> tuple[str, str]:
    if name.endswith(".yaml"):
        return name, Path(name).read_text(encoding="utf-8")
    if name not in shipped_packs():
        raise UsageError(f"no rule pack `{name}`; there are: {', '.join(shipped_packs())}")
    return f"{name}.yaml", files(_PACKAGE).joinpath(f"{name}.yaml").read_text(encoding="utf-8")


def _repeated(packs: Iterable[Pack]) -> list[Mistake]:
    seen: dict[str, str] = {}
    mistakes = []
    for pack in packs:
        for rule in pack.rules:
            if rule.id in seen:
                text = f"rule `{rule.id}` is already in {seen[rule.id]}"
                mistakes.append(Mistake(pack.name, 1, 1, text))
            seen[rule.id] = pack.name
    return mistakes


# --- word lists


@cache
def _shipped_words() -> tuple[WordLists, tuple[Mistake, ...]]:
    source = Source(_WORDS)
    content = files(_PACKAGE).joinpath(_WORDS).read_text(encoding="utf-8")
    lists: dict[str, dict[Lang, str]] = {}
    for name, node in source.mapping(source.compose(content)).items():
        if name in GAPS:
            source.wrong(node, f"`{name}` is the name of a gap; call the list otherwise")
            continue
        lists[name] = _word_list(source, node, lists)
    return lists, tuple(source.mistakes)


def _load_words(mistakes: list[Mistake]) -> WordLists:
    lists, found = _shipped_words()
    mistakes += found
    return lists


def _word_list(source: Source, node: yaml.Node, lists: WordLists) -> dict[Lang, str]:
    """Each language's words as one group; a list may use the lists above it."""
    by_lang: dict[Lang, str] = {}
    for name, words in source.mapping(node, [lang.value for lang in Lang]).items():
        lang = Lang(name)
        alternatives = []
        for item in source.items(words):
            parts = _expanded(source, item, source.text(item), lang, lists)
            alternatives.append("".join(parts))
        by_lang[lang] = f"(?:{'|'.join(alternatives)})"
    return by_lang


def _expanded(
    source: Source, node: yaml.Node, text: str, lang: Lang, lists: WordLists
) -> tuple[str, ...]:
    """The pattern with its word lists put in; gaps stay names in braces."""
    _check_writing(source, node, text)
    parts: list[str] = []
    for piece, is_name in pieces(text):
        if not is_name:
            parts.append(piece)
        elif piece in GAPS:
            parts.append("{" + piece + "}")
        else:
            parts += _words_of(source, node, piece, lang, lists)
    return tuple(parts)


def _words_of(
    source: Source, node: yaml.Node, name: str, lang: Lang, lists: WordLists
) -> list[str]:
    group = lists.get(name, {}).get(lang)
    if group is None:
        source.wrong(node, f"no word list `{name}` in `{lang}`", "see words.yaml")
        return []
    return list(_braced(group))


def _braced(group: str) -> tuple[str, ...]:
    """A word list cut into fragments and gap names in braces."""
    return tuple("{" + piece + "}" if is_name else piece for piece, is_name in pieces(group))


def _check_writing(source: Source, node: yaml.Node, text: str) -> None:
    if "\\b" in text or "\\B" in text:
        source.wrong(node, "`\\b` is wrong beside Chinese", "English patterns have it anyway")
    bare = _NOT_FOLDED.sub("", text)
    if fold(bare) != bare:
        strange = (char for char in sorted(set(bare)) if fold(char) != char)
        hint = ", ".join(f"{char} as {fold(char)}" for char in strange)
        source.wrong(node, "a pattern is written folded", f"write {hint}")
    if _UNBOUNDED.search(text):
        source.wrong(node, "a gap without bound", "use {near}, {gap} or {far}")


def discussing() -> tuple[Pattern, ...]:
    """Words of a text that talks about attacks rather than making one."""
    return word_list("discussing")


def word_list(name: str) -> tuple[Pattern, ...]:
    """A list of ``words.yaml`` as patterns, one a language."""
    groups = _load_words([]).get(name, {})
    return tuple(Pattern(lang, _braced(group)) for lang, group in groups.items())


# --- packs


def _pack(source: Source, content: str, words: WordLists) -> Pack:
    name = Path(source.name).stem
    root = source.compose(content)
    if root is None and source.mistakes:
        return Pack(name, ())
    top = source.mapping(root, _PACK_KEYS)
    defaults = source.mapping(top["defaults"], _DEFAULT_KEYS) if "defaults" in top else {}
    rules = [_rule(source, node, defaults, words) for node in source.items(top.get("rules"))]
    return Pack(name, tuple(rule for rule in rules if rule is not None))


def _rule(
    source: Source, node: yaml.Node, defaults: Mapping[str, yaml.Node], words: WordLists
) -> Rule | None:
    entries = {**defaults, **source.mapping(node, _RULE_KEYS)}
    absent = [key for key in ("id", "severity", "reason", "patterns") if key not in entries]
    if absent:
        source.wrong(node, f"the rule lacks {', '.join(f'`{key}`' for key in absent)}")
        return None
    severity = _severity(source, entries["severity"])
    return Rule(
        id=_id(source, entries["id"]),
        kind=_kind(source, entries.get("kind")),
        severity=severity,
        below_trusted=_severity(source, entries["below_trusted"])
        if "below_trusted" in entries
        else severity,
        paranoia=int(_number(source, entries.get("paranoia"), 1, (1, _MOST_PARANOID))),
        score=_number(source, entries.get("score"), 0.9, (0, 1)),
        reason=_reason(source, entries["reason"]),
        references=source.texts(entries.get("references")),
        patterns=_patterns(source, entries["patterns"], words),
        unless=_patterns(source, entries["unless"], words) if "unless" in entries else (),
        mentions=_yes(source, entries.get("mentions")),
        examples=_examples(source, entries.get("examples")),
    )


def _id(source: Source, node: yaml.Node) -> str:
    text = source.text(node)
    if not _ID.fullmatch(text):
        source.wrong(node, f"`{text}` is no rule id", "like override.ignore-previous")
    return text


def _kind(source: Source, node: yaml.Node | None) -> Kind:
    if node is None:
        return UNSAID
    text = source.text(node)
    if not re.fullmatch(r"[a-z][a-z0-9_]*", text):
        source.wrong(node, f"`{text}` is no kind", f"one of: {', '.join(KINDS)}")
    return Kind(text)


def _severity(source: Source, node: yaml.Node) -> Severity:
    try:
        return Severity.parse(source.text(node))
    except UsageError as error:
        source.wrong(node, str(error))
        return Severity.CRITICAL


def _number(
    source: Source, node: yaml.Node | None, default: float, bounds: tuple[float, float]
) -> float:
    if node is None:
        return default
    try:
        value = float(source.text(node))
    except ValueError:
        value = float("nan")
    if not bounds[0] <= value <= bounds[1]:
        source.wrong(node, f"a number from {bounds[0]:g} to {bounds[1]:g} is expected here")
        return default
    return value


def _yes(source: Source, node: yaml.Node | None) -> bool:
    if node is None:
        return True
    text = source.text(node)
    if text not in ("true", "false"):
        source.wrong(node, "true or false is expected here")
    return text == "true"


def _reason(source: Source, node: yaml.Node) -> Message:
    entries = source.mapping(node, ("en", "zh"))
    for lang in ("en", "zh"):
        if lang not in entries:
            source.wrong(node, f"the reason is not said in `{lang}`")
    texts = {lang: source.text(value) for lang, value in entries.items()}
    return Message(texts.get("en", ""), texts.get("zh", ""))


def _examples(source: Source, node: yaml.Node | None) -> Examples:
    if node is None:
        return Examples()
    entries = source.mapping(node, ("hit", "miss"))
    return Examples(source.texts(entries.get("hit")), source.texts(entries.get("miss")))


def _patterns(source: Source, node: yaml.Node, words: WordLists) -> tuple[Pattern, ...]:
    patterns = []
    for name, items in source.mapping(node, [lang.value for lang in Lang]).items():
        for item in source.items(items):
            parts = _expanded(source, item, source.text(item), Lang(name), words)
            pattern = Pattern(Lang(name), parts, f"{source.name}:{item.start_mark.line + 1}")
            if parts and (source.trusted or _compiles(source, item, pattern)):
                patterns.append(pattern)
    return tuple(patterns)


def _compiles(source: Source, node: yaml.Node, pattern: Pattern) -> bool:
    from memwarden.rules.matching import broken

    problem = broken(pattern)
    if problem:
        source.wrong(node, f"RE2 does not take this pattern: {problem}")
    return not problem
