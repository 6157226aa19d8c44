"""The players for whom the tools act, and their requests to the Dealt server."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from threading import Lock
from types import MappingProxyType
from typing import Any, Final, TypeVar
from uuid import uuid4

from mcp.server.mcpserver.exceptions import ToolError

from api.terminal.remote import Declined, Query, Remote, Unreachable, request_server

Read = TypeVar("Read")

PAUSES: Final = (0.3, 1.0, 3.0)
"""Seconds before each repetition of a request without an answer."""

OUTDATED: Final = "The match went on since your choices were listed. Call show_table again."
"""The reason for a refused choice, instead of the server's, which names the header of a request."""


@contextmanager
def refusals_for_the_model() -> Iterator[None]:
    """Raise refusals as errors of the tool, with the server's sentence."""
    try:
        yield
    except (Declined, Unreachable) as error:
        is_outdated = isinstance(error, Declined) and error.status == HTTPStatus.PRECONDITION_FAILED
        raise ToolError(OUTDATED if is_outdated else str(error)) from error


class Players:
    """The players of the given tokens, by handle. They are looked up on first use, not at the start."""

    def __init__(self, server: str, tokens: Sequence[str]) -> None:
        self.server: Final = server.rstrip("/")
        self._tokens: Final = tuple(tokens)
        self._remotes: dict[str, Remote] = {}
        self._lock: Final = Lock()

    @property
    def handles(self) -> list[str]:
        """Return the handles of all players."""
        with self._lock:
            if not self._remotes:
                self._remotes = dict(map(self._signed_in, self._tokens))
            return list(self._remotes)

    def _signed_in(self, token: str) -> tuple[str, Remote]:
        remote = Remote(self.server, token)
        with refusals_for_the_model():
            return remote.get("/players/me", lambda me: str(me["handle"])), remote

    def named(self, player: str | None) -> str:
        """Return the handle of the player that a tool was called for; it can be omitted if there is only one."""
        handles = self.handles
        if player in handles:
            return str(player)
        if player is None and len(handles) == 1:
            return handles[0]
        raise ToolError(f"`player` must be one of: {', '.join(handles)}.")

    def get(self, player: str, path: str, invite: str | None = None) -> Any:
        """Return the answer to a GET of a player."""
        with refusals_for_the_model():
            return self._remotes[player].get(path, _unchanged, invite)

    def post(self, player: str, path: str, body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> Any:
        """Return the answer to a POST of a player. All attempts have the same key, so the server does it only once."""
        keyed = MappingProxyType({**(headers or {}), "Idempotency-Key": uuid4().hex})
        return _repeated(lambda: self._remotes[player].post(path, body, _unchanged, keyed))

    def put(self, player: str, path: str, body: Mapping[str, Any]) -> Any:
        """Return the answer to a PUT of a player, which can be repeated."""
        return _repeated(lambda: self._remotes[player].put(path, body, _unchanged))

    def token(self, player: str) -> str | None:
        """Return the token of a player."""
        return self._remotes[player].token

    def read_text(self, path: str, kind: str) -> str:
        """Return a public text of the server, such as a guide."""
        with refusals_for_the_model():
            status, text = request_server(self.server, None, Query("GET", path, kind))
        if status != 200:
            raise ToolError(f"{path}: the server answered {status}.")
        return text.decode("utf-8", "replace")


def _unchanged(answer: Any) -> Any:
    return answer


def _repeated(send: Callable[[], Read]) -> Read:
    """Send a request again if no answer arrives."""
    with refusals_for_the_model():
        for pause in PAUSES:
            try:
                return send()
            except Unreachable:
                time.sleep(pause)
        return send()
