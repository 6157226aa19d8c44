"""Gives what standing orders may ask in Fivewells, and completes the moves that they name without arguments."""

from collections.abc import Mapping
from typing import Any, Final, get_args

from domain.core.cards import Card, Seat
from domain.core.game import FactKind
from domain.games.fivewells.characteristics import board
from domain.games.fivewells.combat import attackers
from domain.games.fivewells.defaults import default
from domain.games.fivewells.moves import Choose, DeclareAttackers, DeclareBlockers, Move, OrderBlockers, SubmitDeck
from domain.games.fivewells.records import Kind
from domain.games.fivewells.state import State
from domain.games.fivewells.waiting import phase, to_act
from domain.games.fivewells.windows import WINDOWS

KINDS: Final[Mapping[str, FactKind]] = {
    "phase": FactKind.WORD,
    "hand_no": FactKind.NUMBER,
    "turn": FactKind.NUMBER,
    "whose_turn": FactKind.WORD,
    "life": FactKind.NUMBER,
    "opponent_life": FactKind.NUMBER,
    "hand_count": FactKind.NUMBER,
    "opponent_hand_count": FactKind.NUMBER,
    "library_count": FactKind.NUMBER,
    "opponent_library_count": FactKind.NUMBER,
    "creatures": FactKind.NUMBER,
    "opponent_creatures": FactKind.NUMBER,
    "attackers": FactKind.NUMBER,
    "stack_count": FactKind.NUMBER,
    "mulligans": FactKind.NUMBER,
}

PHASES: Final = frozenset({*WINDOWS, *get_args(Kind), "deck_building", "mulligan", "order_blockers"})
"""In these phases seats are asked something."""

COMPLETES: Final = frozenset([SubmitDeck, DeclareAttackers, DeclareBlockers, OrderBlockers, Choose])
"""The moves that are made without arguments as the clock would make them."""


def known_facts(s: State, seat: Seat) -> Mapping[str, Any]:
    """Give what the seat knows of the table; all of it is public."""
    other = 1 - seat
    return {
        "phase": phase(s),
        "hand_no": s.hand_no,
        "turn": s.turn or None,
        "whose_turn": ("own" if seat == s.active else "opponent") if s.turn else None,
        "life": s.life[seat],
        "opponent_life": s.life[other],
        "hand_count": len(s.hands[seat]),
        "opponent_hand_count": len(s.hands[other]),
        "library_count": len(s.libraries[seat]),
        "opponent_library_count": len(s.libraries[other]),
        "creatures": creatures(s, seat),
        "opponent_creatures": creatures(s, other),
        "attackers": len(attackers(s)),
        "stack_count": len(s.stack),
        "mulligans": s.mulligans[seat],
    }


def creatures(s: State, seat: Seat) -> int:
    """Count the creatures of a seat."""
    return sum(thing.printed.creature and thing.controller == seat for thing in board(s).things.values())


def complete_move(s: State, seat: Seat, move: type, card: Card | None = None) -> Move | None:
    """Make the move of this class as the clock would; None where the clock would make another."""
    usual = default(s, seat)
    return usual if card is None and seat in to_act(s) and isinstance(usual, move) else None
