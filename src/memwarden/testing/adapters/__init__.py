"""For people who write adapters: every law of a guarded host, as checks against the real one.

Fill in an ``AdapterHarness`` for your host and run every check on a fresh one:

    @pytest.mark.parametrize("check", checks_for(lacks), ids=lambda check: check.__name__)
    def test_my_adapter_obeys(check, tmp_path):
        with Warden.open(suite_policies(tmp_path / "policies"), data_dir=tmp_path / "data",
                         keys=KeyPlace(folder=tmp_path / "keys"), store=ListStore()) as warden:
            check(MyHarness(warden))
"""

from __future__ import annotations

from typing import Final

from memwarden.testing.adapters import faults, isolation, origins, reads, reviews, shape, writes
from memwarden.testing.adapters.harness import (
    AdapterHarness,
    Check,
    Fields,
    PlacedHarness,
    Read,
    TrickyHarness,
    Write,
)
from memwarden.testing.adapters.policies import REPORTING, TENANT, TWIN, suite_policies
from memwarden.testing.adapters.raising import raised

ADAPTER_CHECKS: Final[tuple[Check, ...]] = (
    *shape.CHECKS,
    *writes.CHECKS,
    *reads.CHECKS,
    *isolation.CHECKS,
    *origins.CHECKS,
    *reviews.CHECKS,
    *faults.CHECKS,
)
"""Every law of an adapter. Run each on a fresh, empty host."""

_NEEDS: Final[dict[str, frozenset[str]]] = {
    "check_a_harmless_memory_is_stored_as_it_is": frozenset({"fields"}),
    "check_a_field_name_is_judged": frozenset({"fields"}),
    "check_every_field_is_judged": frozenset({"fields"}),
    "check_fields_that_imitate_a_scope_open_nothing": frozenset({"fields"}),
    "check_an_identifier_is_never_rewritten": frozenset({"fields"}),
    "check_memwardens_own_field_cannot_be_written": frozenset({"fields"}),
    "check_what_was_read_can_be_written_back": frozenset({"fields"}),
    "check_a_deeply_nested_field_is_held": frozenset({"fields"}),
    "check_endless_nesting_is_refused": frozenset({"fields"}),
    "check_what_is_no_json_is_refused": frozenset({"fields"}),
    "check_taking_a_field_away_keeps_the_stamp_true": frozenset({"fields", "change"}),
    "check_a_change_is_judged_by_what_it_makes": frozenset({"fields", "change"}),
    "check_a_change_is_stamped_again": frozenset({"fields", "change"}),
    "check_a_change_does_not_launder": frozenset({"fields", "change"}),
    "check_a_change_does_not_launder_what_was_there_before": frozenset({"fields", "change"}),
    "check_an_approved_change_can_be_taken_back": frozenset({"fields", "change"}),
    "check_a_batch_with_a_held_memory_writes_nothing": frozenset({"batch"}),
    "check_a_report_names_positions_and_the_rest_is_written": frozenset({"batch"}),
    "check_a_batch_keeps_what_it_held_apart": frozenset({"batch"}),
    "check_a_generator_is_judged_to_its_end": frozenset({"stream"}),
    "check_the_origin_is_that_of_the_call": frozenset({"stream"}),
    "check_what_is_withheld_does_not_shorten_a_page": frozenset({"limit"}),
}
"""What a host must have for a check to make sense: fields beside the text, changes of a part of a
memory, batches, streams, limits."""


def checks_for(lacks: frozenset[str] = frozenset()) -> tuple[Check, ...]:
    """The checks that make sense for a host which lacks what is named.

    What can be lacking: ``fields``, ``change``, ``batch``, ``stream``, ``limit``.
    """
    none: frozenset[str] = frozenset()
    return tuple(check for check in ADAPTER_CHECKS if not lacks & _NEEDS.get(check.__name__, none))


__all__ = [
    "ADAPTER_CHECKS",
    "REPORTING",
    "TENANT",
    "TWIN",
    "AdapterHarness",
    "Check",
    "Fields",
    "PlacedHarness",
    "Read",
    "TrickyHarness",
    "Write",
    "checks_for",
    "raised",
    "suite_policies",
]
