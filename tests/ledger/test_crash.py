"""Killed at any instant, written by two: what was acknowledged is there and the chain holds."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import textwrap
import time

KILLS = int(os.environ.get("MEMWARDEN_KILLS", "8"))

WRITER = """
    import sys, threading
    from datetime import UTC, datetime
    from pathlib import Path
    from memwarden import ledger, vault
    from memwarden.database import Database
    from memwarden.keys import KeyPlace, open_keyring
    from memwarden.ledger import Fate, Intent, Leaf, Outcome, Outcomes, SealRef
    from memwarden.model import FACT, Action, Influence, Sensitivity, Tier

    path, keys, name, count = sys.argv[1], Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
    db = Database.open(path)
    ring = db.write(lambda conn: open_keyring(conn, KeyPlace(keys)))
    db.before_commit(lambda conn: ledger.sign_heads(conn, ring.root.sign, datetime.now(UTC)))
    say = threading.Lock()

    def one(decision):
        now = datetime.now(UTC)

        def intend(conn):
            sealed = vault.seal(conn, ring, "acme", b"text", seal_id=decision, record=decision)
            leaf = Leaf(decision, now, Action.ALLOW, FACT, Tier.TRUSTED, Sensitivity.INTERNAL,
                        Influence.INFORM, "user", "0" * 32, "1" * 32,
                        seals=(SealRef("original", sealed.id, sealed.digest),))
            return ledger.append(conn, "acme", Intent("store", "upsert", "rev", (leaf,)), now).seq

        seq = db.write(intend)
        with say:
            print("intent", decision, seq, flush=True)
        receipt = Outcomes(seq, (Outcome(0, Fate.STORED),))
        db.write(lambda conn: ledger.append(conn, "acme", receipt, now).seq)
        with say:
            print("receipt", decision, seq, flush=True)

    def work(k):
        for i in range(count):
            one(f"{name}-{k}-{i}")

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    db.close()
"""


def start(book, name: str, count: int) -> subprocess.Popen[str]:
    keys = book.db.path.parent.parent / "keys"
    arguments = [str(book.db.path), str(keys), name, str(count)]
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(WRITER), *arguments],
        stdout=subprocess.PIPE,
        text=True,
    )


def acknowledged(output: str) -> tuple[set[str], set[str]]:
    """Decision ids whose intent and whose receipt were acknowledged; a torn line says nothing."""
    said: dict[str, set[str]] = {"intent": set(), "receipt": set()}
    for line in output.splitlines():
        words = line.split()
        if len(words) == 3:
            said[words[0]].add(words[1])
    return said["intent"], said["receipt"]


def recorded(book) -> tuple[set[str], set[str], set[str]]:
    open_ones = "SELECT id FROM unfinished JOIN decision USING (tenant, seq)"
    with book.db.read() as conn:
        intents, seals, unfinished = (
            {row[0] for row in conn.execute(sql)}
            for sql in ("SELECT id FROM decision", "SELECT id FROM seal", open_ones)
        )
    return intents, seals, unfinished


def test_killed_at_random_instants_nothing_acknowledged_is_lost(book):
    chance = random.Random(20261124)
    intents: set[str] = set()
    receipts: set[str] = set()
    for round_ in range(KILLS):
        process = start(book, str(round_), 10_000)
        assert process.stdout is not None
        first = process.stdout.readline()  # killing before it writes at all would test nothing
        time.sleep(chance.uniform(0, 0.12))
        process.send_signal(signal.SIGKILL)
        rest, _ = process.communicate(timeout=30)
        said = acknowledged(first + rest)
        intents |= said[0]
        receipts |= said[1]
        there, sealed, unfinished = recorded(book)
        assert intents <= there
        assert there == sealed
        assert not receipts & unfinished
        assert book.verify() == []
    assert len(intents) > KILLS


def test_two_processes_share_one_chain(book):
    processes = [start(book, name, 25) for name in ("a", "b")]
    outputs = [process.communicate(timeout=60)[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    there, sealed, unfinished = recorded(book)
    expected = {f"{name}-{k}-{i}" for name in ("a", "b") for k in range(4) for i in range(25)}
    assert there == sealed == expected
    assert unfinished == set()
    assert acknowledged("".join(outputs)) == (expected, expected)
    with book.db.read() as conn:
        assert conn.execute("SELECT size FROM chain").fetchone() == (400,)
    assert book.verify() == []
