"""Provides matches that were finished on another server, and their records."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from domain import match as life
from domain.core.clock import Clock
from domain.match.creation import Series
from events.proof import record
from events.service.access import Caller
from events.service.new_match import NewMatch, SeatRequest
from events.service.views import Seen
from events.times import write_time
from tests import recorded
from tests.bound import Matches
from tests.match.table import options

ANN, BOB = Caller("ann00000000000000000", "t"), Caller("bob00000000000000000", "t")

SHORT: Mapping[str, Mapping[str, Any]] = {
    "hearts": {"target_score": 1},
    "two_handed_hearts": {"target_score": 1},
    "trio": {"max_turns": 40},
}
"""Options for a short match."""


def begun(
    matches: Matches, game: str = "hearts", seats: tuple[str, ...] = ("me", "invite", "bot", "bot"),
    visibility: str = "public", **chosen: Any,
) -> Seen:  # fmt: skip
    """Let Ann create a match with an invitation for Bob."""
    chosen = {**SHORT.get(game, {}), **chosen}
    places = tuple(SeatRequest(kind, "random" if kind == "bot" else None) for kind in seats)
    new = NewMatch(game, options(game, len(seats), **chosen), None, places, visibility, Clock(), Series())
    seen = matches.create(ANN, new)
    for seat, code in matches.first_invites(seen, ANN).items():
        matches.sit(seen.match_id, replace(BOB, invite=code), seat)
    return matches.see(seen.match_id, ANN)


def finished(matches: Matches, *args: Any, **kwargs: Any) -> Seen:
    """Return the same match, finished at random."""
    match_id, rng = begun(matches, *args, **kwargs).match_id, Random(1)
    while not (m := matches.loaded(match_id).state).over:
        seat = life.to_act(m)[0]
        move = rng.choice(m.game.legal(m.table, seat)).sample(rng)
        if m.by_bot[seat]:
            bot = matches.bot_to_move(match_id)
            assert bot is not None
            matches.bot_move(bot, move)
        else:
            matches.move(match_id, Caller(m.players[seat], "t"), seat, move)
    return matches.see(match_id, ANN)


def record_of(matches: Matches, seen: Seen, names: Mapping[str, str] | None = None) -> bytes:
    """Return the record of a match as seen on this server."""
    about = recorded.about(
        seen.match_id, seen.match, seen.reader, seen.version, seen.head, write_time(seen.created), names
    )
    return b"".join(record.write_record(about, matches.feed(seen, 0)))
