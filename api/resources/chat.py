"""The chat of a table: its players talk, and its creator may listen. None of it is in the events of the match."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from flask import Blueprint, Response, request
from msgspec import json

from api.http.auth import me, seated, still
from api.http.bodies import body, load, query
from api.http.context import Here, here
from api.http.idempotency import key, once
from api.http.present import FOR_THE_CALLER, JSON, answer, nothing, raw
from api.http.problems import Problem
from api.http.schemas import PAGE, ChatQuery, NewMessage
from api.http.waiting import preferred, waiting
from api.resources.events import HEARTBEAT_SECONDS, SSE, last_event_id
from domain.core.game import Refused
from events.errors import NotFound, Unavailable
from events.ids import is_id
from events.service.access import Caller
from events.service.views import Seen
from events.store.records import Remembered
from events.talk import messages as talk
from events.talk.messages import Message, TooFast
from events.times import write_time

bp = Blueprint("chat", __name__, url_prefix="/v1/matches/<match_id>/chat")

FORMS: Final = (JSON, SSE)


@bp.get("")
def index(match_id: str) -> Response:
    """Give the messages that have changed since, or a stream of them."""
    who = seated()
    seen = here().matches.see(match_id, who)
    asked = query(ChatQuery())
    after, seconds = asked["after"], waiting(asked)
    _check_reader(seen)
    if request.accept_mimetypes.best_match(FORMS) == SSE:
        return _stream(seen, who, last_event_id(after))
    known = _changes(here(), seen)
    found = talk.changed(here().store, seen.match_no, after, asked["limit"])
    if seconds and not found and _closed(here(), seen) is None:
        with here().watch.place():
            here().watch.chat(seen.match_no, known, seconds)
        still()()
        _check_reader(here().matches.see(match_id, who))
        known = _changes(here(), seen)
        found = talk.changed(here().store, seen.match_no, after, asked["limit"])
    reached = found[-1].change if found else min(after, known)
    return preferred(answer({"items": _shown(here(), found), "next": reached}))


@bp.post("")
def say(match_id: str) -> Response:
    """Write a message."""
    given = body()
    asked = key(given)
    who, player = seated(), me().player_id
    seen = here().matches.see(match_id, who)

    def do() -> Response:
        text = load(NewMessage(), given)["text"]
        if not seen.seats and seen.imported is None:
            raise Refused("not_seated")
        if closed := _closed(here(), seen) or _silent(seen):
            raise Problem("chat_closed", closed)
        now = here().matches.now()
        try:
            said = talk.say(here().store, seen.match_no, seen.seats[0], player, text, now, asked)
        except TooFast as error:
            headers = {"Retry-After": str(error.seconds)}
            raise Problem("too_many_requests", _TOO_FAST, headers=headers) from None
        here().watch.hurry()
        return _said(said)

    def again(done: Remembered) -> Response:
        said = talk.message(here().store, seen.match_no, done.first or 0)
        assert said is not None
        return _said(said)

    return once(asked, do, again)


@bp.delete("/<int:no>")
def unsay(match_id: str, no: int) -> Response:
    """Delete a message: of one's own, also where one may read no longer; as the creator of the match, any."""
    who, player = seated(), me().player_id
    head = here().store.head(match_id) if is_id(match_id) else None
    found = talk.message(here().store, head.match_no, no) if head else None
    if found is None or found.player_id != player:
        seen = here().matches.see(match_id, who)
        _check_reader(seen)
        if found is None:
            raise Problem("not_found", "No message here has this number.")
        if not seen.creator:
            raise Problem(
                "forbidden", "Only who wrote a message, or the creator of the match, may delete it."
            )
    assert head is not None
    talk.unsay_one(here().store, head.match_no, no, player, here().matches.now())
    here().watch.hurry()
    return nothing()


# --- Who may read, and write ------------------------------------------------------------------------------


_TOO_FAST: Final = (
    f"A player may write {talk.MOST_A_MINUTE} messages a minute here; wait as long as `Retry-After` says."
)


def _check_reader(seen: Seen) -> None:
    """Refuse all but players of the match and its creator; of one played elsewhere there is nothing to hide."""
    if not seen.seats and not seen.creator and seen.imported is None:
        raise Problem("not_seated", "Only the players at a table, and who created it, read its chat.")


def _silent(seen: Seen) -> str | None:
    """Say why nobody may write as the match stands."""
    if talk.chat_allowed(seen.match):
        return None
    return "Partners may not talk while a match in teams is played; the table can talk again when it is over."


def _closed(at: Here, seen: Seen) -> str | None:
    """Say why nobody will ever write here again."""
    if seen.imported is not None:
        return "This match was played on another server; nobody talks here."
    row = at.store.match_row(seen.match_no) if seen.match.over else None
    if row and row.ended_ms is not None and at.matches.now() >= row.ended_ms + talk.OPEN_MS:
        return "The match has been over for 30 days; what was said can still be read, and deleted."
    return None


# --- What is answered -------------------------------------------------------------------------------------


def _changes(at: Here, seen: Seen) -> int:
    return talk.changes(at.store, [seen.match_no]).get(seen.match_no, 0)


def _said(said: Message) -> Response:
    return raw(json.encode(_shown(here(), [said])[0]), 201)


def _shown(at: Here, found: list[Message]) -> list[dict[str, Any]]:
    ids = {player for m in found for player in (m.player_id, m.deleted_by) if player is not None}
    names = at.store.players(ids)

    def person(player: str | None) -> dict[str, Any] | None:
        return None if player is None else {"id": player, "name": names.get(player)}

    return [
        {
            "no": m.no,
            "change": m.change,
            "seat": m.seat,
            "player": person(m.player_id),
            "at": write_time(m.at_ms),
            "text": m.text,
            "deleted": None
            if m.deleted_ms is None
            else {"at": write_time(m.deleted_ms), "by": person(m.deleted_by)},
        }
        for m in found
    ]


def _stream(seen: Seen, who: Caller, after: int) -> Response:
    """Stream what has changed and what will; once nobody writes any longer a client's reconnecting ends (204)."""
    if _closed(here(), seen) is not None and after >= _changes(here(), seen):
        return nothing()
    watch = here().watch
    watch.enter()
    response = Response(
        _news(here(), seen, who, still(), after), headers=FOR_THE_CALLER, content_type=f"{SSE}; charset=utf-8"
    )
    response.headers["X-Accel-Buffering"] = "no"
    response.call_on_close(watch.leave)
    return response


def _news(at: Here, seen: Seen, who: Caller, check: Callable[[], None], after: int) -> Iterator[bytes]:
    yield b": the messages of a table\n\n"
    try:
        while True:
            seen = at.matches.see(seen.match_id, who)
            _check_reader(seen)
            known = _changes(at, seen)
            found = talk.changed(at.store, seen.match_no, after, PAGE)
            for said in _shown(at, found):
                after = said["change"]
                yield f"id: {after}\nevent: message\ndata: ".encode() + json.encode(said) + b"\n\n"
            if found:
                continue
            if _closed(at, seen) is not None:
                return
            heard = at.watch.chat(seen.match_no, known, HEARTBEAT_SECONDS)
            if at.watch.closed:
                return
            check()
            if not heard:
                yield b": still here\n\n"
    except (Unavailable, NotFound, Problem):
        return  # the client comes back by itself, with the last id it saw; if it may still read
