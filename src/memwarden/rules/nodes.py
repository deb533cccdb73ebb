"""Strict reading of YAML nodes, each with the line it stands on.

Every reader takes a list to which it adds mistakes and goes on, so that one run reports them all.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

import yaml

from memwarden.errors import Mistake

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(slots=True)
class Source:
    """One file and the mistakes found in it.

    ``trusted`` is a file of memwarden's own, whose expressions were compiled by its tests.
    """

    name: str
    trusted: bool = False
    mistakes: list[Mistake] = field(default_factory=list)

    def wrong(self, node: yaml.Node | None, message: str, hint: str = "") -> None:
        mark = node.start_mark if node is not None else None
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        self.mistakes.append(Mistake(self.name, line, column, message, hint))

    def compose(self, content: str) -> yaml.Node | None:
        """Parse the file; a syntax error is one mistake."""
        try:
            return yaml.compose(content, Loader=_Loader)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark
            line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
            self.mistakes.append(Mistake(self.name, line, column, f"not YAML: {error.problem}"))
        except yaml.YAMLError:
            self.mistakes.append(Mistake(self.name, 1, 1, "not YAML: a character that it forbids"))
        return None

    def mapping(
        self, node: yaml.Node | None, known: Collection[str] | None = None
    ) -> dict[str, yaml.Node]:
        """The entries of a mapping; unknown and repeated keys are mistakes."""
        if not isinstance(node, yaml.MappingNode):
            self.wrong(node, "a mapping (key: value) is expected here")
            return {}
        entries: dict[str, yaml.Node] = {}
        for key, value in node.value:
            name = str(key.value)
            if name in entries:
                self.wrong(key, f"key `{name}` stands here twice")
            elif known is not None and name not in known:
                self.wrong(key, f"unknown key `{name}`", _did_you_mean(name, known))
            else:
                entries[name] = value
        return entries

    def items(self, node: yaml.Node | None) -> Iterator[yaml.Node]:
        """The entries of a list."""
        if node is None:
            return
        if not isinstance(node, yaml.SequenceNode):
            self.wrong(node, "a list is expected here")
            return
        yield from node.value

    def text(self, node: yaml.Node | None) -> str:
        """A string. Numbers and booleans are taken as they are written."""
        if not isinstance(node, yaml.ScalarNode):
            self.wrong(node, "a text is expected here")
            return ""
        return str(node.value)

    def texts(self, node: yaml.Node | None) -> tuple[str, ...]:
        return tuple(self.text(item) for item in self.items(node))


def _did_you_mean(name: str, known: Collection[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    return f"did you mean `{close[0]}`?" if close else f"known keys: {', '.join(sorted(known))}"
