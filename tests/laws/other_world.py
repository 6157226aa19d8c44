"""Plays a game in two worlds that differ in two cards which a reader was not dealt (law 3)."""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, NamedTuple

from domain.core.cards import Seat
from domain.core.choices import Shuffle, argument
from domain.core.game import CHANCE, admitted, answer, play
from tests.laws.entry import Entry
from tests.laws.play import Step, swapped


class Both(NamedTuple):
    """A moment of both worlds: that of the first; what is done in the other, what comes of it, and the state after."""

    step: Step
    move: Any
    told: list[Any]
    after: Any


def both(entry: Entry, game: Iterable[Step], reader: Seat | None, rng: Random) -> Iterator[Both]:
    """Go on in the other world as long as the same can be played in it.

    Where chance answers, two cards are exchanged there that the reader is not dealt, or what others get is drawn anew.
    """
    other = None
    swap: dict[Any, Any] = {}
    for step in game:
        other = other or step.state
        if step.seat != CHANCE:
            move = _in_the_other_world(entry, other, step, reader, swap)
        elif (move := _answered_otherwise(entry, step, reader, rng, is_first=not swap)) is not None:
            swap = dict(zip(argument(step.move), argument(move), strict=True))
        else:
            move = _the_same_shuffle(entry, other, step)
        if move is None:
            return
        other, told = play(entry.game, other, step.seat, move)
        yield Both(step, move, told, other)


def _answered_otherwise(entry: Entry, step: Step, reader: Seat | None, rng: Random, *, is_first: bool) -> Any:
    """Another answer of chance: two places exchanged that go neither to the reader nor both to one seat; or none.

    What is no row of places is drawn anew, once.
    """
    ask = entry.game.ask(step.state)
    owners = entry.owners(step.state, ask)
    places = [i for i, owner in enumerate(owners) if owner != reader]
    if not places:
        return None
    if not isinstance(ask, Shuffle):
        return answer(ask, rng) if is_first else None
    i = rng.choice(places)
    return swapped(step.move, i, rng.choice([j for j in places if owners[j] != owners[i]]))


def _the_same_shuffle(entry: Entry, other: Any, step: Step) -> Any:
    """Chance puts what it is given into the same order, whatever it is."""
    ours, theirs = entry.game.ask(step.state), entry.game.ask(other)
    if not isinstance(ours, Shuffle) or not isinstance(theirs, Shuffle):
        return step.move
    return ours.make(tuple(theirs.items[ours.items.index(item)] for item in argument(step.move)))


def _in_the_other_world(entry: Entry, other: Any, step: Step, reader: Seat | None, swap: dict[Any, Any]) -> Any:
    """The same move; if it is hidden from the reader, the same but for the exchanged cards; or none."""

    def exchanged(card: Any) -> Any:
        return swap.get(card, card)

    tries = [step.move]
    if isinstance(step.move, entry.secret_moves) and step.seat != reader:
        make, cards = type(step.move), argument(step.move)
        mapped = tuple(sorted(map(exchanged, cards))) if isinstance(cards, tuple) else exchanged(cards)
        tries.append(make(mapped))  # type: ignore[call-arg]
    legal = entry.game.legal(other, step.seat)
    return next((move for move in tries if admitted(legal, move)), None)
