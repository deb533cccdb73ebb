"""A reviewer's verdict reaches the host, complete, and can be taken back."""

from __future__ import annotations

from memwarden.errors import WriteHeld
from memwarden.review import State, Wanted
from memwarden.testing.adapters.harness import AdapterHarness
from memwarden.testing.adapters.policies import CODE, CODED, HARMLESS, HOSTILE, TENANT
from memwarden.testing.adapters.raising import raised


def check_what_is_approved_is_written(h: AdapterHarness) -> None:
    """As it came, with a stamp, under its own id."""
    guarded = h.wrap(TENANT)
    item = _held(h, guarded, HOSTILE)
    done = h.warden.review.approve(item, actor="reviewer")
    assert done.state is State.APPROVED
    assert "obey" in h.dump()
    assert "_memwarden" in (h.stored(h.ids[0]) or {})


def check_what_is_approved_redacted_is_redacted(h: AdapterHarness) -> None:
    """Personal data is treated as policy says, whoever approves."""
    guarded = h.wrap(TENANT)
    item = _held(h, guarded, f"{HOSTILE} {CODED}")
    h.warden.review.approve_redacted(item, actor="reviewer")
    assert CODE not in h.dump()
    assert "SUITE_CODE" in h.dump()


def check_what_is_edited_is_written_as_edited(h: AdapterHarness) -> None:
    """The reviewer's words stand in the place of the writer's."""
    guarded = h.wrap(TENANT)
    item = _held(h, guarded, HOSTILE)
    h.warden.review.edit(item, HARMLESS, actor="reviewer")
    assert h.read(guarded, h.ids[0]) == {"text": HARMLESS}


def check_what_is_rejected_is_never_written(h: AdapterHarness) -> None:
    """The store never hears of it."""
    guarded = h.wrap(TENANT)
    item = _held(h, guarded, HOSTILE)
    h.warden.review.reject(item, actor="reviewer")
    assert "obey" not in h.dump()


def check_an_approval_can_be_taken_back(h: AdapterHarness) -> None:
    """What it wrote is removed from the store."""
    guarded = h.wrap(TENANT)
    item = _held(h, guarded, HOSTILE)
    h.warden.review.approve(item, actor="reviewer")
    h.warden.review.undo(item, actor="reviewer")
    assert "obey" not in h.dump()


def check_an_approved_change_can_be_taken_back(h: AdapterHarness) -> None:
    """The memory stands again as it was before the change."""
    guarded = h.wrap(TENANT)
    h.write(guarded, h.ids[0], {"text": HARMLESS})
    raised(WriteHeld, lambda: h.change(guarded, h.ids[0], {"note": HOSTILE}))
    item = _latest(h)
    h.warden.review.approve(item, actor="reviewer")
    assert "obey" in h.dump()
    h.warden.review.undo(item, actor="reviewer")
    assert h.read(guarded, h.ids[0]) == {"text": HARMLESS}
    (memory,) = h.memories(guarded, [h.ids[0]])
    assert memory.stamped


def check_a_batch_keeps_what_it_held_apart(h: AdapterHarness) -> None:
    """Each held memory is an item of its own, and approving one writes one."""
    guarded = h.wrap(TENANT)
    rows = [
        (h.ids[0], {"text": f"{HOSTILE} The first."}),
        (h.ids[1], {"text": f"{HOSTILE} The second."}),
    ]
    error = raised(WriteHeld, lambda: h.write_many(guarded, rows))
    assert len(error.decision_ids) == 2
    h.warden.review.approve(error.decision_ids[1], actor="reviewer")
    assert "The second." in h.dump()
    assert "The first." not in h.dump()


def _held(h: AdapterHarness, guarded: object, text: str) -> str:
    raised(WriteHeld, lambda: h.write(guarded, h.ids[0], {"text": text}))
    return _latest(h)


def _latest(h: AdapterHarness) -> str:
    (item,) = h.warden.review.items(Wanted(tenant=TENANT, states=(State.PENDING,)))
    return item.id


CHECKS = (
    check_what_is_approved_is_written,
    check_what_is_approved_redacted_is_redacted,
    check_what_is_edited_is_written_as_edited,
    check_what_is_rejected_is_never_written,
    check_an_approval_can_be_taken_back,
    check_an_approved_change_can_be_taken_back,
    check_a_batch_keeps_what_it_held_apart,
)
