"""The review console: the desk, the ledger and the policies as web pages for people.

``build(warden, settings)`` gives an ASGI application over a warden that is already open. It
decides nothing by itself: every page calls what the library and the command line call.
"""

from memwarden.console.app import build
from memwarden.console.settings import Settings

__all__ = ["Settings", "build"]
