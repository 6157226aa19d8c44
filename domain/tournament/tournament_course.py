"""Gives what follows by itself in a tournament: rounds are closed and paired, prizes awarded, and it ends."""

from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import Any, Final, Protocol

from domain.core.choices import Ask, Drawing, Shuffle
from domain.core.values import changed, value
from domain.tournament.arena_course import has_open_tables, is_paired_now, is_paired_on
from domain.tournament.payouts import shares_of
from domain.tournament.preparing import made_pods
from domain.tournament.prize_shares import awarded
from domain.tournament.round_pairing import Ground, PairedRound
from domain.tournament.table_events import (
    ByeGiven,
    RoundClosed,
    RoundPaired,
    StackMoved,
    TableBroken,
    TablesPaired,
    TableStaked,
)
from domain.tournament.tournament_events import PayoutMade, PodsMade, PrizeAwarded, TournamentEnded
from domain.tournament.tournament_formats import FORMATS, format_of
from domain.tournament.tournament_plan import TournamentPlan
from domain.tournament.tournament_state import PLAYING, Tournament, evolve

EPOCH: Final = 1
"""The number of the only chain of seeds that a tournament has."""


def links_of(plan: TournamentPlan) -> int:
    """Give the links of the chain of a tournament: one for the order, one for each time that it may be paired."""
    return FORMATS[plan.format].most_pairings + 1


class Draws(Protocol):
    """Answers what is drawn, from the seeds of a tournament; `domain.core.fairness.Dealer` is one that holds them."""

    def answer(self, ask: Ask, epoch: int, links: int, link: int, nonces: tuple[str, ...]) -> Any: ...
    def seed(self, epoch: int, links: int, link: int) -> str: ...


@value
class OrderDrawn:
    """Chance's answer for the shuffle `seating`: the entrants in order."""

    order: tuple[int, ...]


@value
class NextRound:
    """Chance's answer for a round: how it is paired; None where all rounds have been played."""

    paired: PairedRound | None


def draw(t: Tournament, ask: Ask, chance: Draws) -> tuple[Any, int, str]:
    """Let chance answer from the next link; gives the answer, the link and its seed."""
    link = t.link + 1
    return chance.answer(ask, EPOCH, t.links, link, t.nonces), link, chance.seed(EPOCH, t.links, link)


def order_ask(entrants: tuple[int, ...]) -> Shuffle:
    """Ask for the order of those who are there when entries close."""
    return Shuffle(OrderDrawn, "seating", entrants)


def round_ask(t: Tournament) -> Drawing:
    """Ask for the next round."""
    return Drawing(NextRound, f"pairing.{t.link}", partial(format_of(t).pair, ground_of(t)))


def ground_of(t: Tournament) -> Ground:
    """Give what a round is paired from, and places are given by."""
    clubs = {one: club for one, club in enumerate(t.clubs) if club is not None}
    clock = t.closes if t.plan.levels == "clock" else None
    plan = changed(t.plan, rounds=t.rounds)
    barred = frozenset(one for one in t.left if t.players[one] in t.barred)
    ground = Ground(plan, t.order, t.played, t.left, clubs, missed=t.missed, levels_from=clock, barred=barred)
    return format_of(t).ground(t, ground)


def is_out(t: Tournament, one: int) -> bool:
    """Say whether an entrant was knocked out."""
    return t.round > 0 and one in format_of(t).out(t, ground_of(t))


def follows(t: Tournament, chance: Draws) -> Iterator[Any]:
    """Give the events that follow by themselves, until the tournament waits for a table or for somebody."""
    while t.status == PLAYING and not t.paused and (events := tuple(_step(t, chance))):
        for event in events:
            yield event
            t = evolve(t, event)


def _step(t: Tournament, chance: Draws) -> Iterator[Any]:
    """Give the events that follow next; none while the tournament waits."""
    continuous = format_of(t).is_continuous
    if continuous and is_paired_now(t):
        yield _whoever_is_free(t, chance)
    elif has_open_tables(t) or (continuous and is_paired_on(t)) or False in t.pods_over:
        return
    elif t.preparation is not None and not t.pods:
        yield PodsMade(made_pods(t.order, t.preparation.seats))
    elif t.open:
        yield from _closed(t)
    else:
        yield from _ended(t) if continuous else _next(t, chance)


def _whoever_is_free(t: Tournament, chance: Draws) -> RoundPaired | TablesPaired:
    """Pair tables of an arena: those of its only round, or more of them."""
    answer, link, seed = draw(t, round_ask(t), chance)
    made = RoundPaired(1, "main", link, seed, answer.paired.tables)
    return TablesPaired(1, link, seed, made.tables) if t.open else made


def _closed(t: Tournament) -> Iterator[Any]:
    ranked, places = _ranking(evolve(t, RoundClosed(t.round, (), ())))
    yield RoundClosed(t.round, ranked, places)


def _next(t: Tournament, chance: Draws) -> Iterator[Any]:
    answer, link, seed = draw(t, round_ask(t), chance)
    paired = answer.paired
    if paired is None:
        yield from _ended(t)
        return
    yield RoundPaired(t.round + 1, paired.stage, link, seed, paired.tables)
    for move in paired.moves:
        yield StackMoved(t.round + 1, move.entrant, move.stack, move.before, move.table)
    for table in paired.broken:
        yield TableBroken(t.round + 1, table)
    for table, stakes in enumerate(paired.stakes):
        yield TableStaked(t.round + 1, table, stakes)
    for entrant in paired.byes:
        yield ByeGiven(t.round + 1, entrant)


def _ended(t: Tournament) -> Iterator[Any]:
    ranked, places = _ranking(t)
    for entrant, prize in awarded(t.prizes, ranked, places):
        if t.players[entrant] not in t.barred:
            yield PrizeAwarded(entrant, prize)
    if format_of(t).has_stacks:
        shares = shares_of(dict(zip(ranked, places, strict=True)))
        paid = {one: share for one, share in shares.items() if share and t.players[one] not in t.barred}
        yield from (PayoutMade(entrant, str(share)) for entrant, share in paid.items())
    yield TournamentEnded(ranked, places)


def _ranking(t: Tournament) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the entrants in ranking order, and their places. Entrants who share a place keep the shuffled order."""
    places = format_of(t).places(ground_of(t))
    ranked = tuple(sorted(t.order, key=places.__getitem__))
    return ranked, tuple(places[one] for one in ranked)


def all_events(t: Tournament, first: tuple[Any, ...], chance: Draws) -> tuple[Any, ...]:
    """Give what was decided, and all that follows from it by itself."""
    after = t
    for event in first:
        after = evolve(after, event)
    return tuple(chain(first, follows(after, chance)))
