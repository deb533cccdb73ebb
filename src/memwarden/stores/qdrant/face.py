"""The guarded client: a class of its own, which is the host's class by descent.

It holds nothing of the host's insides. Every name of the host's class is in the table or refused,
and what inherited code would reach for (``_client``) is a stand-in that refuses too: so nothing
that this class fails to override can get through.
"""

from __future__ import annotations

import asyncio
import copy
import functools
import inspect
import sys
import threading
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from contextvars import copy_context
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final, NoReturn, cast
from weakref import WeakKeyDictionary

from memwarden.errors import UsageError
from memwarden.stores.qdrant.guarding import Call, Guarding
from memwarden.stores.qdrant.parameters import check_parameters
from memwarden.stores.qdrant.reading import memories
from memwarden.stores.qdrant.standin import refuse, stand_in
from memwarden.stores.qdrant.table import EXCLUSIVE, GUARDED, PASSED, REFUSED, UNKNOWN
from memwarden.stores.rows.driving import Steps, drive, drive_async
from memwarden.stores.rows.report import Report, ReportBox

if TYPE_CHECKING:
    from memwarden.stores.qdrant.guarding import Host

Function = Callable[..., object]

_STATE: Final = "_memwarden_guarding"
_locks: WeakKeyDictionary[object, threading.RLock] = WeakKeyDictionary()
_async_locks: WeakKeyDictionary[object, asyncio.Lock] = WeakKeyDictionary()


def face(g: Guarding) -> Host:
    """The guarded client of one tenant."""
    kind = type(g.host)
    if kind not in _classes:
        _classes[kind] = _class_for(kind)
    guarded: object = object.__new__(_classes[kind])
    object.__setattr__(guarded, _STATE, g)
    return cast("Host", guarded)


def is_guarded(host: object) -> bool:
    """Whether a client is guarded already."""
    return type(host).__dict__.get("_memwarden_face") is True


def _state(guarded: object) -> Guarding:
    return cast("Guarding", object.__getattribute__(guarded, _STATE))


_classes: dict[type, type] = {}


def _class_for(kind: type) -> type:
    names: dict[str, object] = {
        name: _attribute(kind, name) for name in dir(kind) if not _is_special(name)
    }
    return type(f"Guarded{kind.__name__}", (kind,), {**names, **_OWN, "__module__": __name__})


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _attribute(kind: type, name: str) -> object:
    """What the guarded class has under a name of the host's class."""
    static = inspect.getattr_static(kind, name)
    if name in GUARDED:
        return _guarded(name, static)
    offered = _passed if name in PASSED else _refused
    return offered(name, static)


def _guarded(name: str, static: object) -> Function:
    original = cast("Function", static)
    run = _run_async if inspect.iscoroutinefunction(original) else _run

    @functools.wraps(original)
    def method(self: object, *args: object, **kwargs: object) -> object:
        g = _state(self)
        call = Call(name, _given(original, self, args, kwargs))
        check_parameters(name, call.given)
        return run(g, name, GUARDED[name](g, call))

    return _marked(method, original)


def _given(
    original: Function, guarded: object, args: tuple[object, ...], kwargs: Mapping[str, object]
) -> dict[str, object]:
    """The arguments by name, as the host's own signature reads them; its TypeError for others."""
    signature = _signature(original)
    given = dict(signature.bind(guarded, *args, **kwargs).arguments)
    given.pop(next(iter(signature.parameters)))
    for name, parameter in signature.parameters.items():
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            given |= cast("dict[str, object]", given.pop(name, {}))
    return given


@cache
def _signature(original: Function) -> inspect.Signature:
    return inspect.signature(original)


def _run(g: Guarding, name: str, steps: Steps[object]) -> object:
    """The caller's context is taken here, so that a generator's own scopes are not believed."""
    context = copy_context()
    lock: AbstractContextManager[object] = nullcontext()
    if name in EXCLUSIVE:
        lock = _locks.setdefault(g.host, threading.RLock())
    with lock:
        return drive(steps, g.host, context)


def _run_async(g: Guarding, name: str, steps: Steps[object]) -> object:
    """The caller's context is taken at the call, however late the coroutine is awaited."""
    context = copy_context()

    async def awaited() -> object:
        if name not in EXCLUSIVE:
            return await drive_async(steps, g.host, context)
        async with _async_locks.setdefault(g.host, asyncio.Lock()):
            return await drive_async(steps, g.host, context)

    return awaited()


def _marked(method: Function, original: Function) -> Function:
    """A plain function that returns a coroutine says so, for those who ask before calling."""
    if inspect.iscoroutinefunction(original):
        if sys.version_info >= (3, 12):
            return inspect.markcoroutinefunction(method)
        method._is_coroutine = asyncio.coroutines._is_coroutine  # type: ignore[attr-defined]
    return method


def _passed(name: str, static: object) -> object:
    if not callable(static) and not isinstance(static, classmethod | staticmethod):
        return property(lambda self: getattr(_state(self).host, name))

    @functools.wraps(cast("Function", getattr(static, "__func__", static)))
    def method(self: object, *args: object, **kwargs: object) -> object:
        g = _state(self)
        if name == "close":
            g.forget_places()
        return getattr(g.host, name)(*args, **kwargs)

    return _marked(method, cast("Function", getattr(static, "__func__", static)))


def _refused(name: str, static: object) -> object:
    why = REFUSED.get(name, UNKNOWN)
    if not callable(static) and not isinstance(static, classmethod | staticmethod):
        return property(lambda _: refuse(name, why))

    @functools.wraps(cast("Function", getattr(static, "__func__", static)))
    def method(self: object, *args: object, **kwargs: object) -> NoReturn:  # noqa: ARG001
        refuse(name, why)

    return method


# -- what the guarded class has of its own -------------------------------------------------------


def _new_client(self: object, *args: object, **kwargs: object) -> None:  # noqa: ARG001
    raise UsageError(
        "a guarded client is made by warden.wrap(client, tenant=...), not by its class"
    )


def _getattr(self: object, name: str) -> object:
    host = _state(self).host
    if _is_special(name) or not hasattr(host, name):
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
    if name in PASSED:
        return getattr(host, name)
    return refuse(name, REFUSED.get(name, UNKNOWN))


def _setattr(self: object, name: str, value: object) -> NoReturn:  # noqa: ARG001
    refuse(f"setting {name}", "it would change the guard")


def _delattr(self: object, name: str) -> NoReturn:  # noqa: ARG001
    refuse(f"deleting {name}", "it would change the guard")


def _repr(self: object) -> str:
    return f"<{type(self).__name__} of tenant {_state(self).tenant!r}>"


def _copied(self: object) -> object:
    return face(replace(_state(self), reports=ReportBox()))


def _deep_copied(self: object, memo: dict[int, object]) -> object:
    """The same guard around a copy of the host, if the host can be copied at all."""
    g = _state(self)
    host = copy.deepcopy(g.host, memo)
    options = replace(g.options, name=f"{g.options.name}~{uuid.uuid4().hex[:8]}")
    return face(Guarding(g.session, options, host, g.blocking))


def _reduced(self: object, protocol: object) -> NoReturn:  # noqa: ARG001
    raise TypeError(
        "a guarded Qdrant client cannot be pickled, because its warden belongs to this process;"
        " open a warden and wrap a client in the other one"
    )


def _nothing_to_close(self: object) -> None:
    """The host's own ``__del__`` closes it; the host itself does that when its time comes."""


def _inside(self: object) -> object:
    return stand_in(getattr(_state(self).host, "_client", None))


def _last_report(self: object) -> Report | None:
    """What became of this task's last write, where policy says ``on_refused: report``."""
    return _state(self).reports.last()


def _memories(self: object, collection_name: str, points: Sequence[object]) -> object:
    """Points (or ids) as memories for ``warden.fence``: by their stamps, nothing withheld.

    A coroutine on an async client.
    """
    g = _state(self)
    steps = memories(g, collection_name, points)
    run = _run_async if inspect.iscoroutinefunction(type(g.host).retrieve) else _run
    return run(g, "memwarden_memories", cast("Steps[object]", steps))


_OWN: Final[Mapping[str, object]] = {
    "__init__": _new_client,
    "__getattr__": _getattr,
    "__setattr__": _setattr,
    "__delattr__": _delattr,
    "__repr__": _repr,
    "__copy__": _copied,
    "__deepcopy__": _deep_copied,
    "__reduce_ex__": _reduced,
    "__del__": _nothing_to_close,
    "_client": property(_inside),
    "_memwarden_face": True,
    "memwarden_report": property(_last_report),
    "memwarden_memories": _memories,
}
