"""Documentation in packages: prose is taken, markup and listings are not, a changed archive is."""

from __future__ import annotations

import hashlib
import io
import tarfile
from pathlib import Path

import pytest
import yaml
from models.corpus import packages
from models.corpus.public import read_sources
from models.encoders.wheels import WrongFileError

ENGLISH = """---
title: Queues
---
# Workers

Restart the worker after every change, and never remove the queue while jobs are running.

```sh
rm -rf /var/queue
```

.. warning:: markup

See :ref:`the guide <guide>` before you disable the check; the [handbook](x.md) explains why.
"""
CHINESE = "# 队列\n\n修改配置后请重启工作进程，任务运行期间不要删除队列。\n\n| 表 | 格 |\n"


def words(text: str) -> int:
    return len(text) // 4


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "docs-1.0.tar.gz"
    with tarfile.open(path, "w:gz") as tar:
        for name, text in {"docs/en.md": ENGLISH, "docs/zh.md": CHINESE, "x.py": "pass"}.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            tar.addfile(info, io.BytesIO(text.encode()))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    entry = {
        "registry": "pypi",
        "requirement": "docs==1.0",
        "file": path.name,
        "sha256": digest,
        "members": r"\.md$",
        "kinds": ["procedure"],
        "most": 10,
    }
    sources = tmp_path / "sources.yaml"
    sources.write_text(yaml.safe_dump({"packages": {"docs": entry}}), encoding="utf-8")
    monkeypatch.setattr(packages, "SOURCES", sources)
    return path


def test_prose_of_both_languages_is_read_without_its_markup(archive: Path) -> None:
    rows = list(packages.read_packages(archive.parent, words))
    texts = {lang: "\n".join(row.text for row in rows if row.lang == lang) for lang in ("en", "zh")}
    assert "never remove the queue while jobs are running" in texts["en"]
    assert "the guide before you disable the check; the handbook explains why" in texts["en"]
    assert "任务运行期间不要删除队列" in texts["zh"]
    for markup in ("rm -rf", "title:", "warning::", "| 表"):
        assert markup not in texts["en"] + texts["zh"]
    assert {row.label for row in rows} == {"benign"}
    assert {row.fold_key for row in rows} == {"packages/docs"}


def test_an_archive_that_is_not_the_expected_one_is_refused(archive: Path) -> None:
    archive.write_bytes(archive.read_bytes() + b"more")
    with pytest.raises(WrongFileError, match=r"docs-1\.0\.tar\.gz"):
        list(packages.read_packages(archive.parent, words))


def test_every_package_has_a_licence_that_permits_it() -> None:
    content = yaml.safe_load(packages.SOURCES.read_text(encoding="utf-8"))["packages"]
    permitted = {"MIT", "BSD-3-Clause", "Apache-2.0"}
    assert {entry["licence"] for entry in content.values()} <= permitted
    assert not set(content) & read_sources().reserved
