"""Talks to a server over HTTP, for the player at this terminal."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any, Final
from urllib.parse import urlsplit

from api.terminal.safe_text import clean, cleaned

SECONDS: Final = 40
"""An answer comes within this many seconds; the longest that a server lets a request wait is 30."""

MOST_BYTES: Final = 4_000_000


class Unreachable(Exception):
    """The server did not answer as it should; the message says why, for a person."""


class Declined(Exception):
    """The server has refused a request; the message is its own, `status` its HTTP status."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def asked(
    server: str,
    method: str,
    path: str,
    token: str | None,
    accept: str,
    body: bytes | None = None,
    most_bytes: int = MOST_BYTES,
) -> tuple[int, bytes]:
    """Ask a server; gives the status and at most so many bytes of the answer. Raises `Unreachable`."""
    try:
        address = urlsplit(server)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise Unreachable(f"{server} is not the address of a server; write it like http://127.0.0.1:8000.")
        kind = HTTPSConnection if address.scheme == "https" else HTTPConnection
        connection = kind(address.hostname, address.port, timeout=SECONDS)
        try:
            headers = {"Accept": accept} | ({"Authorization": f"Bearer {token}"} if token else {})
            if body is not None:
                headers["Content-Type"] = "application/json"
            connection.request(method, f"{address.path.rstrip('/')}{path}", body=body, headers=headers)
            response = connection.getresponse()
            return response.status, response.read(most_bytes)
        finally:
            connection.close()
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        # A status line that is none is quoted in the reason.
        raise Unreachable(clean(f"{server} cannot be reached: {reason}.")) from None


@contextmanager
def understood(server: str) -> Iterator[None]:
    """Make of an answer that turns out to have another shape than Dealt's, where it is read, an `Unreachable`."""
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise Unreachable(clean(f"{server} does not answer as Dealt does.")) from error


class Remote:
    """A remote is a server at an address, and the token by which it knows the player.

    Its answers are clean: no text in them speaks to the terminal.
    """

    def __init__(self, server: str, token: str | None = None) -> None:
        self.server, self.token = server.rstrip("/"), token

    def get(self, path: str) -> Any:
        """Give the answer to a GET below `/v1`. Raises `Declined` and `Unreachable`."""
        return self._asked("GET", path)

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Give the answer to a POST below `/v1`. Raises `Declined` and `Unreachable`."""
        return self._asked("POST", path, json.dumps(body).encode())

    def put(self, path: str, body: Mapping[str, Any]) -> Any:
        """Give the answer to a PUT below `/v1`. Raises `Declined` and `Unreachable`."""
        return self._asked("PUT", path, json.dumps(body).encode())

    def _asked(self, method: str, path: str, body: bytes | None = None) -> Any:
        status, text = asked(self.server, method, f"/v1{path}", self.token, "application/json", body)
        try:
            answer = cleaned(json.loads(text or b"null"))
        except (ValueError, RecursionError):
            raise Unreachable(f"{self.server} does not answer in JSON.") from None
        if status >= 400:
            said = answer.get("detail") or answer.get("title") if isinstance(answer, dict) else None
            raise Declined(status, str(said or f"The server answers {status}."))
        return answer
