"""What every operation of one wrapped host works with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memwarden.model import Part
from memwarden.stores.rows.options import Legacy, RowOptions
from memwarden.stores.rows.payloads import Payload, parts_of_row, tenant_of
from memwarden.stores.rows.report import ReportBox
from memwarden.warden.ports import Writable
from memwarden.warden.session import Session


@dataclass(frozen=True, slots=True, eq=False)
class RowGuard:
    """One tenant's view of one host.

    ``place`` is how the review desk writes into the host; None where it cannot be called from
    outside (an async host of a running loop): approved items then wait for the wrapping process.
    """

    session: Session
    options: RowOptions
    place: Writable | None = field(default=None, repr=False)
    reports: ReportBox = field(default_factory=ReportBox)

    @property
    def tenant(self) -> str:
        return self.session.tenant

    def store(self) -> str:
        """How ledger and queue call the host; the desk can write into it from now on."""
        if self.place is None:
            return self.options.name
        self.session.warden.register_store(self.place)
        return self.place.name

    def parts(
        self, fields: Payload, row_id: str, namespace: tuple[str, ...] = ()
    ) -> tuple[Part, ...]:
        """The parts of a row: what is judged, and what its stamp binds."""
        return parts_of_row(fields, self.options, row_id, namespace)

    def subject_of(self, fields: Payload) -> str:
        """Whom a row is about, by the field that the options name; empty where nobody is said."""
        said = fields.get(self.options.subject_field)
        return str(said) if isinstance(said, str | int) and not isinstance(said, bool) else ""

    def is_foreign(self, fields: Mapping[str, object] | None) -> bool:
        """Whether a stored row belongs to another tenant, or to nobody where that counts."""
        label = tenant_of(fields)
        if label is None:
            return self.options.legacy is Legacy.EXCLUDE
        return label != self.tenant
