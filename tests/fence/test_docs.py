"""The examples in the documentation run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", ["fence.md", "fence.zh.md"])
def test_the_examples_run(name: str) -> None:
    examples = re.findall(r"```python\n(.*?)```", (DOCS / name).read_text("utf-8"), re.DOTALL)
    assert examples
    for example in examples:
        exec(compile(example, name, "exec"), {})
