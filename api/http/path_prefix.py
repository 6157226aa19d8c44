"""Serves the app below a path, as in `https://example.org/cards`, whether or not a proxy takes the path away."""

import re
from collections.abc import Callable, Iterable
from typing import Any, Final
from urllib.parse import urlsplit

from flask import current_app, request

Wsgi = Callable[[dict[str, Any], Any], Iterable[bytes]]


def prefix_of(public_url: str) -> str:
    """Return the path of the public address, without a slash at its end, or an empty text."""
    return urlsplit(public_url).path.rstrip("/")


def without_prefix(path: str, prefix: str) -> str:
    """Return the path without the prefix, if it begins with it."""
    rest = path.removeprefix(prefix)
    return rest or "/" if rest[:1] in ("", "/") else path


_PATH: Final = re.compile(r"(/(?!\.+(/|$))[\w.~-]+)*", re.ASCII)


class PrefixedApp:
    """Serves another WSGI app below a path, with links and requests."""

    def __init__(self, app: Wsgi, prefix: str) -> None:
        self._app: Final = app
        self._prefix: Final = prefix

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        # A proxy that sets no prefix passes on its client's header: a value that is not a path could lead to another
        # host.
        environ["SCRIPT_NAME"] = environ["SCRIPT_NAME"].rstrip("/")
        if not _PATH.fullmatch(environ["SCRIPT_NAME"]):
            environ["SCRIPT_NAME"] = ""
        # A request that waited comes here a second time; a trusted proxy's header takes precedence over the settings.
        if not environ["SCRIPT_NAME"]:
            environ["SCRIPT_NAME"] = self._prefix
            environ["PATH_INFO"] = without_prefix(environ["PATH_INFO"], self._prefix)
        return self._app(environ, start_response)


def client_link(path: str) -> str:
    """Return the address of a path of the app, as the client of the current request must call it."""
    return f"{request.script_root}{path}"


PUBLIC_ADDRESS: Final = "PUBLIC_ADDRESS"
"""The key, in the app's configuration, of its public address without a slash at its end; empty without one."""


def public_link(path: str) -> str:
    """Return the address of a path of the app in answers: the public one, if there is one (contract 2.1)."""
    public: str = current_app.config.get(PUBLIC_ADDRESS, "")
    return f"{public}{path}" if public else client_link(path)
