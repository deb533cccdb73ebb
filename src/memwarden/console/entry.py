"""Signing in and out, and the two things a visitor may choose: language and colours."""

from __future__ import annotations

import hmac
import secrets
from math import ceil

import structlog
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from memwarden.console.door import fault, set_session, signed_in
from memwarden.console.house import COOKIE, GUEST, LANGUAGE, THEME, THEMES, House
from memwarden.console.moments import now
from memwarden.console.visit import Page, Visit, base_words, language_of, own_path
from memwarden.console.words import LANGUAGES, say

_log = structlog.get_logger("memwarden.console")
_YEAR = 31_536_000


def sign_in_page(house: House, request: Request, form: dict[str, str]) -> Response:  # noqa: ARG001
    """The form; somebody who is signed in goes on at once."""
    wanted = own_path(request.query_params.get("next", "/"))
    found = signed_in(house, request)
    if found is not None:
        response: Response = RedirectResponse(wanted, 303)
        if found[2]:
            set_session(house, response, found[2])
        return response
    return _form(house, request, wanted)


def sign_in(house: House, request: Request, form: dict[str, str]) -> Response:
    """Check the password, slowly, and never more often than the throttle lets."""
    if house.settings.header:
        return fault(house, request, 403, "refused.proxy")
    guest, shown = request.cookies.get(GUEST, ""), form.get("csrf", "")
    if not guest or not hmac.compare_digest(guest.encode(), shown.encode()):
        return fault(house, request, 403, "refused.csrf")
    name, wanted = form.get("name", "")[:64], own_path(form.get("next", "/"))
    address = request.client.host if request.client else ""
    wait = house.throttle.wait(name, address, now())
    if wait:
        minutes = ceil(wait.total_seconds() / 60)
        words = say(language_of(request), "sign_in.wait", minutes=minutes)
        return _form(house, request, wanted, status=429, name=name, complaint=words)
    account = house.accounts.check(name, form.get("password", ""))
    if account is None:
        house.throttle.failed(name, address, now())
        _log.warning("a sign-in failed", address=address)
        words = say(language_of(request), "sign_in.wrong")
        return _form(house, request, wanted, status=401, name=name, complaint=words)
    house.throttle.succeeded(name, address)
    token, _ = house.sessions.start(account, now())
    response = RedirectResponse(wanted, 303)
    set_session(house, response, token)
    response.delete_cookie(GUEST)
    return response


def _form(
    house: House,
    request: Request,
    wanted: str,
    *,
    status: int = 200,
    name: str = "",
    complaint: str = "",
) -> Response:
    guest = request.cookies.get(GUEST) or secrets.token_urlsafe(24)
    words = {
        **base_words(house, request, language_of(request)),
        "guest": guest,
        "next": wanted,
        "name": name,
        "complaint": complaint,
        "nobody": not house.settings.header and not house.accounts.names(),
    }
    response = Page(house.templates.get_template("sign_in.html").render(words), status)
    response.set_cookie(
        GUEST, guest, httponly=True, secure=house.settings.secure, samesite="strict", path="/"
    )
    return response


def sign_out(visit: Visit) -> Response:
    """End the session here, not only in the browser."""
    visit.house.sessions.end(visit.request.cookies.get(COOKIE, ""))
    response = RedirectResponse("/sign-in", 303)
    response.delete_cookie(COOKIE)
    return response


def choose(house: House, _: Request, form: dict[str, str]) -> Response:
    """Keep the language or the colours that were chosen, and go back to the page."""
    response = RedirectResponse(own_path(form.get("back", "/")), 303)
    for cookie, field, known in ((LANGUAGE, "language", LANGUAGES), (THEME, "theme", THEMES)):
        if form.get(field) in known:
            response.set_cookie(
                cookie, form[field], max_age=_YEAR, secure=house.settings.secure, samesite="lax"
            )
    return response
