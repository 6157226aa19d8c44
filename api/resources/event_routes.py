"""Serves the feed of a match: as pages, as one long text, as a stream, or by waiting for news."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from textwrap import fill
from typing import Annotated, Any, Final, Literal

from flask import Response, request
from msgspec import UNSET, UnsetType, json

from api.http import long_polling, responses
from api.http.app_state import app_state
from api.http.auth import INVITE, request_caller
from api.http.common_fields import LARGEST, SeatQuery
from api.http.compression import compress
from api.http.feed_stream import LAST_EVENT_ID, Feed, check_reached, last_event_id, stream_feed
from api.http.openapi_operations import (
    ETAG,
    JSON,
    MATCH_ID,
    NOT_MODIFIED,
    PREFERENCE_APPLIED,
    UNBUFFERED,
    Answer,
    Count,
    Digest,
    Operation,
    Ordinal,
    Reply,
    Timestamp,
    says,
    text,
)
from api.http.rate_limits import charge_for_events
from api.http.request_parsing import read_query
from api.http.signed_answers import SignedHeadAnswer, add_signed_head, sign_seen_head
from api.http.sparse_fields import fields_of_answer, select_fields, select_fields_of_lines
from api.resources.seat_answer import SeatAnswer, seat_answers
from domain.core.options import Omissible, Range
from events.proof.keys import KeyRing
from events.service import replay, views
from events.service.context import Context
from events.service.views import Seen
from events.times import write_time

NDJSON: Final = "application/x-ndjson"
PLAIN: Final = "text/plain"
FORMS: Final = (JSON, NDJSON, long_polling.SSE, PLAIN)
WRITTEN_PER_REQUEST: Final = 10
"""The number of events whose writing takes about as long as a request."""

LONGEST_PAGE: Final = 1_000
"""Maximum events of a page."""


Cause = Literal["move", "bot", "timeout", "auto", "operator"]
OfParts = Mapping[str, Mapping[str, Digest]]
Seals = Annotated[OfParts, says("For each secret field and reader, the seal.")]
Keys = Annotated[OfParts | UnsetType, says("The keys of the seals that you may open.")]
Disclosed = Annotated[
    Mapping[str, Mapping[str, Any]] | UnsetType,
    says("Secrets that a later event disclosed: the value of each field for each of its readers."),
]


class EventAnswer(Answer):
    """An event says what has happened, with the fields that you may see.

    `docs/proof.md` says how seals and digests are checked.
    """

    v: Annotated[int, says("The version of the event's own schema.")]
    seq: Annotated[Ordinal, says("The number of the event in the match, from 1.")]
    commit: Annotated[Ordinal, says("The first event of the same move.")]
    type: Annotated[str, says("The type of the event.", examples=["CardPlayed"])]
    data: Annotated[Mapping[str, Any], says("The fields of the event that you may see.")]
    at: Annotated[Timestamp, says("When it happened.")]
    cause: Annotated[Cause, says("The cause: a player, a bot, a clock, the rules, or the operator.")]
    seals: Seals
    digest: Annotated[Digest, says("The digest of the event and of all before it, in hex.")]
    text: Annotated[
        str,
        says(
            "The event in one line of English, as you may know it; it is not part of the digest.",
            examples=["Seat 2 played QS."],
        ),
    ]
    unseal: Keys = UNSET
    disclosed: Disclosed = UNSET
    signed: Annotated[
        SignedHeadAnswer | UnsetType,
        says("With the last event that there is: its digest as the head of the match, with the server's signature."),
    ] = UNSET


class EventsQuery(SeatQuery, long_polling.StreamQuery):
    after: Annotated[int, Range(0, LARGEST)] = 0
    """Only events after this version."""
    limit: Annotated[int, Range(1, LONGEST_PAGE)] = LONGEST_PAGE
    """Maximum number on a page of JSON."""
    wait: long_polling.Seconds = None
    """Seconds to wait for news; ignored once the match is over."""
    fields: Omissible[Annotated[str, fields_of_answer(EventAnswer)]] = None


class EventPageAnswer(Answer):
    """A page of a feed."""

    game: Annotated[str, says("The name of the game.")]
    items: Annotated[list[EventAnswer], says("The events, in order.")]
    next: Annotated[Count, says("Send this as `after`.")]


GREETING: Final = "the events of a match, until it is over"
CUT: Final = json.encode(
    EventAnswer(
        v=1,
        seq=6,
        commit=1,
        type="CardCut",
        data={"card": "4S", "seat": 0},
        at="2026-11-21T10:00:00.000Z",
        cause="auto",
        seals={},
        digest="e3fd37cdd22155e43fec061ef6d666f84102a266358bfb710de7cdbb0d9e3da6",
        text="Seat 0 cut 4S.",
    )
)
"""An event, as an example."""
TOLD: Final = text(
    example="""\
Hearts: match 8n9y4jktn4n1gzhahebf, playing, 4 events

Three cards go left, right, across, and then none. The two of clubs is led. When a player reaches
100, the lowest total wins, and a tie shares the win.

  Seat 0: Ann
  Seat 1: steady bot
  Seat 2: steady bot
  Seat 3: steady bot

What seat 0 can see:

2026-11-21, times in UTC
1  10:00:00  A Hearts match with 4 seats was created.
2  10:00:00  Seat 0 joined the table.

3  10:00:00  Game 1 began.
4  10:00:00  Seat 0 cut 4S.
""",
    description="The game and its players, then a line for each event and a paragraph for each hand.",
)


@Operation(
    tag="history",
    searches=("stream", "event log"),
    access="optional",
    parameters=(MATCH_ID, INVITE, long_polling.PREFER, LAST_EVENT_ID, responses.IF_NONE_MATCH),
    query=EventsQuery,
    replies={
        200: Reply(
            "The events.",
            {
                JSON: EventPageAnswer,
                NDJSON: text(CUT.decode() + "\n", "An Event per line."),
                long_polling.SSE: text(
                    long_polling.stream_example(GREETING, long_polling.ServerSentEvent(6, "CardCut", CUT)),
                    "`id` is the version, `event` the type, `data` an Event.",
                ),
                PLAIN: TOLD,
            },
            headers=(ETAG, PREFERENCE_APPLIED, UNBUFFERED),
        ),
        304: NOT_MODIFIED,
    },
    refuses=("not_seated", "not_found", "another_history"),
)
def list_events(match_id: str) -> Response:
    """List events.

    Returns the events of the match with the fields that you can see. `Accept` selects the form: pages of JSON, the
    whole feed as lines of JSON (`application/x-ndjson`), readable text (`text/plain`) or server-sent events
    (`text/event-stream`). A stream ends with the match. Its ids are versions; resume with `Last-Event-ID`. Resuming
    after an event that does not exist returns 409 `another_history`: your history is not that of this server.
    """
    form = request.accept_mimetypes.best_match(FORMS)
    who, context = request_caller(), app_state().context
    seen = views.see_match(context, match_id, who)
    asked = read_query(EventsQuery)
    seat, after, seconds = asked.seat, asked.after, long_polling.seconds_to_wait(asked.wait)

    def look() -> Seen:
        return (
            views.see_match(context, match_id, who)
            if seat is None
            else views.see_from_seat(context, match_id, who, seat)
        )

    if seat is not None:
        seen = look()
    if form == long_polling.SSE:
        after = last_event_id(after)
    check_reached(after, seen.version)
    if form in (long_polling.SSE, NDJSON, PLAIN):
        charge_for_events(seen.version - after, WRITTEN_PER_REQUEST)
    if form == long_polling.SSE:
        return _stream(look, seen, after, asked.fields)
    if form == NDJSON:
        return compress_if_disclosed(_whole(seen, after, asked.fields), seen)
    if form == PLAIN:
        return compress_if_disclosed(
            _streamed(export_log(context, seen, seat_answers(seen.match), after), PLAIN, seen), seen
        )
    if seconds and after == seen.version and not seen.match.over:
        return long_polling.answer_after(app_state().poller.match(seen.match_no, seen.version, seconds))
    return compress_if_disclosed(select_fields(_page(seen, after, asked.limit), asked.fields), seen)


def compress_if_disclosed(response: Response, seen: Seen) -> Response:
    """Compress the feed of a finished match, once all of it is public (decision 25)."""
    is_open = seen.match.over and replay.is_disclosed(app_state().context, seen.match_no, seen.match)
    return compress(response, is_kept=False) if is_open else response


def _page(seen: Seen, after: int, limit: int) -> Response:
    if responses.client_has(seen.version):
        return long_polling.confirm_preference(responses.not_modified(seen.version))
    charge_for_events(min(limit, seen.version - after), WRITTEN_PER_REQUEST)
    items = responses.raw_json_parts(
        _vouched(views.read_feed(app_state().context, seen, after, limit), app_state().keys, seen, after)
    )
    page = EventPageAnswer(seen.match.game.name, items, after + len(items))
    return long_polling.confirm_preference(responses.set_etag(responses.json_answer(page), seen.version))


def _whole(seen: Seen, after: int, asked: str | None) -> Response:
    events = _vouched(all_events(app_state().context, seen, after), app_state().keys, seen, after)
    lines = (event + b"\n" for event in select_fields_of_lines(events, asked))
    return _streamed(lines, NDJSON, seen)


def _vouched(events: Iterable[bytes], ring: KeyRing, seen: Seen, after: int) -> Iterator[bytes]:
    """Return events of a feed, the last that there is with the signature over the head."""
    for version, event in enumerate(events, after + 1):
        yield add_signed_head(event, sign_seen_head(ring, seen)) if version == seen.version else event


def all_events(context: Context, seen: Seen, after: int) -> Iterator[bytes]:
    """Return all events of a feed up to a version, page by page."""
    while after < seen.version:
        page = list(views.read_feed(context, seen, after, min(LONGEST_PAGE, seen.version - after)))
        yield from page
        after += len(page)


def _streamed(chunks: Iterator[bytes], form: str, seen: Seen) -> Response:
    response = Response(chunks, headers=responses.FOR_THE_CALLER, content_type=f"{form}; charset=utf-8")
    return responses.answer_if_changed(response, seen.version)


# --- Server-sent events ---------------------------------------------------------------------------------


def _stream(look: Callable[[], Seen], seen: Seen, after: int, asked: str | None) -> Response:
    """Stream the current events and all later ones."""
    context, ring = app_state().context, app_state().keys

    def feed(seen: Seen) -> Feed:
        def events(after: int) -> Iterator[bytes]:
            return _vouched(all_events(context, seen, after), ring, seen, after)

        return Feed(seen.match_no, seen.version, seen.match.over, events)

    return stream_feed(GREETING, lambda: feed(look()), feed(seen), after, asked)


# --- The log as text ------------------------------------------------------------------------------


WIDTH = 100

Seats = Sequence[SeatAnswer]


def export_log(context: Context, seen: Seen, held: Seats, after: int) -> Iterator[bytes]:
    """Yield the log in pieces, as the reader of `seen` may know it; without the heading if it begins later.

    `held` are the players by seat.
    """
    if after == 0:
        yield (_heading(seen, held) + "\n").encode()
    day, width = "", len(str(seen.version))
    begins = {seen.match.game.lifecycle.game_starts, seen.match.game.lifecycle.hand_starts}
    before: type | None = None
    for seq, at_ms, event, line in views.export_events(context, seen, after):
        when, kind = write_time(at_ms), type(event)
        paragraph = "\n" if kind in begins and before not in begins else ""
        date = f"{when[:10]}, times in UTC\n" if when[:10] != day else ""
        day, before = when[:10], kind
        yield f"{paragraph}{date}{seq:>{width}}  {when[11:19]}  {line}\n".encode()


def _heading(seen: Seen, held: Seats) -> str:
    m = seen.match
    title = f"{m.game.words.title}: match {seen.match_id}, {m.status}, {seen.version} events"
    series = m.created.series.best_of
    about = m.game.words.about(m.options, len(m.seats)) + (f" The best of {series} games wins." if series > 1 else "")
    shown = "everyone" if seen.seat is None else f"seat {seen.seat}"
    seats = (f"  Seat {seat}: {name}" for seat, name in enumerate(map(_name, held)))
    return "\n".join([title, "", fill(about, WIDTH), "", *seats, "", f"What {shown} can see:", ""])


def _name(held: SeatAnswer) -> str:
    """Return the name of the player in a seat."""
    if held.player is not None:
        name = held.player.name or "a player who has left"
        return f"{name}, now played by a bot" if held.played_by_bot else name
    return f"{held.level} bot" if held.kind == "bot" else f"empty ({held.kind})"
