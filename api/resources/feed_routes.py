"""Serves what waits for a player as an Atom feed and as a calendar, at addresses that only the player knows."""

from hashlib import sha256
from typing import Annotated, Final

from flask import Response

from api.http.app_state import app_state, public_address
from api.http.auth import require_player
from api.http.common_fields import NothingBody
from api.http.idempotency import IDEMPOTENCY_KEY, draw_bytes, idempotency_key, run_once
from api.http.openapi_operations import ETAG, REPLAYED, Answer, Body, Operation, Parameter, Reply, Timestamp, says, text
from api.http.problems import Problem
from api.http.request_parsing import load, read_body
from api.http.responses import IF_NONE_MATCH, answer_if_changed, json_answer, no_content
from domain.games.catalogue import GAMES
from events.ids import hash_secret, url_safe
from events.notify import feeds
from events.service import inbox, request_keys
from events.store.pending_records import InboxRow
from events.store.records import Remembered
from events.times import write_time

_GAME: Final = next(iter(GAMES.values()))
ATOM: Final = (
    "<?xml version='1.0' encoding='utf-8'?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">"
    "<id>urn:dealt:feed:3f2a9c51</id><title>Your turn</title>"
    "<updated>2026-11-21T10:00:00.000Z</updated><author><name>Dealt</name></author>"
    '<link rel="alternate" href="https://dealt.example/docs" /><entry>'
    "<id>urn:dealt:turn:8n9y4jktn4n1gzhahebf:0:1795255200000</id>"
    f"<title>{_GAME.words.title}: it is your turn</title><updated>2026-11-21T10:00:00.000Z</updated>"
    '<link rel="alternate" href="https://dealt.example/v1/matches/8n9y4jktn4n1gzhahebf" />'
    "<summary>It is your turn in seat 0. Your time ends at 2026-11-22T10:00:00.000Z.</summary></entry></feed>"
)
CALENDAR: Final = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Dealt//Deadlines//EN\r\nNAME:Your turns\r\n"
    "X-WR-CALNAME:Your turns\r\nREFRESH-INTERVAL;VALUE=DURATION:PT15M\r\n"
    "X-PUBLISHED-TTL:PT15M\r\nBEGIN:VTIMEZONE\r\nTZID:UTC\r\nBEGIN:STANDARD\r\n"
    "DTSTART:19700101T000000\r\nTZOFFSETFROM:+0000\r\nTZOFFSETTO:+0000\r\nEND:STANDARD\r\n"
    "END:VTIMEZONE\r\nBEGIN:VEVENT\r\nUID:8n9y4jktn4n1gzhahebf-0@dealt\r\n"
    "DTSTAMP:20261121T100000Z\r\nLAST-MODIFIED:20261121T100000Z\r\nSEQUENCE:21\r\n"
    f"DTSTART:20261122T100000Z\r\nSUMMARY:{_GAME.words.title}: your turn ends\r\n"
    "DESCRIPTION:It is your turn in seat 0.\r\n"
    "URL:https://dealt.example/v1/matches/8n9y4jktn4n1gzhahebf\r\nTRANSP:TRANSPARENT\r\n"
    "END:VEVENT\r\nEND:VCALENDAR\r\n"
)
"""Both show one turn, as examples. They are constants, so that no start imports the writers of feeds."""


SECRET: Final = Parameter("secret", "path", "The secret part of the address, known only to its owner.")


class FeedsAnswer(Answer):
    issued_at: Annotated[Timestamp | None, says("When the addresses were created; null if there are none.")]


class FeedAddressesAnswer(Answer):
    atom: Annotated[str, says("The address of the Atom feed with what waits for you.")]
    calendar: Annotated[str, says("The address of the calendar with your deadlines.")]


KEPT: Final = {"Cache-Control": "private, max-age=60", "Vary": "Accept"}
"""A reader may keep an answer for this many seconds, so that frequent requests cost little."""


@Operation(
    tag="notifications",
    searches=("rss", "calendar subscription"),
    parameters=(IDEMPOTENCY_KEY,),
    body=Body(NothingBody, required=False),
    replies={201: Reply("The addresses, shown only this once.", FeedAddressesAnswer, headers=(REPLAYED,))},
    refuses=("not_found",),
)
def issue_feeds() -> Response:
    """Create feeds.

    Anyone who knows the addresses can see what waits for you, but no cards. Earlier addresses no longer work.
    """
    player, given = require_player().player_id, read_body(optional=True)
    asked = idempotency_key(given)

    def do() -> Response:
        load(NothingBody, given)
        secret = url_safe(draw_bytes("feed", asked)[:24])
        feeds.issue(app_state().store, player, hash_secret(secret), app_state().context.now())
        request_keys.remember_key(app_state().context, asked)
        return _addresses(secret)

    def repeat_answer(_: Remembered) -> Response:
        secret = url_safe(draw_bytes("feed", asked)[:24])
        if feeds.player_of_feed(app_state().store, hash_secret(secret)) != player:
            # The address was replaced or revoked since.
            raise Problem("not_found")
        return _addresses(secret)

    return run_once(asked, do, repeat_answer)


def _addresses(secret: str) -> Response:
    base = f"{public_address()}/v1/feeds/{secret}/turns"
    return json_answer(FeedAddressesAnswer(f"{base}.atom", f"{base}.ics"), 201)


@Operation(
    tag="notifications",
    searches=("my feeds", "feed status"),
    replies={200: Reply("When the addresses were created.", FeedsAnswer)},
)
def get_feeds() -> Response:
    """Get feeds.

    The addresses are not stored; if you lose them, create new ones.
    """
    found = feeds.feed_secret_of(app_state().store, require_player().player_id)
    return json_answer(FeedsAnswer(None if found is None else write_time(found[1])))


@Operation(
    tag="notifications",
    searches=("delete feeds", "stop feeds"),
    replies={204: Reply("Revoked.")},
)
def revoke_feeds() -> Response:
    """Revoke feeds.

    Both addresses then return 404. You can create new ones at any time.
    """
    feeds.revoke(app_state().store, require_player().player_id)
    return no_content()


@Operation(
    tag="notifications",
    searches=("atom", "feed reader"),
    access="public",
    parameters=(SECRET, IF_NONE_MATCH),
    replies={
        200: Reply("Your turns as an Atom feed.", {"application/atom+xml": text(ATOM)}, headers=(ETAG,)),
        304: Reply("Your copy is current.", headers=(ETAG,)),
    },
    refuses=("not_found",),
    any_form=True,
)
def get_atom(secret: str) -> Response:
    """Get the Atom feed.

    For feed readers, which send no token: the address is the secret. Has an entry for each match that waits for you,
    and shows no cards.
    """
    from api.resources import atom  # noqa: PLC0415 -- few read feeds, and every start would wait for it

    player = _player_of_feed(secret)
    document = atom.write_feed(_mark(player), _turns(player), public_address(), _feed_created_ms(player))
    return _cacheable_answer(document, "application/atom+xml")


@Operation(
    tag="notifications",
    searches=("calendar", "ical"),
    access="public",
    parameters=(SECRET, IF_NONE_MATCH),
    replies={
        200: Reply("Your deadlines as a calendar.", {"text/calendar": text(CALENDAR)}, headers=(ETAG,)),
        304: Reply("Your copy is current.", headers=(ETAG,)),
    },
    refuses=("not_found",),
    any_form=True,
)
def get_calendar(secret: str) -> Response:
    """Get the calendar.

    For calendar programs, which send no token: the address is the secret. Has an event for each of your deadlines.
    """
    from api.resources import ical  # noqa: PLC0415 -- as above

    turns = _turns(_player_of_feed(secret))
    return _cacheable_answer(
        ical.write_calendar(turns, inbox.last_written(app_state().context, turns), public_address()), "text/calendar"
    )


def _player_of_feed(secret: str) -> str:
    player = feeds.player_of_feed(app_state().store, hash_secret(secret))
    if player is None:
        raise Problem("not_found")
    return player


def _turns(player: str) -> list[InboxRow]:
    turns = [turn for turn in inbox.waiting_turns(app_state().context, player) if not turn.asked]
    return sorted(turns, key=lambda turn: (turn.since_ms, turn.match_no, turn.seat))


def _feed_created_ms(player: str) -> int:
    found = feeds.feed_secret_of(app_state().store, player)
    return found[1] if found else 0


def _mark(player: str) -> str:
    """Return an id for a player's feed that reveals neither the player nor its address."""
    return sha256(f"feed|{player}".encode()).hexdigest()[:32]


def _cacheable_answer(document: bytes, form: str) -> Response:
    made = Response(document, headers=KEPT, content_type=f"{form}; charset=utf-8")
    response = answer_if_changed(made, sha256(document).hexdigest()[:32])
    response.headers.update(KEPT)
    return response
