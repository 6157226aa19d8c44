"""This module looks up what players must have to bring it to a match: cards, or what they gained in another match."""

from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import Any

from domain.core.backing import OfCollection, OfMatch, OfTournament
from domain.core.cards import Seat
from domain.core.game import AnyGame, Refused
from domain.match import Match
from events.errors import NotFound
from events.service import collections
from events.service.access import Caller, open_match, seats_of
from events.service.context import Context
from events.service.seat_gains import fits, gains_of
from events.service.tournament_pods import prepared_gains


def check_source(context: Context, caller: Caller, m: Match) -> None:
    """Raise `Refused` for a new match that names another as the source of what is brought, if that can be none."""
    where = m.game.entry.backing(m.options) if m.game.entry else None
    if isinstance(where, OfMatch):
        _source(context, caller, m.game, where)
    if isinstance(where, OfTournament):
        raise Refused("nothing_gained", "What was gained before a tournament is brought to its tables alone.")


def backing_of_seat(context: Context, caller: Caller, m: Match, seat: Seat, brought: Any) -> Any:
    """Give what a player who sits down brings, judged by what they have outside of the match. Raises `Refused`.

    What cannot be brought there is left to the match, which refuses it; so is what comes after something was brought.
    """
    assert caller.player is not None
    entry = m.game.entry
    if entry is None or m.entries[seat] is not None or m.by_bot[seat] or m.players[seat] not in (None, caller.player):
        return brought
    match entry.backing(m.options):
        case OfCollection() if brought is not None:
            return entry.backed(m.options, brought, collections.count_owned(context, caller.player))
        case OfMatch() as where if brought is not None or m.status == "lobby":
            return entry.backed(m.options, brought, _gained(context, caller, m.game, where))
        case OfTournament() if brought is not None or m.status == "lobby":
            return entry.backed(m.options, brought, prepared_gains(context, m, caller.player))
        case _:
            return brought


def backing_of_bots(context: Context, caller: Caller, m: Match) -> Sequence[tuple[Seat, Any]]:
    """Give what the bots of a new match bring: what bots have gained in the match that it names.

    Each takes what the next bot there has; none brings anything where no bot sat. Raises `Refused`.
    """
    entry, bots = m.game.entry, [seat for seat in m.seats if m.by_bot[seat]]
    where = entry.backing(m.options) if entry else None
    if entry is None or not isinstance(where, OfMatch) or not bots:
        return ()
    source = _source(context, caller, m.game, where)
    there = sorted(_bots_of(source, m.game), key=lambda seat: (seat < where.bots_from, seat))
    gained = cycle(gains_of(source)[seat] for seat in there)
    return [(seat, entry.backed(m.options, None, one)) for seat, one in zip(bots, gained, strict=False)]


def _bots_of(source: Match, game: AnyGame) -> Iterator[Seat]:
    """Give the seats in which bots have sat from the beginning, and gained what fits."""
    gains = gains_of(source)
    return (seat for seat, plan in enumerate(source.created.seats) if plan.kind == "bot" and fits(game, gains[seat]))


def _gained(context: Context, caller: Caller, game: AnyGame, where: OfMatch) -> Any:
    """Give what the player has gained in a match, in their first seat there."""
    source = _source(context, caller, game, where)
    for seat in seats_of(source, caller)[:1]:
        gained = gains_of(source)[seat]
        if fits(game, gained):
            return gained
    raise Refused("nothing_gained")


def _source(context: Context, caller: Caller, game: AnyGame, where: OfMatch) -> Match:
    """Give the match that is named, if it is finished, the player may read it, and what is gained there fits."""
    try:
        loaded = open_match(context, where.match_id, caller)
    except NotFound:
        raise Refused("nothing_gained") from None
    m = loaded.state
    if loaded.head.imported is not None or m.status != "finished" or not any(fits(game, one) for one in gains_of(m)):
        raise Refused("nothing_gained")
    return m
