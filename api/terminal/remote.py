"""Talks to a server over HTTP, for the player at this terminal."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeVar
from urllib.parse import urlsplit

from api.safe_text import clean_json, remove_controls

SECONDS: Final = 40
"""An answer comes within this many seconds; the longest that a server lets a request wait is 30."""

MOST_BYTES: Final = 4_000_000

MOST_OF_A_REASON: Final = 120
"""Maximum number of letters quoted from an answer that could not be read."""


Read = TypeVar("Read")


class Unreachable(Exception):
    """The server's answer was missing or wrong; the message gives the reason."""


class Declined(Exception):
    """The server has refused a request; the message is its own, `status` its HTTP status."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Query(NamedTuple):
    """A request: a method and a path, the accepted media types, the body, and other headers."""

    method: str
    path: str
    accept: str
    body: bytes | None = None
    invite: str | None = None
    headers: Mapping[str, str] = MappingProxyType({})


def request_server(server: str, token: str | None, query: Query, most_bytes: int = MOST_BYTES) -> tuple[int, bytes]:
    """Send a request to a server; return the status and at most `most` bytes of the answer. Raise `Unreachable`."""
    try:
        address = urlsplit(server)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise Unreachable(f"{server} is not the address of a server; write it like http://127.0.0.1:8000.")
        kind = HTTPSConnection if address.scheme == "https" else HTTPConnection
        connection = kind(address.hostname, address.port, timeout=SECONDS)
        try:
            headers = {**query.headers, "Accept": query.accept} | (
                {"Authorization": f"Bearer {token}"} if token else {}
            )
            if query.invite:
                headers["Dealt-Invite"] = query.invite
            if query.body is not None:
                headers["Content-Type"] = "application/json"
            path = f"{address.path.rstrip('/')}{query.path}"
            connection.request(query.method, path, body=query.body, headers=headers)
            response = connection.getresponse()
            return response.status, response.read(most_bytes)
        finally:
            connection.close()
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        # The reason quotes an invalid status line.
        raise Unreachable(remove_controls(f"{server} cannot be reached: {reason}.")) from None


@contextmanager
def blame_server_for_bad_answers(server: str) -> Iterator[None]:
    """Raise `Unreachable` if an answer read in this block does not have the shape of Dealt's answers.

    Put nothing else inside: every error in it is reported as the server's fault.
    """
    try:
        yield
    except UnicodeError:  # The error comes from sending, not from the answer.
        raise
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        what = remove_controls(f"{type(error).__name__}: {error}")[:MOST_OF_A_REASON]
        raise Unreachable(
            remove_controls(f"{server} is not a Dealt server, or has another version ({what}).")
        ) from error


class Remote:
    """A server at an address, with the player's token.

    Its answers are clean: their texts have no control characters and a bounded length. The given function reads each
    answer; `Unreachable` is raised if it fails.
    """

    def __init__(self, server: str, token: str | None = None) -> None:
        self.server, self.token = server.rstrip("/"), token

    def get(
        self,
        path: str,
        read: Callable[[Any], Read],
        invite: str | None = None,
        check: Callable[[Any], None] | None = None,
    ) -> Read:
        """Return the answer to a GET below `/v1`. Raise `Declined` and `Unreachable`.

        `invite` is an invite code, whose holder may read a lobby. `check` gets the answer as sent, before it is
        cleaned.
        """
        return self._read(read, self._asked("GET", path, invite=invite, check=check))

    def post(
        self,
        path: str,
        body: Mapping[str, Any],
        read: Callable[[Any], Read],
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> Read:
        """Return the answer to a POST below `/v1`. Raise `Declined` and `Unreachable`."""
        return self._read(read, self._asked("POST", path, json.dumps(body).encode(), headers=headers))

    def put(self, path: str, body: Mapping[str, Any], read: Callable[[Any], Read]) -> Read:
        """Return the answer to a PUT below `/v1`. Raise `Declined` and `Unreachable`."""
        return self._read(read, self._asked("PUT", path, json.dumps(body).encode()))

    def _read(self, read: Callable[[Any], Read], said: Any) -> Read:
        with blame_server_for_bad_answers(self.server):
            return read(said)

    def _asked(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        invite: str | None = None,
        check: Callable[[Any], None] | None = None,
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> Any:
        status, text = request_server(
            self.server, self.token, Query(method, f"/v1{path}", "application/json", body, invite, headers)
        )
        try:
            sent = json.loads(text or b"null")
            answer = clean_json(sent)
        except (ValueError, RecursionError):
            raise Unreachable(f"The answer of {self.server} is not JSON.") from None
        if status >= 400:
            raise Declined(status, _reason(answer) or f"The server answers {status}.")
        if check is not None:
            self._read(check, sent)
        return answer


def _reason(answer: Any) -> str:
    """Return the server's reason for a refusal: the faults by field, or else its sentence; empty without either."""
    if not isinstance(answer, dict):
        return ""
    errors = answer.get("errors")
    wrong = [
        f"{field}: {text}"
        for field, texts in (errors.items() if isinstance(errors, dict) else ())
        for text in (texts if isinstance(texts, list) else ())
        if isinstance(text, str)
    ]
    return " ".join(wrong) or str(answer.get("detail") or answer.get("title") or "")
