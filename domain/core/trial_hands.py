"""Follows the hands of a game on trial, and the answers of its seats, by the events that its record names for them."""

from collections.abc import Sequence
from typing import Any

from domain.core.cards import Seat
from domain.core.game import CHANCE
from domain.core.trial_calls import TrialFailed, TrialTable, call


def follow_hand(table: TrialTable, at: str, event: Any) -> None:
    """See that hands begin and end in turn, and end by themselves. Raises `TrialFailed`."""
    life, kind = table.game.lifecycle, type(event)
    if kind is life.hand_starts:
        if table.hand_open and life.hand_ends:
            raise TrialFailed("lifecycle.hand_ends", f"{kind.__name__} begins a hand while another has not ended.")
        table.hand_open = True
    elif kind in life.hand_ends:
        if at != "consequences":
            raise TrialFailed("lifecycle.hand_ends", f"{kind.__name__} comes of {at}, and not of consequences.")
        if not table.hand_open:
            raise TrialFailed("lifecycle.hand_ends", f"{kind.__name__} ends a hand, and none has begun.")
        table.hand_open = False
    elif kind is life.game_ends:
        table.hand_open = False


def answered(table: TrialTable, seat: Seat, happened: Sequence[Any]) -> None:
    """See that a seat that was asked has answered by an event of `answers.by`. Raises `TrialFailed`."""
    if any(type(event) in table.game.answers.by for event in happened):
        return
    if not {seat, CHANCE} & {*call(table.game, "to_act", table.state)}:
        raise TrialFailed("answers.by", f"Seat {seat} has answered, and {type(happened[0]).__name__} is not there.")
