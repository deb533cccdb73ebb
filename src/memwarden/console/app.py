"""The console as an ASGI application: which address shows what."""

from __future__ import annotations

from importlib.resources import files

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from memwarden.console import (
    bulk,
    entry,
    item,
    ledger_pages,
    memory_pages,
    overview,
    policy_pages,
    queue,
    verdicts,
)
from memwarden.console.door import MAX_BODY, View, http_fault, open_page, page
from memwarden.console.house import House
from memwarden.console.running import lifespan
from memwarden.console.settings import Settings
from memwarden.console.shield import Shield
from memwarden.warden import Warden


def build(warden: Warden, settings: Settings) -> Starlette:
    """The application over an open warden; who builds it closes the warden."""
    house = House.over(warden, settings)
    app = Starlette(
        routes=_routes(house),
        middleware=[
            Middleware(Shield, secure=settings.secure),
            Middleware(
                TrustedHostMiddleware, allowed_hosts=list(settings.hosts), www_redirect=False
            ),
        ],
        exception_handlers={HTTPException: http_fault(house)},
        lifespan=lifespan(house),
        max_body_size=MAX_BODY,
    )
    app.state.house = house
    return app


def _routes(house: House) -> list[BaseRoute]:
    def get(path: str, view: View) -> Route:
        return Route(path, page(house, view), methods=["GET"])

    def post(path: str, view: View) -> Route:
        return Route(path, page(house, view), methods=["POST"])

    return [
        Mount("/static", StaticFiles(directory=str(files("memwarden.console") / "static"))),
        Route("/sign-in", open_page(house, entry.sign_in_page), methods=["GET"]),
        Route("/sign-in", open_page(house, entry.sign_in), methods=["POST"]),
        Route("/choose", open_page(house, entry.choose), methods=["POST"]),
        post("/sign-out", entry.sign_out),
        get("/", queue.queue_page),
        get("/news", queue.news),
        get("/overview", overview.overview_page),
        get("/bulk", bulk.bulk_page),
        post("/bulk", bulk.bulk),
        get("/memories", memory_pages.memories_page),
        post("/memories", memory_pages.look),
        post("/memories/delete", memory_pages.delete),
        post("/memories/export", memory_pages.export),
        get("/policy", policy_pages.policy_page),
        post("/policy/try", policy_pages.try_text),
        post("/policy/compare", policy_pages.compare),
        post("/policy/reload", policy_pages.reload),
        get("/ledger", ledger_pages.ledger_page),
        get("/ledger/check", ledger_pages.check_state),
        post("/ledger/check", ledger_pages.check),
        get("/ledger/growth", ledger_pages.growth),
        get("/decisions/{tenant}/{decision}", ledger_pages.story_page),
        get("/decisions/{tenant}/{decision}/proof", ledger_pages.proof_file),
        get("/items/{item}", item.item_page),
        get("/items/{item}/changed", item.changed),
        get("/items/{item}/reveal", item.reveal_form),
        post("/items/{item}/reveal", item.reveal),
        post("/items/{item}/claim", verdicts.claim),
        get("/items/{item}/{move}", verdicts.verdict_form),
        post("/items/{item}/{move}", verdicts.verdict),
    ]
