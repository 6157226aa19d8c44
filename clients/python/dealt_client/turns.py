"""Find the matches that wait for you. The loops send nothing: they yield calls and get the answers."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import httpx

from dealt_client.calls import Call, content_of, path_part

if TYPE_CHECKING:
    from dealt_client.models import LegalMove, LegalMoves

WAIT = 30
"""Seconds for which the server holds a request until something changes."""

NOT_OVER = ("lobby", "playing")


@dataclass(frozen=True)
class Waiting:
    """A match that waits for your move."""

    match_id: str
    game: str
    offer: LegalMoves
    """Your legal moves, as `list_moves` returns them."""

    @property
    def moves(self) -> list[LegalMove]:
        """The moves that you must choose from. The `example` of each can be played unchanged."""
        return self.offer["moves"]


Loop: TypeAlias = "Generator[Call | Waiting, httpx.Response | None, None]"


def loop_over(match_id: str | None) -> Loop:
    """Yield the turns of one match until it is over, or of all matches without an end."""
    return _all_turns() if match_id is None else _turns_of(match_id)


def _turns_of(match_id: str) -> Loop:
    etag = None
    while True:
        call = _look(match_id, wait=WAIT, etag=etag)
        response = yield call
        assert response is not None
        if response.status_code == 304:
            continue
        match, etag = content_of(response), response.headers["ETag"]
        if match["status"] not in NOT_OVER:
            return
        yield from _offered(match_id, match)


def _all_turns() -> Loop:
    etag = None
    while True:
        response = yield Call("GET", "/v1/inbox", {"wait": WAIT}, {"If-None-Match": etag})
        assert response is not None
        if response.status_code == 304:
            continue
        inbox, etag = content_of(response), response.headers["ETag"]
        for match_id in {item["match"]: None for item in inbox["items"] if item["kind"] == "turn"}:
            looked = yield _look(match_id)
            assert looked is not None
            yield from _offered(match_id, content_of(looked))


def _look(match_id: str, *, wait: int | None = None, etag: str | None = None) -> Call:
    """Ask for a match's status and your legal moves, in one request."""
    query = {"fields": "game,status,offer", "wait": wait}
    return Call("GET", f"/v1/matches/{path_part(match_id)}", query, {"If-None-Match": etag})


def _offered(match_id: str, match: dict[str, object]) -> Loop:
    offer: LegalMoves | None = match["offer"]  # type: ignore[assignment]
    if offer is not None and offer["moves"]:
        yield Waiting(match_id, str(match["game"]), offer)
