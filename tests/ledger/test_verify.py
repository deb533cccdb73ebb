"""Every way of changing the past, and the words in which verify says so."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from memwarden import ledger
from memwarden.errors import LedgerCorrupt, UsageError
from memwarden.ledger import Reveal, Wrong, segments
from memwarden.ledger.proofs import root_at
from memwarden.model import Action

LONG = 600
"""Records of the ledger that gets tampered with: more than two tiles."""


@pytest.fixture
def long_book(book, leaf, finding):
    book.fill(LONG - 4)
    book.intend(
        leaf("held", action=Action.REJECT, findings=(finding,)),
        leaf("kept", derived_from=("held",)),
    )
    book.receive(LONG - 4, 1)
    book.append(Reveal("held", "seal", "actor"))
    book.intend(leaf("last"))
    return book


def found(faults):
    return [(fault.wrong, fault.seq) for fault in faults]


def test_a_sound_ledger_verifies_with_progress_to_the_end(long_book):
    with long_book.db.read() as conn:
        steps = list(ledger.verify(conn, "acme", long_book.ring.root.public_key))
        root = ledger.head_of(conn, "acme").root
    assert isinstance(steps[0], ledger.Progress)
    assert steps[-2].done == steps[-2].total == LONG
    assert steps[-1] == ledger.Verified("acme", LONG, (LONG - 4) // 2 + 3, 0, root)


def test_an_empty_and_an_unknown_tenant_verify(book):
    assert book.verify() == []
    assert book.verify("never heard of") == []


EDITS = {
    "a record's text": (
        "UPDATE record SET body = replace(body, 'upsert', 'delete') WHERE seq = 100",
        [(Wrong.TAMPERED, 100)],
        "record 100 was altered",
    ),
    "a record's time": (
        "UPDATE record SET at = at + 1 WHERE seq = 100",
        [(Wrong.TAMPERED, 100)],
        "record 100 was altered",
    ),
    "a decision": (
        "UPDATE decision SET leaf = replace(leaf, '\"reject\"', '\"allow\"') WHERE seq = 596",
        [(Wrong.LEAVES, 596)],
        "the decisions of record 596 are not those that were recorded: one was altered",
    ),
    "a decision taken out": (
        "DELETE FROM decision WHERE seq = 596 AND position = 1",
        [(Wrong.LEAVES, 596)],
        "2 expected, 1 found",
    ),
    "a decision put in": (
        """INSERT INTO decision (tenant, seq, position, leaf)
           SELECT tenant, 597, 0, replace(leaf, 'held', 'new') FROM decision WHERE id = 'held'""",
        [(Wrong.LEAVES, 597)],
        "decisions claim to belong to record 597, which announces none",
    ),
    "a record deleted": (
        "DELETE FROM record WHERE seq = 100",
        [(Wrong.GAP, 100), (Wrong.LEAVES, 100), (Wrong.HEAD, -1), (Wrong.TREE, 0)],
        "record 100 is missing: they were deleted from the middle",
    ),
    "records deleted": (
        "DELETE FROM record WHERE seq BETWEEN 100 AND 103",
        [(Wrong.GAP, 100), (Wrong.LEAVES, 100), (Wrong.LEAVES, 102), (Wrong.HEAD, -1)],
        "records 100 to 103 are missing",
    ),
    "a record replaced by another": (
        "UPDATE record SET body = (SELECT body FROM record WHERE seq = 102) WHERE seq = 100",
        [(Wrong.TAMPERED, 100), (Wrong.LEAVES, 100)],
        "record 100 was altered",
    ),
    "the last record torn": (
        "UPDATE record SET body = substr(body, 1, 20) WHERE seq = 599",
        [(Wrong.TAMPERED, 599), (Wrong.TORN, 599)],
        "record 599, the last one, is torn",
    ),
    "the last decisions torn off": (
        "DELETE FROM decision WHERE seq = 599",
        [(Wrong.TORN, 599)],
        "it is there only in part",
    ),
    "the tail cut off": (
        "DELETE FROM record WHERE seq > 596",
        [(Wrong.LEAVES, 599), (Wrong.TAIL_CUT, 597)],
        "the tail was cut off: the head promises 600 records, 597 are there",
    ),
    "the head exchanged": (
        "UPDATE chain SET head = zeroblob(32)",
        [(Wrong.HEAD, -1)],
        "the stored head does not match the records",
    ),
    "the signature dropped": (
        "UPDATE chain SET signed_size = signed_size - 3",
        [(Wrong.UNSIGNED, 597)],
        "records 597 to 599 carry no signature",
    ),
    "the signature exchanged": (
        "UPDATE chain SET signature = zeroblob(64)",
        [(Wrong.SIGNATURE, -1)],
        "rewritten by somebody without the key",
    ),
    "the tree": (
        "UPDATE tile SET hash = zeroblob(32) WHERE place = 1",
        [(Wrong.TREE, 256)],
        "the stored tree is wrong at record 256",
    ),
    "a search entry hidden": (
        "DELETE FROM rule_hit",
        [(Wrong.INDEX, 596)],
        "the search table 'rule_hit' disagrees with record 596",
    ),
    "a search entry invented": (
        "INSERT INTO rule_hit VALUES ('acme', 'made.up', 0, 100, 0)",
        [(Wrong.INDEX, 100)],
        "lists by it may hide decisions",
    ),
    "a search entry put out of sight": (
        "UPDATE rule_hit SET at = 0",
        [(Wrong.INDEX, 596)],
        "the search table 'rule_hit' disagrees with record 596",
    ),
    "a derivation hidden": (
        "DELETE FROM derived",
        [(Wrong.INDEX, 596)],
        "the search table 'derived'",
    ),
    "an unfinished write hidden": (
        "DELETE FROM unfinished",
        [(Wrong.INDEX, 599)],
        "the search table 'unfinished'",
    ),
    "a reason reworded": (
        "UPDATE wording SET en = 'Nothing to see here.'",
        [(Wrong.WORDING, -1)],
        "reasons shown may not be those given",
    ),
    "a search made to lie": (
        "CREATE TRIGGER lies AFTER INSERT ON record BEGIN DELETE FROM rule_hit; END",
        [(Wrong.SCHEMA, -1)],
        "the definition of 'lies' in the file is not memwarden's",
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_is_found_where_it_is_and_said_in_plain_words(long_book, name):
    edit, expected, words = EDITS[name]
    long_book.tamper(edit)
    faults = long_book.verify()
    assert found(faults)[: len(expected)] == expected
    assert any(words in fault.words.en for fault in faults)
    assert all(fault.words.zh for fault in faults)


def test_a_history_rewritten_with_all_its_hashes_fails_the_signature(long_book):
    """Somebody without the key recomputes everything that can be recomputed."""
    with long_book.db.read() as conn:
        signed = conn.execute("SELECT signed_size, signed_at, signature FROM chain").fetchone()
    long_book.tamper(
        "DELETE FROM record",
        "DELETE FROM decision",
        "DELETE FROM chain",
        "DELETE FROM tile",
        "DELETE FROM rule_hit",
        "DELETE FROM derived",
        "DELETE FROM unfinished",
    )
    long_book.fill(LONG)
    long_book.db.write(
        lambda conn: (
            conn.execute(
                "UPDATE chain SET signed_size = ?, signed_at = ?, signature = ?", signed
            ).rowcount
        )
    )
    # The step above was itself signed over; put the stolen signature in behind memwarden.
    long_book.tamper(f"UPDATE chain SET signature = x'{signed[2].hex()}'")
    assert found(long_book.verify()) == [(Wrong.SIGNATURE, -1)]


def test_another_tenants_records_are_no_concern(long_book):
    long_book.fill(10, "globex")
    long_book.tamper("DELETE FROM record WHERE tenant = 'globex' AND seq = 3")
    assert long_book.verify() == []
    assert (Wrong.GAP, 3) in found(long_book.verify("globex"))


def test_records_moved_to_another_tenant_are_found(long_book):
    long_book.tamper("UPDATE record SET tenant = 'globex'", "UPDATE chain SET tenant = 'globex'")
    assert (Wrong.TAMPERED, 0) in found(long_book.verify("globex"))


def test_a_clock_set_back_is_a_remark_and_no_fault(book):
    book.fill(4)
    book.clock -= timedelta(hours=1)
    book.fill(2)
    (remark,) = book.verify()
    assert (remark.wrong, remark.seq, remark.grave) == (Wrong.CLOCK, 4, False)
    assert "3600.0 s earlier at record 4" in remark.words.en


def test_a_damaged_file_is_a_fault_and_no_crash(long_book):
    long_book.db.truncate_log()
    with long_book.db.path.open("r+b") as file:
        for page in range(80, 120):
            file.seek(page * 4096)
            file.write(b"\xff" * 4096)
    faults = long_book.verify()
    assert faults
    assert all(fault.words.en and fault.words.zh for fault in faults)


class TestShared:
    """Several workers verify one chain and come to the same end as one."""

    @pytest.fixture(autouse=True)
    def small_segments(self, monkeypatch):
        monkeypatch.setattr(segments, "SEGMENT", 256)

    @pytest.fixture(autouse=True)
    def threads_for_processes(self, monkeypatch, request):
        """Starting processes is slow; one test does, the others share among threads."""
        if "really" not in request.node.name:
            monkeypatch.setattr(segments, "start_workers", ThreadPoolExecutor)

    def both(self, book, **options):
        with book.db.read() as conn:
            key = book.ring.root.public_key
            one, two = (
                [
                    step
                    for step in ledger.verify(conn, "acme", key, processes=count, **options)
                    if not isinstance(step, ledger.Progress)
                ]
                for count in (1, 2)
            )
        assert one[-1].sound == two[-1].sound
        return one, two

    def test_processes_are_really_used(self, long_book):
        one, two = self.both(long_book)
        assert one == two

    def test_a_sound_chain_with_anchors_at_every_place(self, book):
        heads = []
        for count in (1, 255, 1, 255, 300, 7):
            book.fill(count)
            heads.append(book.head())
        one, two = self.both(book, anchors=heads)
        assert one == two
        assert one == [two[-1]]
        assert two[-1].sound

    @pytest.mark.parametrize(
        "name", ["a record's text", "a decision", "the tail cut off", "the last decisions torn off"]
    )
    def test_an_edit_is_found_by_both(self, long_book, name):
        long_book.tamper(EDITS[name][0])
        one, two = self.both(long_book)
        assert found(one[:-1]) == found(two[:-1])

    @pytest.mark.parametrize(("first", "last"), [(200, 255), (250, 300), (256, 511), (100, 520)])
    def test_records_deleted_at_seams_are_found(self, long_book, first, last):
        long_book.tamper(f"DELETE FROM record WHERE seq BETWEEN {first} AND {last}")
        _, two = self.both(long_book)
        assert (Wrong.GAP, first) in found(two[:-1])


class TestRange:
    def test_a_sound_range_is_linked_and_in_the_tree(self, long_book):
        assert long_book.verify(first=250, last=300) == []
        assert long_book.verify(first=599) == []
        assert long_book.verify(first=0, last=0) == []

    def test_only_the_range_is_looked_at(self, long_book):
        long_book.tamper("UPDATE record SET at = at + 1 WHERE seq = 100")
        assert long_book.verify(first=101, last=200) == []
        assert found(long_book.verify(first=50, last=150)) == [(Wrong.TAMPERED, 100)]

    def test_a_range_recomputed_with_its_hashes_is_not_in_the_tree(self, long_book):
        long_book.tamper("UPDATE record SET hash = zeroblob(32) WHERE seq = 300")
        assert (Wrong.TREE, 300) in found(long_book.verify(first=290, last=300))

    def test_a_range_beyond_the_end_is_a_cut(self, long_book):
        assert found(long_book.verify(first=590, last=700)) == [(Wrong.TAIL_CUT, 600)]


class TestAnchors:
    def test_anchors_hold_as_the_ledger_grows(self, book, tmp_path):
        path = tmp_path / "anchor.jsonl"
        for count in (10, 300, 7):
            book.fill(count)
            assert ledger.export_anchor(path, [book.head()]) == 1
        anchors = ledger.read_anchor(path)
        assert [anchor.size for anchor in anchors] == [10, 310, 317]
        assert book.verify(anchors=anchors) == []

    def test_an_older_copy_put_back_contradicts_the_anchor(self, book, reopen, tmp_path):
        book.fill(10)
        book.db.truncate_log()
        old = shutil.copy(book.db.path, tmp_path / "old.db")
        book.fill(6)
        anchor = book.head()
        snapshot = reopen(old)
        assert snapshot.verify() == []  # by itself it is sound: only the anchor knows better
        (fault,) = snapshot.verify(anchors=[anchor])
        assert (fault.wrong, fault.seq) == (Wrong.ANCHOR_AHEAD, 10)
        assert "16 records on 2026-11-24 12:00:00 UTC, 10 now" in fault.words.en
        assert "older copy of the file was put back" in fault.words.en

    def test_an_older_copy_that_was_written_on_contradicts_the_anchor(self, book, reopen, tmp_path):
        book.fill(10)
        early = book.head()
        book.db.truncate_log()
        old = shutil.copy(book.db.path, tmp_path / "old.db")
        book.fill(6)
        late = book.head()
        snapshot = reopen(old)
        snapshot.clock += timedelta(days=1)
        snapshot.fill(20)
        assert snapshot.verify() == []
        (fault,) = snapshot.verify(anchors=[late, early])
        assert (fault.wrong, fault.seq) == (Wrong.ANCHOR_DIFFERS, 10)
        assert "up to 10 they agree" in fault.words.en

    def test_a_forged_anchor_proves_nothing(self, book):
        book.fill(10)
        head = book.head()
        forged = ledger.SignedHead("acme", 5, head.root, head.at, head.signature, head.key)
        assert found(book.verify(anchors=[forged])) == [(Wrong.ANCHOR_FORGED, -1)]

    def test_anchors_of_other_tenants_are_passed_over(self, book):
        book.fill(4)
        book.fill(8, "globex")
        assert book.verify(anchors=[book.head("globex")]) == []

    def test_a_torn_last_line_is_passed_over_and_a_bad_one_named(self, book, tmp_path):
        path = tmp_path / "anchor.jsonl"
        book.fill(4)
        ledger.export_anchor(path, [book.head()])
        path.write_text(path.read_text() + '{"at":17')
        assert len(ledger.read_anchor(path)) == 1
        path.write_text("nonsense\n" + path.read_text())
        with pytest.raises(LedgerCorrupt, match=r"anchor\.jsonl:1: this line"):
            ledger.read_anchor(path)


class TestProofs:
    def test_every_record_can_be_proven_at_every_later_size(self, book):
        book.fill(300)
        with book.db.read() as conn:
            for size in (1, 2, 255, 256, 257, 299, 300):
                root = root_at(conn, "acme", size)
                for seq in {0, size // 2, size - 1}:
                    assert ledger.prove_record(conn, "acme", seq, size).holds(root)
                    assert not ledger.prove_record(conn, "acme", seq, size).holds(bytes(32))

    def test_two_heads_are_proven_to_be_one_history(self, book):
        sizes = (1, 100, 256, 400)
        book.fill(400)
        with book.db.read() as conn:
            roots = {size: root_at(conn, "acme", size) for size in sizes}
            assert roots[400] == ledger.head_of(conn, "acme").root
            for old in sizes:
                for new in sizes:
                    if old <= new:
                        proof = ledger.prove_growth(conn, "acme", old, new)
                        assert proof.holds(roots[old], roots[new])
                        assert not proof.holds(bytes(32), roots[new])

    def test_one_decision_is_proven_within_its_envelope(self, book, leaf):
        book.intend(*(leaf(f"d{i}") for i in range(37)))
        with book.db.read() as conn:
            body = conn.execute("SELECT json_extract(body, '$.root') FROM record").fetchone()[0]
            for position in (0, 17, 36):
                proof = ledger.prove_decision(conn, "acme", 0, position)
                assert proof.holds(bytes.fromhex(body))

    def test_what_is_not_there_cannot_be_proven(self, book):
        book.fill(4)
        with book.db.read() as conn:
            for ask in (
                lambda: ledger.prove_record(conn, "acme", 4),
                lambda: ledger.prove_record(conn, "acme", 0, 5),
                lambda: ledger.prove_growth(conn, "acme", 3, 5),
                lambda: ledger.prove_decision(conn, "acme", 0, 1),
            ):
                with pytest.raises(UsageError, match="acme"):
                    ask()
