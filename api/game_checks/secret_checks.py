"""Checks in two worlds that a reader sees nothing of the cards that it was not shown (rules 2)."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from random import Random
from typing import Any, Final, NamedTuple

from api.game_checks.safe_calls import CheckFailed
from api.game_checks.subject import PlayedMove, Subject
from domain.core.cards import Seat
from domain.core.choices import Shuffle, argument
from domain.core.game import CHANCE, AnyGame, fold, is_admitted, play_move, refusal_of
from domain.core.scene import as_json
from domain.core.type_faults import name_value
from domain.core.visibility import seat_field, secret_fields, view_event

TRIES: Final = 20
"""Maximum tries to find a pair of cards of which the reader is dealt neither."""


class Both(NamedTuple):
    """A moment of both worlds: that of the first; the move made in the other, its events, and the state after."""

    step: PlayedMove
    move: Any
    told: list[Any]
    after: Any


def both_worlds(subject: Subject, steps: Iterable[PlayedMove], reader: Seat | None, rng: Random) -> Iterator[Both]:
    """Play on in the other world while the same moves are possible in it.

    For each answer of chance, two cards that the reader does not get are exchanged, or the others' cards are drawn
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

    An answer of another type is drawn again, once.
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
    """Return the items of chance in one order, for any type."""
    ours, theirs = subject.game.ask(step.state), subject.game.ask(other)
    if not isinstance(ours, Shuffle) or not isinstance(theirs, Shuffle):
        return step.move
    return ours.make(tuple(theirs.items[ours.items.index(item)] for item in argument(step.move)))


def _in_other_world(subject: Subject, other: Any, step: PlayedMove, reader: Seat | None, swap: dict[Any, Any]) -> Any:
    """Return the same move, with the cards exchanged if it is hidden from the reader; or None."""

    def exchanged(card: Any) -> Any:
        return swap.get(card, card)

    tries = [step.move]
    secret = subject.secret_moves is None or isinstance(step.move, subject.secret_moves)
    if secret and step.seat != reader and len(fields(step.move)) == 1:
        make, cards = type(step.move), argument(step.move)
        tries.append(make(tuple(sorted(map(exchanged, cards))) if isinstance(cards, tuple) else exchanged(cards)))
    legal = subject.game.legal(other, step.seat)
    return next((move for move in tries if is_admitted(legal, move)), None)


def check_secrets(subject: Subject, steps: Iterable[PlayedMove], reader: Seat | None, rng: Random) -> None:
    """Compare a reader's data in two worlds. Raise `CheckFailed` if they differ too early.

    The second world is the first with two cards exchanged that the reader did not get. It continues while the same
    moves are possible in it. The data may differ once the reader was shown a difference.
    """
    game = subject.game
    own = twin = None
    for step, _, events, other in both_worlds(subject, steps, reader, rng):
        own, twin = own or step.state.copy(), twin or step.state.copy()
        ours = [view_event(event, reader) for event in step.events]
        theirs = [view_event(event, reader) for event in events]
        if ours != theirs:
            _check_shown_difference(subject, ours, theirs, reader)
            return
        own, twin = fold(game, own, ours), fold(game, twin, theirs)
        for at, here, there in zip(_PARTS, _sight(subject, own, reader), _sight(subject, twin, reader), strict=True):
            if here != there:
                raise CheckFailed(
                    at, f"After {name_value(ours[-1])}, {_name_reader(reader)} can infer a card that it was not shown."
                )
        if game.to_act(step.after) != game.to_act(other):
            raise CheckFailed(
                "to_act", f"After {name_value(ours[-1])} it depends on a card hidden from {_name_reader(reader)}."
            )


def _check_shown_difference(subject: Subject, ours: Sequence[Any], theirs: Sequence[Any], reader: Seat | None) -> None:
    """Check the first difference: it must be a fact that the rules show, or the reader's own cards."""
    if subject.facts is None:
        return
    pairs = [(a, b) for a, b in zip(ours, theirs, strict=False) if a != b]
    if not pairs:
        raise CheckFailed(
            "decide",
            f"The number of events after {name_value(ours[0])} tells {_name_reader(reader)} about a hidden card.",
        )
    a, b = pairs[0]
    kind: Any = type(a)
    if type(a) is type(b) and type(a) not in subject.facts:
        owners = [getattr(event, seat_field(kind) or "", None) for event in (a, b)]
        if reader is not None and owners == [reader, reader] and secret_fields(kind):
            return
    elif {type(a), type(b)} <= subject.facts:
        return
    raise CheckFailed(
        f"events[{type(a).__name__}]", f"{name_value(a)} shows {_name_reader(reader)} a card that it was not dealt."
    )


_PARTS = ("view", "scene", "to_act", "legal", "refusal")


def _sight(subject: Subject, own: Any, reader: Seat | None) -> tuple[Any, ...]:
    """Return all that a reader gets at in addition to its feed, in the order of `_PARTS`."""
    game = subject.game
    table = (json.dumps(game.view(own, reader)), json.dumps(as_json(game.scene(own, reader))), game.to_act(own))
    if reader is None:
        return (*table, None, None)
    legal = game.legal(own, reader)
    moves = subject.probes(own, reader, Random(1)) if subject.probes else ()
    return (
        *table,
        legal,
        [None if is_admitted(legal, move) else _refusal_text(game, own, reader, move) for move in moves],
    )


def _refusal_text(game: AnyGame, own: Any, reader: Seat, move: Any) -> tuple[str, str]:
    refusal = refusal_of(game, own, reader, move)
    return refusal.code, refusal.sentence


def _name_reader(reader: Seat | None) -> str:
    return "a spectator" if reader is None else f"seat {reader}"
