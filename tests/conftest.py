"""What holds for every test: no property fails because the machine was busy, nothing is skipped
unseen, and a folder with packages of its own runs only where they are installed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("no deadline", deadline=None, derandomize=True)
settings.load_profile("no deadline")

TESTS = Path(__file__).parent
PACKAGES = "requirements.txt"
"""A folder of tests that holds this file needs an environment of its own (noxfile.py)."""


def pytest_addoption(parser):
    parser.addoption("--host", help=f"run the tests of a folder that holds a {PACKAGES}")
    parser.addoption("--no-skips", action="store_true", help="fail if a test was skipped")


def pytest_ignore_collect(collection_path, config):
    own = next((one for one in (collection_path, *collection_path.parents) if _apart(one)), None)
    if own is None:
        return None
    return own != (TESTS / (config.getoption("--host") or ".")).resolve() or None


def _apart(folder):
    return folder != TESTS and TESTS in folder.parents and (folder / PACKAGES).is_file()


def pytest_sessionfinish(session):
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    if skipped and session.config.getoption("--no-skips"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        reporter.write_line(f"{len(skipped)} skipped, and --no-skips was asked for", red=True)
