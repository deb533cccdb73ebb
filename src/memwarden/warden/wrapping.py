"""Finding adapters and stores by entry point, so that the warden knows no host by import."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from memwarden.errors import UsageError
from memwarden.warden.ports import MemoryStore

if TYPE_CHECKING:
    from memwarden.warden.chain import Chain
    from memwarden.warden.session import Session

T = TypeVar("T")

ADAPTERS: Final = "memwarden.adapters"
STORES: Final = "memwarden.stores"
VECTOR_SIZE: Final = 512
"""Length of the bundled sentence vectors."""


class Adapter(Protocol):
    """Knows one host. Its entry point is named after the host's top-level package."""

    def wrap(self, session: Session, host: T, options: Mapping[str, object]) -> T:
        """A guarded object that is still the host's; UsageError for what it cannot guard."""
        ...


def guarded(host: T, session: Session, options: Mapping[str, object]) -> T:
    """The host's own object, guarded by the adapter of the package that it comes from.

    An entry point is named after its host's package and loaded only when such an object is
    wrapped: an installed adapter runs no code before. Raises UsageError if there is none.
    """
    packages = [kind.__module__.partition(".")[0] for kind in type(host).__mro__]
    offered = {point.name: point for point in entry_points(group=ADAPTERS)}
    for package in packages:
        if package in offered:
            adapter: Adapter = offered[package].load()
            return adapter.wrap(session, host, options)
    known = ", ".join(sorted(offered))
    raise UsageError(
        f"no adapter guards a {type(host).__module__}.{type(host).__qualname__};"
        f" adapters are installed for: {known}"
    )


def embedded_store(folder: Path, chain: Chain) -> MemoryStore:
    """The store that memwarden brings along; the models are loaded when it first embeds."""

    def embed(texts: Sequence[str]) -> Sequence[Sequence[float]]:
        return chain.encoder.vectors(texts)

    (point,) = entry_points(group=STORES, name="embedded")
    store: MemoryStore = point.load()(folder, embed, VECTOR_SIZE)
    return store
