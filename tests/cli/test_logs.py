"""Standard output belongs to the answer."""

from __future__ import annotations

import io
import json
import subprocess
import sys

import structlog

from memwarden.cli.app import root

SAYS_SOMETHING = """
import structlog
from memwarden.cli.app import root
root(False)
structlog.get_logger("memwarden").warning("a log line")
print('{"an": "answer"}')
"""


def test_what_is_logged_goes_to_standard_error():
    """A script that reads JSON, or a protocol over standard output, must not find a log line."""
    ran = subprocess.run(
        [sys.executable, "-c", SAYS_SOMETHING], capture_output=True, text=True, check=True
    )
    assert json.loads(ran.stdout) == {"an": "answer"}
    assert "a log line" in ran.stderr


def test_a_stream_that_was_replaced_and_closed_is_not_written_to(monkeypatch):
    """Test runners and servers replace standard error: a log line must not raise because of it."""
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    root(False)
    sys.stderr.close()
    now = io.StringIO()
    monkeypatch.setattr(sys, "stderr", now)
    structlog.get_logger("memwarden").warning("a log line")
    assert "a log line" in now.getvalue()
