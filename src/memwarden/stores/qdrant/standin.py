"""What stands where the host keeps its insides: of the right class, and of no use."""

from __future__ import annotations

from typing import NoReturn

from memwarden.errors import UnguardedOperation


def stand_in(inside: object) -> object:
    """An object that is an instance of the inside's class and refuses every attribute.

    Frameworks ask ``isinstance(client._client, QdrantLocal)``; that they may know.
    """
    kind = type(inside)
    if kind not in _classes:
        _classes[kind] = _class_for(kind)
    made: object = object.__new__(_classes[kind])
    return made


_classes: dict[type, type] = {}


def _class_for(kind: type) -> type:
    return type(
        f"Guarded{kind.__name__}",
        (kind,),
        {
            "__getattribute__": _refuse,
            "__setattr__": _refuse_change,
            "__del__": _nothing_to_close,
            "__module__": __name__,
        },
    )


def _refuse(self: object, name: str) -> object:
    if name != "__class__":
        refuse(f"_client.{name}", "it goes around the guard")
    return type(self)


def _refuse_change(self: object, name: str, value: object) -> None:  # noqa: ARG001
    refuse(f"_client.{name}", "it goes around the guard")


def _nothing_to_close(self: object) -> None:  # noqa: ARG001
    return None


def refuse(name: str, why: str) -> NoReturn:
    """Raise the error for an operation that nobody guards."""
    raise UnguardedOperation(
        f"a guarded Qdrant client does not offer {name}: {why}."
        " Use a guarded method, or the bare client where this is meant"
    )
