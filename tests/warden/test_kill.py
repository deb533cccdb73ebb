"""kill -9 at 200 random instants: nothing acknowledged is lost, nothing unrecorded is stored."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from memwarden.ledger import Verified, show, verify
from memwarden.model import Action
from memwarden.warden import Chain
from tests.warden.kill_load import open_warden

KILLS = 200


def test_a_write_load_killed_at_random_instants(tmp_path, policies):
    script = Path(__file__).with_name("kill_load.py")
    command = [sys.executable, str(script), str(tmp_path), str(policies), str(KILLS), "20261130"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[-2000:] + done.stdout[-500:]

    acknowledged = (tmp_path / "acknowledged").read_text().split()
    assert len(acknowledged) >= KILLS // 2
    warden = open_warden(tmp_path, Chain.open(policies))
    with warden.books.database.read() as conn:
        stories = [show(conn, "acme", decision) for decision in acknowledged]
    for story in stories:
        stores = story.entered.leaf.action in (Action.ALLOW, Action.REDACT)
        assert (story.outcome is not None) == stores
    assert {story.entered.leaf.action for story in stories} >= {Action.ALLOW, Action.HOLD}

    stored = [one.memory_id for one in warden._store.scan("acme")]
    assert len(stored) == len(set(stored))
    known = {
        memory.decision_id
        for memory in (warden.memory("acme", one) for one in warden._store.scan("acme"))
    }
    assert "" not in known, "a stored point bears no valid stamp"
    with warden.books.database.read() as conn:
        for decision in known:
            assert show(conn, "acme", decision).entered.leaf.action.stores

    found = warden.examine(patience=0)
    warden.repair(found)
    assert warden.examine(patience=0) == ()
    with warden.books.database.read() as conn:
        steps = list(verify(conn, "acme", warden.books.ring.root.public_key))
    (end,) = [step for step in steps if isinstance(step, Verified)]
    assert end.sound
    warden.close()
