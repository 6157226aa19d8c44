"""Gives what follows by itself in a tournament: rounds are closed and paired, prizes awarded, and it ends."""

from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import Any, Final, Protocol

from domain.core.choices import Ask, Drawing, Shuffle
from domain.core.values import changed, value
from domain.tournament.round_pairing import Ground, PairedRound
from domain.tournament.tournament_events import (
    ByeGiven,
    PrizeAwarded,
    RoundClosed,
    RoundPaired,
    TournamentEnded,
)
from domain.tournament.tournament_formats import FORMATS
from domain.tournament.tournament_plan import MOST_ROUNDS
from domain.tournament.tournament_state import PLAYING, Tournament, evolve

EPOCH: Final = 1
"""The number of the only chain of seeds that a tournament has."""

LINKS: Final = MOST_ROUNDS + 1
"""The links of that chain: one for the order, one for each round."""


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
    return Drawing(NextRound, f"pairing.{t.round + 1}", partial(FORMATS[t.plan.format].pair, ground_of(t)))


def ground_of(t: Tournament) -> Ground:
    """Give what a round is paired from, and places are given by."""
    clubs = {one: club for one, club in enumerate(t.clubs) if club is not None}
    return Ground(changed(t.plan, rounds=t.rounds), t.order, t.played, t.left, clubs)


def follows(t: Tournament, chance: Draws) -> Iterator[Any]:
    """Give the events that follow by themselves, until the tournament waits for a table or for somebody."""
    while t.status == PLAYING and not t.paused and not (t.open and None in t.results):
        for event in _closed(t) if t.open else _next(t, chance):
            yield event
            t = evolve(t, event)


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
    for entrant in paired.byes:
        yield ByeGiven(t.round + 1, entrant)


def _ended(t: Tournament) -> Iterator[Any]:
    ranked, places = _ranking(t)
    for prize in t.prizes:
        for entrant, place in zip(ranked, places, strict=True):
            if place == prize.place:
                yield PrizeAwarded(entrant, prize)
    yield TournamentEnded(ranked, places)


def _ranking(t: Tournament) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Give the entrants as they are ranked, and their places; those who share one come in the order of the shuffle."""
    places = FORMATS[t.plan.format].places(ground_of(t))
    ranked = tuple(sorted(t.order, key=places.__getitem__))
    return ranked, tuple(places[one] for one in ranked)


def all_events(t: Tournament, first: tuple[Any, ...], chance: Draws) -> tuple[Any, ...]:
    """Give what was decided, and all that follows from it by itself."""
    after = t
    for event in first:
        after = evolve(after, event)
    return tuple(chain(first, follows(after, chance)))
