"""Defines the facts for standing orders in the poker games."""

from collections.abc import Mapping
from typing import Any

from domain.core.cards import Seat, card_names, fewest
from domain.core.game import FactKind
from domain.poker.betting import seats_in_hand
from domain.poker.betting_table import State, nets, playing

KINDS: Mapping[str, FactKind] = {
    "phase": FactKind.WORD,
    "hand_no": FactKind.NUMBER,
    "score": FactKind.NUMBER,
    "hand": FactKind.CARDS,
    "stock_count": FactKind.NUMBER,
    "fewest_cards": FactKind.NUMBER,
}


def known_facts(s: State, seat: Seat) -> Mapping[str, Any]:
    """Return the facts that the seat knows; folded hands count as empty."""
    in_hand = seats_in_hand(s.round) if playing(s) else []
    return {
        "phase": s.phase,
        "hand_no": s.hand_no,
        "score": (s.stacks if s.rules.tournament else nets(s))[seat],
        "hand": card_names(s.hands[seat]),
        "stock_count": len(s.deck),
        "fewest_cards": fewest([hand if i in in_hand else () for i, hand in enumerate(s.hands)], seat),
    }
