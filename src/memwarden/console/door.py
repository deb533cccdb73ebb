"""How a request becomes a visit: session, role at the door, and proof that a form is our own."""

from __future__ import annotations

import hmac
import traceback
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

import anyio
import structlog
from anyio.to_thread import run_sync
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from memwarden.console.accounts import Account
from memwarden.console.house import COOKIE, House
from memwarden.console.moments import now
from memwarden.console.sessions import Session, proof_of
from memwarden.console.visit import Page, Refused, Visit, base_words, language_of
from memwarden.console.words import say
from memwarden.errors import (
    CannotDecide,
    LedgerCorrupt,
    LimitExceeded,
    MemwardenError,
    ReviewConflict,
    UnknownTenant,
    UsageError,
    VaultError,
)

View = Callable[[Visit], Response]
Endpoint = Callable[[Request], Awaitable[Response]]

_log = structlog.get_logger("memwarden.console")
_THREADS: Final = anyio.CapacityLimiter(8)
"""Every thread that reads keeps a connection and its cache."""

MAX_BODY: Final = 2_000_000
_FAULTS: Final = (
    (UnknownTenant, 404, "refused.no_tenant"),
    (ReviewConflict, 409, "refused.conflict"),
    (LimitExceeded, 409, "refused.limit"),
    (VaultError, 410, "refused.vault"),
    (LedgerCorrupt, 500, "refused.corrupt"),
    (UsageError, 400, "refused.usage"),
    (CannotDecide, 503, "refused.cannot"),
    (MemwardenError, 500, "refused.cannot"),
)


def page(house: House, view: View) -> Endpoint:
    """An endpoint for somebody who is signed in. Views are plain functions, run in a thread."""

    async def endpoint(request: Request) -> Response:
        form = await _form(request)
        return await run_sync(_answer, house, request, view, form, limiter=_THREADS)

    return endpoint


def open_page(house: House, view: Callable[[House, Request, dict[str, str]], Response]) -> Endpoint:
    """An endpoint for anybody: signing in, choosing a language."""

    async def endpoint(request: Request) -> Response:
        form = await _form(request)
        fields = {key: values[0] for key, values in form.items()}
        return await run_sync(_guarded, house, request, view, fields, limiter=_THREADS)

    return endpoint


async def _form(request: Request) -> dict[str, tuple[str, ...]]:
    if request.method != "POST":
        return {}
    sent: FormData = await request.form(max_files=0, max_fields=2_000)
    rows: dict[str, tuple[str, ...]] = {}
    for key, value in sent.multi_items():
        if isinstance(value, UploadFile):
            continue
        rows[key] = (*rows.get(key, ()), value)
    return rows


def _guarded(
    house: House,
    request: Request,
    view: Callable[[House, Request, dict[str, str]], Response],
    form: dict[str, str],
) -> Response:
    if request.method == "POST" and not same_site(request):
        return fault(house, request, 403, "refused.csrf")
    try:
        return view(house, request, form)
    except Exception as error:  # noqa: BLE001 a server's own traceback could quote what was sent
        return _unforeseen(house, request, error)


def _answer(
    house: House, request: Request, view: View, form: dict[str, tuple[str, ...]]
) -> Response:
    found = signed_in(house, request)
    if found is None:
        return _to_sign_in(request)
    account, session, token = found
    fields = {key: values[0] for key, values in form.items()}
    visit = Visit(house, request, account, session, fields, form)
    if request.method == "POST" and not _ours(visit):
        return fault(house, request, 403, "refused.csrf", visit=visit)
    response = _faults_told(visit, view)
    if token:
        set_session(house, response, token)
    return response


def _faults_told(visit: Visit, view: View) -> Response:
    try:
        return view(visit)
    except Refused as refused:
        said = dict(refused.words)
        detail = str(said.pop("detail", ""))
        return fault(
            visit.house,
            visit.request,
            refused.status,
            refused.key,
            visit=visit,
            detail=detail,
            words=said,
        )
    except MemwardenError as error:
        status, key = next((s, k) for kind, s, k in _FAULTS if isinstance(error, kind))
        _log.info("a page was refused", path=_route(visit.request), error=type(error).__name__)
        return fault(visit.house, visit.request, status, key, visit=visit, detail=str(error))
    except Exception as error:  # noqa: BLE001 a server's own traceback could quote a memory
        return _unforeseen(visit.house, visit.request, error, visit)


def _unforeseen(
    house: House, request: Request, error: Exception, visit: Visit | None = None
) -> Response:
    name = type(error).__name__
    _log.error("a page failed", path=_route(request), error=name, at=_where(error))
    return fault(house, request, 500, "refused.unforeseen", visit=visit, words={"name": name})


def _where(error: Exception) -> str:
    """The last place in memwarden that the error came through."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "memwarden" in Path(frame.filename).parts] or list(frames)
    return f"{Path(ours[-1].filename).name}:{ours[-1].lineno}"


def signed_in(house: House, request: Request) -> tuple[Account, Session, str] | None:
    """The account and its session; a token where a proxy's word began a new one."""
    moment = now()
    token = request.cookies.get(COOKIE, "")
    session = house.sessions.find(token, moment) if token else None
    named = _by_proxy(house, request)
    if house.settings.header:
        account = house.accounts.find(named) if named else None
        if account is None:
            return None
        if session is None or session.name != named or session.proof != proof_of(account):
            token, session = house.sessions.start(account, moment)
            return account, session, token
        return account, session, ""
    account = house.accounts.find(session.name) if session is not None else None
    if session is None or account is None or session.proof != proof_of(account):
        return None
    return account, session, ""


def _by_proxy(house: House, request: Request) -> str:
    """Whom the reverse proxy names; nobody unless it shows the secret that it shares with us."""
    settings = house.settings
    if not settings.header or not settings.proxy_secret:
        return ""
    shown = request.headers.get("x-memwarden-proxy-secret", "")
    if not hmac.compare_digest(shown.encode(), settings.proxy_secret.encode()):
        return ""
    said = request.headers.getlist(settings.header)
    return said[0] if len(said) == 1 else ""


def _ours(visit: Visit) -> bool:
    """Whether a POST comes from one of our own pages: the session's token, and no other site."""
    shown = visit.form.get("csrf") or visit.request.headers.get("x-csrf-token", "")
    return hmac.compare_digest(shown.encode(), visit.session.csrf.encode()) and same_site(
        visit.request
    )


def same_site(request: Request) -> bool:
    """What the browser itself says of where a request comes from; silence is no objection."""
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = request.headers.get("origin")
    return origin is None or origin.partition("://")[2] == request.headers.get("host")


def set_session(house: House, response: Response, token: str) -> None:
    response.set_cookie(
        COOKIE,
        token,
        max_age=int(house.settings.longest.total_seconds()),
        httponly=True,
        secure=house.settings.secure,
        samesite="lax",
        path="/",
    )


def _to_sign_in(request: Request) -> Response:
    if request.headers.get("hx-request") == "true":
        return Response(status_code=204, headers={"HX-Redirect": "/sign-in"})
    wanted = request.url.path if request.method == "GET" else "/"
    query = f"?{request.url.query}" if request.method == "GET" and request.url.query else ""
    return RedirectResponse(f"/sign-in?{urlencode({'next': wanted + query})}", 303)


def fault(
    house: House,
    request: Request,
    status: int,
    key: str,
    *,
    visit: Visit | None = None,
    detail: str = "",
    words: Mapping[str, object] | None = None,
) -> Response:
    """A page that says what happened and what to do; ``detail`` is memwarden's own sentence."""
    lang = language_of(request)
    context = {
        **base_words(house, request, lang),
        "status": status,
        "heading": say(lang, f"{key}.heading"),
        "advice": say(lang, f"{key}.advice", **(words or {})),
        "detail": detail,
    }
    if visit is not None:
        context |= {"visit": visit, "account": visit.account, "csrf": visit.session.csrf}
    html = house.templates.get_template("fault.html").render(context)
    return Page(html, status)


def http_fault(house: House) -> Callable[[Request, Exception], Response]:
    """The page for what no route answers."""

    def handler(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        key = {404: "refused.no_page", 405: "refused.method", 413: "refused.large"}.get(
            status, "refused.http"
        )
        found = signed_in(house, request)
        visit = Visit(house, request, found[0], found[1]) if found else None
        return fault(
            house, request, status, key, visit=visit, words={"name": HTTPStatus(status).phrase}
        )

    return handler


def _route(request: Request) -> str:
    route = request.scope.get("route")
    return str(getattr(route, "path", "?"))
