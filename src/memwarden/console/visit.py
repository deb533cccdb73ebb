"""One request as the pages see it: who asks, in which language, and what they may see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from memwarden.console.accounts import Account, Role
from memwarden.console.faces import helpers
from memwarden.console.house import LANGUAGE, THEME, THEMES, House
from memwarden.console.sessions import Note, Session
from memwarden.console.words import LANGUAGES, say, wished
from memwarden.ledger import claimed
from memwarden.review import Item


class Refused(Exception):
    """A page that is not shown: an HTTP status and the catalogue key that says why."""

    def __init__(self, status: int, key: str, **words: object) -> None:
        super().__init__(key)
        self.status, self.key, self.words = status, key, words


class Page(HTMLResponse):
    """HTML that may hold whatever a memory holds: half a surrogate pair is spelled, not sent."""

    def render(self, content: str) -> bytes:
        return content.encode("utf-8", "backslashreplace")


_LONGEST_NEXT: Final = 512


@dataclass(frozen=True)
class Visit:
    """``form`` holds the fields of a POST, each once; ``rows`` those that may come repeatedly."""

    house: House
    request: Request
    account: Account
    session: Session = field(repr=False)
    form: Mapping[str, str] = field(default_factory=dict, repr=False)
    rows: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)

    @cached_property
    def lang(self) -> str:
        return language_of(self.request)

    @property
    def name(self) -> str:
        """Who acts; the ledger keeps a keyed digest of it."""
        return self.account.name

    @property
    def partial(self) -> bool:
        """Whether htmx asks for a piece of a page."""
        return self.request.headers.get("hx-request") == "true"

    def query(self, name: str) -> str:
        return self.request.query_params.get(name, "")

    def path(self, name: str) -> str:
        return str(self.request.path_params[name])

    def say(self, key: str, **words: object) -> str:
        return say(self.lang, key, **words)

    # -- what this account may see ---------------------------------------------------------------

    @cached_property
    def tenants(self) -> tuple[str, ...]:
        """The tenants that the account may see, by exact name: of policies, and of the ledger."""
        warden = self.house.warden
        with warden.books.database.read() as conn:
            known = {*warden.chain.tenants, *claimed(conn)}
        return tuple(sorted(name for name in known if self.account.role(name) is not None))

    def may(self, tenant: str, role: Role) -> bool:
        given = self.account.role(tenant)
        return given is not None and given >= role

    def tenant(self, name: str, role: Role = Role.VIEWER) -> str:
        """The tenant, or a refusal: unknown ones and those of others look the same."""
        if name not in self.tenants:
            raise Refused(404, "refused.no_tenant")
        if not self.may(name, role):
            raise Refused(403, "refused.role", role=self.say(f"role.{role.label}"))
        return name

    def chosen(self) -> str:
        """The tenant named in the address, or the first one the account may see."""
        named = self.query("tenant")
        if named:
            return self.tenant(named)
        if not self.tenants:
            raise Refused(404, "refused.no_tenants")
        return self.tenants[0]

    def item_for(self, item: Item, role: Role) -> Item:
        """The item, if its tenant is this account's."""
        if self.account.role(item.tenant) is None:
            raise Refused(404, "refused.no_item")
        if not self.may(item.tenant, role):
            raise Refused(403, "refused.role", role=self.say(f"role.{role.label}"))
        return item

    # -- answers ---------------------------------------------------------------------------------

    def page(self, template: str, status: int = 200, **words: object) -> Response:
        """A template with what every page needs."""
        notes = list(self.session.notes)
        if not self.partial:
            self.session.notes.clear()
        context = {
            **base_words(self.house, self.request, self.lang),
            "visit": self,
            "account": self.account,
            "csrf": self.session.csrf,
            "notes": notes,
            **words,
        }
        return Page(self.house.templates.get_template(template).render(context), status)

    def go(self, path: str, **query: str) -> Response:
        """On to another page after something was done."""
        kept = {key: value for key, value in query.items() if value}
        address = f"{path}?{urlencode(kept)}" if kept else path
        if self.partial:
            return Response(status_code=204, headers={"HX-Redirect": address})
        return RedirectResponse(address, 303)

    def note(self, key: str, *, undo: str = "", good: bool = True, **words: str) -> None:
        """Tell something on the next page."""
        self.session.notes.append(Note(key, words, undo, good))


def language_of(request: Request) -> str:
    """The language that was chosen, or else the browser's."""
    chosen = request.cookies.get(LANGUAGE, "")
    return chosen if chosen in LANGUAGES else wished(request.headers.get("accept-language", ""))


def base_words(house: House, request: Request, lang: str) -> dict[str, object]:
    """What templates need even where nobody is signed in."""
    theme = request.cookies.get(THEME, "")
    here = request.url.path
    return {
        "t": partial(say, lang),
        "lang": lang,
        "html_lang": "zh-CN" if lang == "zh" else "en",
        "theme": theme if theme in THEMES else "auto",
        "here": here,
        "back_here": f"{here}?{request.url.query}" if request.url.query else here,
        "csrf": "",
        "account": None,
        "notes": [],
        "by_proxy": bool(house.settings.header),
        **helpers(lang),
    }


def own_path(wanted: str, otherwise: str = "/") -> str:
    """Where to go next, if it lies in this console: a path, never another host."""
    fine = (
        wanted.startswith("/")
        and not wanted.startswith(("//", "/\\"))
        and len(wanted) <= _LONGEST_NEXT
        and all(sign.isprintable() and sign != "\\" for sign in wanted)
    )
    return wanted if fine else otherwise
