"""Follows the hands of a game under check, and its seats' answers, by the events that its record declares for them."""

from collections.abc import Sequence
from typing import Any

from api.game_checks.safe_calls import CheckedTable, CheckFailed, call
from domain.core.cards import Seat
from domain.core.game import CHANCE
from domain.core.type_faults import name_value


def follow_hand(table: CheckedTable, at: str, event: Any) -> None:
    """Check that hands begin and end in turn, end automatically, and are counted. Raise `CheckFailed`."""
    life, kind = table.game.lifecycle, type(event)
    if kind is life.game_starts:
        _check_number("lifecycle.game_no", event, life.game_no, table.game_no)
    if kind in life.tricks:
        at_trick, field = f"lifecycle.tricks[{kind.__name__}]", life.tricks[kind]
        table.trick_no = _check_number(at_trick, event, field, table.trick_no, table.trick_no + 1)
    if kind is life.hand_starts:
        if table.hand_open and life.hand_ends:
            raise CheckFailed("lifecycle.hand_ends", f"{kind.__name__} begins a hand while another has not ended.")
        table.hand_open, table.trick_no = True, 0
        table.hand_no = _check_number("lifecycle.hand_no", event, life.hand_no, table.hand_no + 1)
    elif kind in life.hand_ends:
        if at != "consequences":
            raise CheckFailed("lifecycle.hand_ends", f"{kind.__name__} comes of {at}, and not of consequences.")
        if not table.hand_open:
            raise CheckFailed("lifecycle.hand_ends", f"{kind.__name__} ends a hand, and none has begun.")
        table.hand_open = False
    elif kind is life.game_ends:
        table.hand_open = False


def _check_number(at: str, event: Any, field: str, *allowed: int) -> int:
    number: int = getattr(event, field)
    if number not in allowed:
        raise CheckFailed(at, f"{type(event).__name__}.{field} is {number}, and not {allowed[-1]}.")
    return number


def check_answer_event(table: CheckedTable, seat: Seat, happened: Sequence[Any]) -> None:
    """Check that a seat that was asked has answered by an event of `answers.by`. Raise `CheckFailed`."""
    by, first = table.game.answers.by, happened[0]
    if type(first) in by and getattr(first, by[type(first)]) != seat:
        raise CheckFailed("answers.by", f"Seat {seat} has answered, and {name_value(first)} names another.")
    if any(type(event) in by for event in happened):
        return
    to_act = {*call(table.game, "to_act", table.state)}  # empty once an answer has ended the hand
    if to_act and not {seat, CHANCE} & to_act:
        raise CheckFailed("answers.by", f"Seat {seat} has answered, and {type(happened[0]).__name__} is not there.")
