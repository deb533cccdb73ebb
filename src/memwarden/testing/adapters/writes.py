"""No route stores what policy keeps out, and every route stores what policy lets in."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from memwarden.errors import UsageError, WriteHeld, WriteRefused
from memwarden.ledger import show
from memwarden.testing.adapters.harness import AdapterHarness, Fields
from memwarden.testing.adapters.policies import (
    BANNED,
    CHATTER,
    CODE,
    CODED,
    DISGUISED,
    FIRST_HALF,
    HARMLESS,
    HARMLESS_ZH,
    HOSTILE,
    HOSTILE_ZH,
    REPORTING,
    SECOND_HALF,
    TENANT,
)
from memwarden.testing.adapters.raising import raised


def check_a_harmless_memory_is_stored_as_it_is(h: AdapterHarness) -> None:
    """Words, numbers and nesting come back as they went in."""
    guarded = h.wrap(TENANT)
    fields = {"text": HARMLESS, "n": 3, "ok": True, "nested": {"list": [1, {"note": HARMLESS_ZH}]}}
    h.write(guarded, h.ids[0], fields)
    assert h.read(guarded, h.ids[0]) == fields


def check_every_route_stores_what_is_harmless(h: AdapterHarness) -> None:
    """Otherwise the routes below would prove nothing."""
    guarded = h.wrap(TENANT)
    for one, (name, route) in zip(h.ids, h.write_routes().items(), strict=False):
        route(guarded, one, {"text": f"{HARMLESS} By {name}."})
        assert f"By {name}." in h.dump(), f"{name} did not store a harmless memory"
        assert h.read(guarded, one) is not None, f"what {name} stored is not given out"


def check_no_route_stores_what_is_held(h: AdapterHarness) -> None:
    """The text of a held memory is nowhere in the store, and the caller is told."""
    guarded = h.wrap(TENANT)
    for one, (name, route) in zip(h.ids, h.write_routes().items(), strict=False):
        error = raised(WriteHeld, partial(route, guarded, one, {"text": HOSTILE}))
        assert error.decision_ids, f"{name} does not say which decision it was"
        assert "obey" not in h.dump(), f"{name} stored a held memory"


def check_every_route_redacts(h: AdapterHarness) -> None:
    """What is sealed is nowhere in the store in its own words."""
    guarded = h.wrap(TENANT)
    for one, (name, route) in zip(h.ids, h.write_routes().items(), strict=False):
        route(guarded, one, {"text": CODED})
        assert CODE not in h.dump(), f"{name} stored what was to be redacted"
    assert "SUITE_CODE" in h.dump()


def check_chinese_is_judged_like_english(h: AdapterHarness) -> None:
    """The hostile sentence is held, its harmless twin is stored."""
    guarded = h.wrap(TENANT)
    assert raised(WriteHeld, lambda: h.write(guarded, h.ids[0], {"text": HOSTILE_ZH}))
    h.write(guarded, h.ids[1], {"text": HARMLESS_ZH})
    assert h.read(guarded, h.ids[1]) == {"text": HARMLESS_ZH}


def check_a_disguise_does_not_help(h: AdapterHarness) -> None:
    """Invisible characters between the letters are read as if they were not there."""
    guarded = h.wrap(TENANT)
    assert raised(WriteHeld, lambda: h.write(guarded, h.ids[0], {"text": DISGUISED}))


def check_a_rejection_is_refused_and_not_held(h: AdapterHarness) -> None:
    """A caller can tell what waits for a reviewer from what does not."""
    guarded = h.wrap(TENANT)
    error = raised(WriteRefused, lambda: h.write(guarded, h.ids[0], {"text": BANNED}))
    assert not isinstance(error, WriteHeld)


def check_no_memory_is_no_alarm(h: AdapterHarness) -> None:
    """Chatter is left out without an error."""
    guarded = h.wrap(TENANT)
    h.write(guarded, h.ids[0], {"text": CHATTER})
    assert h.read(guarded, h.ids[0]) is None


def check_errors_tell_no_text(h: AdapterHarness) -> None:
    """An exception lands in logs, so it holds no memory."""
    guarded = h.wrap(TENANT)
    error = raised(WriteHeld, lambda: h.write(guarded, h.ids[0], {"text": HOSTILE}))
    assert "obey" not in str(error)
    assert "obey" not in repr(error)


def check_every_decision_is_in_the_ledger(h: AdapterHarness) -> None:
    """The ids that a caller is given can be looked up."""
    guarded = h.wrap(TENANT)
    error = raised(WriteHeld, lambda: h.write(guarded, h.ids[0], {"text": HOSTILE}))
    with h.warden.books.database.read() as conn:
        assert all(show(conn, TENANT, one) for one in error.decision_ids)


def check_every_intent_has_its_receipt(h: AdapterHarness) -> None:
    """Nothing is left open after writes of every outcome."""
    guarded = h.wrap(TENANT)
    for one, text in zip(h.ids, (HARMLESS, CODED, CHATTER), strict=False):
        h.write(guarded, one, {"text": text})
    raised(WriteHeld, lambda: h.write(guarded, h.ids[3], {"text": HOSTILE}))
    raised(WriteRefused, lambda: h.write(guarded, h.ids[3], {"text": BANNED}))
    assert h.warden.examine(patience=0) == ()


def check_a_field_name_is_judged(h: AdapterHarness) -> None:
    """A payload can be hidden in the name of a field as well."""
    guarded = h.wrap(TENANT)
    fields = {"text": HARMLESS, HOSTILE: "yes"}
    assert raised(WriteHeld, lambda: h.write(guarded, h.ids[0], fields))
    assert "obey" not in h.dump()


def check_every_field_is_judged(h: AdapterHarness) -> None:
    """Not only the main text: a note deep inside counts as much."""
    guarded = h.wrap(TENANT)
    fields = {"text": HARMLESS, "nested": {"list": [{"note": HOSTILE}]}}
    assert raised(WriteHeld, lambda: h.write(guarded, h.ids[0], fields))
    assert "obey" not in h.dump()


def check_an_identifier_is_never_rewritten(h: AdapterHarness) -> None:
    """A redacted id would lose the memory to its own filter; so what is found there holds."""
    guarded = h.wrap(TENANT)
    fields = {"text": HARMLESS, "user_id": CODE}
    assert raised(WriteHeld, lambda: h.write(guarded, h.ids[0], fields))


def check_a_batch_with_a_held_memory_writes_nothing(h: AdapterHarness) -> None:
    """Where policy raises, a caller knows that nothing was stored."""
    guarded = h.wrap(TENANT)
    rows = [(h.ids[0], {"text": HARMLESS}), (h.ids[1], {"text": HOSTILE})]
    assert raised(WriteHeld, lambda: h.write_many(guarded, rows))
    assert h.read(guarded, h.ids[0]) is None
    assert h.warden.examine(patience=0) == ()


def check_a_report_names_positions_and_the_rest_is_written(h: AdapterHarness) -> None:
    """Where policy reports, a bulk load goes on and says what is missing."""
    reports: list[object] = []
    guarded = h.wrap(REPORTING, on_report=reports.append)
    texts = (HARMLESS, HOSTILE, CHATTER, HARMLESS_ZH, BANNED)
    h.write_many(guarded, [(one, {"text": t}) for one, t in zip(h.ids, texts, strict=False)])
    assert [h.read(guarded, one) is not None for one in h.ids[:5]] == [
        True,
        False,
        False,
        True,
        False,
    ]
    (report,) = reports
    assert [one.position for one in getattr(report, "refusals")] == [1, 4]  # noqa: B009
    assert (getattr(report, "written"), getattr(report, "skipped")) == (2, 1)  # noqa: B009


def check_a_change_is_judged_by_what_it_makes(h: AdapterHarness) -> None:
    """Two harmless pieces that make an instruction together are held at the second."""
    guarded = h.wrap(TENANT)
    h.write(guarded, h.ids[0], {"text": FIRST_HALF})
    change = {"text2": SECOND_HALF, "text": f"{FIRST_HALF} {SECOND_HALF}"}
    assert raised(WriteHeld, lambda: h.change(guarded, h.ids[0], change))
    assert h.read(guarded, h.ids[0]) == {"text": FIRST_HALF}


def check_memwardens_own_field_cannot_be_written(h: AdapterHarness) -> None:
    """A caller's own stamp would be a forged one."""
    guarded = h.wrap(TENANT)
    fields = {"text": HARMLESS, "_memwarden": {"tenant": TENANT}}
    assert raised(UsageError, lambda: h.write(guarded, h.ids[0], fields))


def check_what_was_read_can_be_written_back(h: AdapterHarness) -> None:
    """Read, change, write: the way of many callers."""
    guarded = h.wrap(TENANT)
    h.write(guarded, h.ids[0], {"text": HARMLESS})
    read = h.read(guarded, h.ids[0])
    assert read is not None
    h.write(guarded, h.ids[0], {**read, "seen": 1})
    assert h.read(guarded, h.ids[0]) == {"text": HARMLESS, "seen": 1}


def check_a_hosts_failure_is_the_hosts_own(h: AdapterHarness) -> None:
    """Its exception comes through, and the ledger says that nothing was stored."""
    guarded = h.wrap(TENANT)
    with h.failing() as failure:
        assert raised(failure, lambda: h.write(guarded, h.ids[0], {"text": HARMLESS}))
    assert h.warden.examine(patience=0) == ()
    assert h.read(guarded, h.ids[0]) is None


def check_a_generator_is_judged_to_its_end(h: AdapterHarness) -> None:
    """What comes late in a stream is judged like what comes first."""
    guarded = h.wrap(TENANT)

    def rows() -> Iterator[tuple[str, Fields]]:
        yield h.ids[0], {"text": HARMLESS}
        yield h.ids[1], {"text": HOSTILE}

    assert raised(WriteHeld, lambda: h.write_lazily(guarded, rows))
    assert "obey" not in h.dump()


CHECKS = (
    check_a_harmless_memory_is_stored_as_it_is,
    check_every_route_stores_what_is_harmless,
    check_no_route_stores_what_is_held,
    check_every_route_redacts,
    check_chinese_is_judged_like_english,
    check_a_disguise_does_not_help,
    check_a_rejection_is_refused_and_not_held,
    check_no_memory_is_no_alarm,
    check_errors_tell_no_text,
    check_every_decision_is_in_the_ledger,
    check_every_intent_has_its_receipt,
    check_a_field_name_is_judged,
    check_every_field_is_judged,
    check_an_identifier_is_never_rewritten,
    check_a_batch_with_a_held_memory_writes_nothing,
    check_a_report_names_positions_and_the_rest_is_written,
    check_a_change_is_judged_by_what_it_makes,
    check_memwardens_own_field_cannot_be_written,
    check_what_was_read_can_be_written_back,
    check_a_hosts_failure_is_the_hosts_own,
    check_a_generator_is_judged_to_its_end,
)
