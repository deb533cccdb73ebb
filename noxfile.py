"""Hosts whose dependencies do not agree get an environment each: nox -s hosts.

Every folder under tests/ that holds a requirements.txt is one. Its tests run with memwarden and
those packages alone, and so do the types of the adapter that it tests. ``nox -s hosts -- chroma``
runs those whose folder is named so.
"""

from __future__ import annotations

from pathlib import Path

import nox

ROOT = Path(__file__).parent
TESTS = ROOT / "tests"
HOSTS = sorted(file.parent for file in TESTS.rglob("requirements.txt"))
TOOLS = ("pytest>=8", "hypothesis>=6.115", "mypy>=1.13", "types-PyYAML")

nox.options.default_venv_backend = "uv"
nox.options.reuse_existing_virtualenvs = False


@nox.session
@nox.parametrize("host", HOSTS, ids=[folder.name for folder in HOSTS])
def hosts(session: nox.Session, host: Path) -> None:
    """One host: its packages, the types of its adapter, its tests."""
    if session.posargs and host.name not in session.posargs:
        session.skip("not asked for")
    session.install("-e", ".", *TOOLS, "-r", str(host / "requirements.txt"))
    name = host.relative_to(TESTS).parts
    room = ROOT.joinpath("src", "memwarden", *name)
    if room.exists() or room.with_suffix(".py").exists():
        session.run("mypy", "-p", ".".join(("memwarden", *name)))
    session.run("pytest", str(host), "--host", str(host.relative_to(TESTS)), "--no-skips")
