"""Small charts as geometry: templates write them as SVG, so that nothing in them needs a script
or a style of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10
from typing import Final

WIDTH: Final = 720
_LEFT, _RIGHT, _TOP, _BOTTOM = 40, 6, 8, 22


@dataclass(frozen=True, slots=True)
class Bar:
    """A rectangle; ``kind`` names its colour, ``title`` what a pointer over it is told."""

    x: float
    y: float
    width: float
    height: float
    kind: str
    title: str


@dataclass(frozen=True, slots=True)
class Label:
    """A word on an axis. ``anchor`` is start, middle or end."""

    x: float
    y: float
    text: str
    anchor: str = "middle"


@dataclass(frozen=True, slots=True)
class Chart:
    """Everything that is drawn, in units of the view box."""

    width: int
    height: int
    bars: tuple[Bar, ...]
    labels: tuple[Label, ...]
    lines: tuple[float, ...]
    left: int = _LEFT

    @property
    def right(self) -> int:
        return self.width - _RIGHT


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a stacked chart: its label and what is stacked, from below."""

    label: str
    parts: Sequence[tuple[str, int, str]]
    """(kind, number, title)"""


def stacked(columns: Sequence[Column], *, width: int = WIDTH, height: int = 220) -> Chart:
    """Columns beside each other over one scale that begins at zero."""
    most = max((sum(n for _, n, _ in column.parts) for column in columns), default=0)
    top = nice(most)
    floor_y = height - _BOTTOM
    scale = (floor_y - _TOP) / top
    step = (width - _LEFT - _RIGHT) / max(1, len(columns))
    bars: list[Bar] = []
    for at, column in enumerate(columns):
        y = float(floor_y)
        for kind, n, title in column.parts:
            if n:
                tall = max(1.0, n * scale)
                y -= tall
                gap = min(6.0, step * 0.22)
                x = _LEFT + at * step + gap / 2
                bars.append(
                    Bar(round(x, 1), round(y, 1), round(step - gap, 1), round(tall, 1), kind, title)
                )
    return Chart(
        WIDTH, height, tuple(bars), _labels(columns, top, step, height), _lines(top, scale, floor_y)
    )


def _labels(columns: Sequence[Column], top: int, step: float, height: int) -> tuple[Label, ...]:
    every = max(1, -(-len(columns) // 8))
    below = [
        Label(round(_LEFT + (at + 0.5) * step, 1), height - 6, column.label)
        for at, column in enumerate(columns)
        if at % every == 0
    ]
    floor_y = height - _BOTTOM
    scale = (floor_y - _TOP) / top
    beside = [
        Label(_LEFT - 6, round(floor_y - value * scale + 4, 1), short(value), "end")
        for value in _values(top)
    ]
    return (*below, *beside)


def _lines(top: int, scale: float, floor_y: int) -> tuple[float, ...]:
    return tuple(round(floor_y - value * scale, 1) for value in _values(top))


def _values(top: int) -> tuple[int, ...]:
    return (0, top // 2, top) if top > 1 else (0, top)


def nice(most: int) -> int:
    """The next number that reads well at the end of an axis."""
    if most <= 2:
        return 2
    size = 10 ** floor(log10(most))
    return next(int(step * size) for step in (1, 2, 4, 6, 8, 10) if step * size >= most)


def short(value: int) -> str:
    """A number as an axis has room for it."""
    for size, sign in ((1_000_000, "M"), (1_000, "k")):
        if value >= size:
            return f"{value / size:g}{sign}"
    return str(value)
