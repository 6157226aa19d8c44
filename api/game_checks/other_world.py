"""Plays a game in two worlds that differ in two cards which a reader was not dealt."""

from collections.abc import Iterable, Iterator
from dataclasses import fields
from random import Random
from typing import Any, Final, NamedTuple

from api.game_checks.subject import PlayedMove, Subject
from domain.core.cards import Seat
from domain.core.choices import Shuffle, argument
from domain.core.game import CHANCE, is_admitted, play_move
from domain.core.visibility import view_event

TRIES: Final = 20
"""So many pairs of cards are tried, to find one of which the reader is dealt neither."""


class Both(NamedTuple):
    """A moment of both worlds: that of the first; the move made in the other, its events, and the state after."""

    step: PlayedMove
    move: Any
    told: list[Any]
    after: Any


def both_worlds(subject: Subject, steps: Iterable[PlayedMove], reader: Seat | None, rng: Random) -> Iterator[Both]:
    """Play on in the other world while the same moves are possible in it.

    For each answer of chance, two cards that the reader is not dealt are exchanged, or the others' cards are drawn
    again.
    """
    other = None
    swap: dict[Any, Any] = {}
    for step in steps:
        other = other or step.state
        if step.seat != CHANCE:
            move = _in_other_world(subject, other, step, reader, swap)
        elif (move := _answered_otherwise(subject, step, reader, rng, is_first=not swap)) is not None:
            swap = dict(zip(argument(step.move), argument(move), strict=True))
        else:
            move = _the_same_shuffle(subject, other, step)
        if move is None:
            return
        other, told = play_move(subject.game, other, step.seat, move)
        yield Both(step, move, told, other)


def _answered_otherwise(subject: Subject, step: PlayedMove, reader: Seat | None, rng: Random, *, is_first: bool) -> Any:
    """Return another answer of chance, with two places exchanged that the reader is not dealt; None if there is none.

    An answer that is no row of places is drawn again, once.
    """
    ask = subject.game.ask(step.state)
    if subject.owners is None:
        return _swapped_unseen(subject, step, reader, rng) if isinstance(ask, Shuffle) else None
    owners = subject.owners(step.state, ask)
    places = [i for i, owner in enumerate(owners) if owner != reader]
    if not places:
        return None
    if not isinstance(ask, Shuffle):
        return ask.sample(rng) if is_first else None
    i = rng.choice(places)
    return swap_items(step.move, i, rng.choice([j for j in places if owners[j] != owners[i]]))


def _swapped_unseen(subject: Subject, step: PlayedMove, reader: Seat | None, rng: Random) -> Any:
    """Find an answer of chance with two places exchanged, after which the reader is shown the same; None if none is."""
    shown = [view_event(event, reader) for event in step.events]
    places = range(len(argument(step.move)))
    for _ in range(TRIES if len(places) > 1 else 0):
        move = swap_items(step.move, *rng.sample(places, 2))
        events = play_move(subject.game, step.state, CHANCE, move)[1]
        if events != step.events and [view_event(event, reader) for event in events] == shown:
            return move
    return None


def swap_items(move: Any, i: int, j: int) -> Any:
    """Return the same answer of chance with two items exchanged."""
    items = list(argument(move))
    items[i], items[j] = items[j], items[i]
    return type(move)(tuple(items))


def _the_same_shuffle(subject: Subject, other: Any, step: PlayedMove) -> Any:
    """Put the items of chance in the same order, whatever they are."""
    ours, theirs = subject.game.ask(step.state), subject.game.ask(other)
    if not isinstance(ours, Shuffle) or not isinstance(theirs, Shuffle):
        return step.move
    return ours.make(tuple(theirs.items[ours.items.index(item)] for item in argument(step.move)))


def _in_other_world(subject: Subject, other: Any, step: PlayedMove, reader: Seat | None, swap: dict[Any, Any]) -> Any:
    """Return the same move; if it is hidden from the reader, with the cards exchanged; or None."""

    def exchanged(card: Any) -> Any:
        return swap.get(card, card)

    tries = [step.move]
    secret = subject.secret_moves is None or isinstance(step.move, subject.secret_moves)
    if secret and step.seat != reader and len(fields(step.move)) == 1:
        make, cards = type(step.move), argument(step.move)
        tries.append(make(tuple(sorted(map(exchanged, cards))) if isinstance(cards, tuple) else exchanged(cards)))
    legal = subject.game.legal(other, step.seat)
    return next((move for move in tries if is_admitted(legal, move)), None)
