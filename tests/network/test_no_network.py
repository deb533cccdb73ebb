"""Nothing calls out: the whole job runs where opening a socket to anywhere is an error."""

from __future__ import annotations

import os
import subprocess
import sys

GUARD = """
import sys

# A library may bind a loopback port to see whether IPv6 is there; that reaches nobody.
REACHING = ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname",
            "socket.sendto", "urllib.Request", "http.client.connect")

def refuse(event, arguments):
    if event in REACHING:
        sys.stderr.write(f"REACHED FOR THE NETWORK: {event} {arguments[1:]!r}\\n")
        sys.stderr.flush()
        import os
        os._exit(97)

sys.addaudithook(refuse)
sys.argv = ["memwarden", *sys.argv[1:]]
from memwarden.cli import main
main()
"""

TEXT = "写信给 zhang@例子.公司 或 sam@example.co.uk, see https://user:pass@example.com/x"


def run(tmp_path, *arguments):
    environment = {**os.environ, "MEMWARDEN_KEY_DIR": str(tmp_path / "keys")}
    return subprocess.run(
        [sys.executable, "-c", GUARD, *arguments],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_the_audit_hook_of_this_test_notices_a_lookup(tmp_path):
    script = GUARD.replace("main()\n", "import socket; socket.getaddrinfo('example.com', 80)\n")
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 97
    assert "REACHED FOR THE NETWORK" in done.stderr


def test_a_check_with_addresses_and_links_asks_nobody(tmp_path):
    done = run(tmp_path, "check", TEXT)
    assert done.returncode in (0, 1), done.stderr


def test_the_demo_with_every_model_and_the_embedded_store_asks_nobody(tmp_path):
    done = run(tmp_path, "demo", "--data", str(tmp_path / "demo"))
    assert done.returncode == 0, done.stderr
    assert "scrubbed answer" in done.stdout.lower()
