"""Asks the choices of a game under check everything that may be asked of them."""

from random import Random
from typing import Any, Final

from api.game_checks.safe_calls import CheckedTable, CheckFailed, ask_of, run
from domain.core.cards import Seat
from domain.core.choice_faults import part_fault
from domain.core.choices import Choice
from domain.core.type_faults import name_value

SAMPLES: Final = 4
"""The number of moves that are drawn of each choice where all is asked of it."""


def offer(table: CheckedTable, seat: Seat) -> None:
    """Check that the moves a seat may make can be described and drawn. Raise `CheckFailed`."""
    for choice in ask_of(table.game, "legal", table.own[seat], seat):
        make = _part(choice, "make")
        if make not in table.game.moves.values():
            raise _failed(choice, "make", f"{name_value(make)} is not among the moves.")
        for part in _ATTRIBUTES:
            if _part(choice, part) is not None:
                _of(choice, part, _part(choice, part))
        _of(choice, "schema", run("legal", choice.schema))
        for i in range(SAMPLES):
            draw_move(choice, Random(i))
        if proposals := _part(choice, "proposals"):
            for move in _of(choice, "proposals", run("legal", proposals)):
                _admit(choice, "proposals", move)


_ATTRIBUTES: Final = ("exact", "of", "plain")


def draw_move(choice: Choice, rng: Random) -> Any:
    """Draw a move of a choice, which must admit it. Raise `CheckFailed`."""
    move = _of(choice, "sample", run("legal", choice.sample, rng))
    _admit(choice, "sample", move)
    return move


def _admit(choice: Choice, part: str, move: Any) -> None:
    if not _of(choice, "admits", run("legal", choice.admits, move)):
        raise _failed(choice, part, f"It gives {name_value(move)}, which `admits` does not admit.")


def _part(choice: Choice, part: str) -> Any:
    """Return an attribute of a choice; None where it has none of this name."""
    return run("legal", getattr, choice, part, None)


def _of(choice: Choice, part: str, given: Any) -> Any:
    """Return what a part of a choice gives; it must be of its type."""
    if fault := run("legal", part_fault, part, choice.make, given):
        raise _failed(choice, part, fault)
    return given


def _failed(choice: Choice, part: str, sentence: str) -> CheckFailed:
    return CheckFailed("legal", f"{type(choice).__name__}.{part}: {sentence}")
