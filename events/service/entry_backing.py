"""Looks up what players own outside a match and can bring to it: cards, or gains of another match."""

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
from events.service.seat_gains import gains_of, is_entry
from events.service.tournament_pods import prepared_gains


def check_source(context: Context, caller: Caller, m: Match) -> None:
    """Raise `Refused` if a new match names a source for entries that cannot be one."""
    where = m.game.entry.backing(m.options) if m.game.entry else None
    if isinstance(where, OfMatch):
        _source(context, caller, m.game, where)
    if isinstance(where, OfTournament):
        raise Refused("nothing_gained", "Only the tables of a tournament can use gains from before its first round.")


def backing_of_seat(context: Context, caller: Caller, m: Match, seat: Seat, brought: Any) -> Any:
    """Return a player's entry, checked against what they have outside the match. Raise `Refused`.

    The match itself refuses an entry that does not belong there, or comes after another.
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
    """Return the bots' entries for a new match: the gains of bots in the match that it names.

    Each takes those of the next bot there; without bots there, none has an entry. Raise `Refused`.
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
    """Return the seats that bots held from the beginning, with suitable gains."""
    gains = gains_of(source)
    return (
        seat for seat, plan in enumerate(source.created.seats) if plan.kind == "bot" and is_entry(game, gains[seat])
    )


def _gained(context: Context, caller: Caller, game: AnyGame, where: OfMatch) -> Any:
    """Return the player's gains in a match, in their first seat there."""
    source = _source(context, caller, game, where)
    for seat in seats_of(source, caller)[:1]:
        gained = gains_of(source)[seat]
        if is_entry(game, gained):
            return gained
    raise Refused("nothing_gained")


def _source(context: Context, caller: Caller, game: AnyGame, where: OfMatch) -> Match:
    """Return the named match, if it is finished, the player may read it, and its gains are suitable."""
    try:
        loaded = open_match(context, where.match_id, caller)
    except NotFound:
        raise Refused("nothing_gained") from None
    m = loaded.state
    if (
        loaded.head.imported is not None
        or m.status != "finished"
        or not any(is_entry(game, one) for one in gains_of(m))
    ):
        raise Refused("nothing_gained")
    return m
