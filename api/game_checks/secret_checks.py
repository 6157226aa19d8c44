"""Checks in two worlds that a reader sees nothing of the cards that it was not shown (rules 2)."""

import json
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from api.game_checks.other_world import both_worlds
from api.game_checks.safe_calls import CheckFailed
from api.game_checks.subject import PlayedMove, Subject
from domain.core.cards import Seat
from domain.core.game import AnyGame, fold, is_admitted, refusal_of
from domain.core.scene import as_json
from domain.core.type_faults import name_value
from domain.core.visibility import seat_field, secret_fields, view_event


def check_secrets(subject: Subject, steps: Iterable[PlayedMove], reader: Seat | None, rng: Random) -> None:
    """Compare what a reader sees in two worlds. Raise `CheckFailed` if they differ before it was shown a difference.

    The second world is the first with two cards exchanged that the reader was not dealt, and goes on as long as the
    same can be played in it.
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
                    at, f"After {name_value(ours[-1])}, {_named(reader)} can tell a card it was not shown."
                )
        if game.to_act(step.after) != game.to_act(other):
            raise CheckFailed(
                "to_act", f"After {name_value(ours[-1])} it follows from a card hidden from {_named(reader)}."
            )


def _check_shown_difference(subject: Subject, ours: Sequence[Any], theirs: Sequence[Any], reader: Seat | None) -> None:
    """Check the first difference: it must be a fact that the rules show, or the reader's own cards."""
    if subject.facts is None:
        return
    pairs = [(a, b) for a, b in zip(ours, theirs, strict=False) if a != b]
    if not pairs:
        raise CheckFailed(
            "decide", f"How many events follow {name_value(ours[0])} shows {_named(reader)} a hidden card."
        )
    a, b = pairs[0]
    kind: Any = type(a)
    if type(a) is type(b) and type(a) not in subject.facts:
        owners = [getattr(event, seat_field(kind) or "", None) for event in (a, b)]
        if reader is not None and owners == [reader, reader] and secret_fields(kind):
            return
    elif {type(a), type(b)} <= subject.facts:
        return
    raise CheckFailed(f"events[{type(a).__name__}]", f"{name_value(a)} shows {_named(reader)} a card it was not dealt.")


_PARTS = ("view", "scene", "to_act", "legal", "refusal")


def _sight(subject: Subject, own: Any, reader: Seat | None) -> tuple[Any, ...]:
    """Return all that a reader gets at in addition to its feed, in the order of `_PARTS`."""
    game = subject.game
    table = (json.dumps(game.view(own, reader)), json.dumps(as_json(game.scene(own, reader))), game.to_act(own))
    if reader is None:
        return (*table, None, None)
    legal = game.legal(own, reader)
    moves = subject.probes(own, reader, Random(1)) if subject.probes else ()
    return (*table, legal, [None if is_admitted(legal, move) else _why(game, own, reader, move) for move in moves])


def _why(game: AnyGame, own: Any, reader: Seat, move: Any) -> tuple[str, str]:
    refusal = refusal_of(game, own, reader, move)
    return refusal.code, refusal.sentence


def _named(reader: Seat | None) -> str:
    return "a spectator" if reader is None else f"seat {reader}"
