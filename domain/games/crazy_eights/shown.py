"""Shows a game of Crazy Eights to a seat or to spectators: the table, its scene, and facts for standing orders."""

from collections.abc import Iterator, Mapping
from typing import Any, TypedDict

from domain.core.cards import BACK, NAMES, SUIT_OF, SUITS, CardName, Seat, card_names, fewest
from domain.core.game import FactKind
from domain.core.scene import Scene, SeatShown, Zone, badges, by_suit, face_down_heap, numbers, zone
from domain.core.scene_pointers import MOVE, Where, zone_pointer
from domain.core.shown import CardTableShown
from domain.core.values import with_fields
from domain.games.crazy_eights.events import SUITS_IN_WORDS, DrawCard, PlayCard
from domain.games.crazy_eights.rules import NOBODY, State, to_act


class LedgerShown(TypedDict):
    """This says what the seats have paid each other."""

    net: list[int]
    """The amount that each seat has collected in this game, less its payments."""


class CrazyEightsShown(CardTableShown):
    """This is the table of a game of Crazy Eights."""

    hands: list[list[CardName] | None]
    """The hand of each seat; null where the reader may not see it."""
    stock_count: int
    """The number of cards in the stock."""
    discard_top: CardName | None
    """The card on top of the pile."""
    pile: list[CardName]
    """The cards of the pile, the last on top."""
    suit: str | None
    """The suit to follow: `C`, `D`, `H` or `S`."""
    drawn: int
    """The number of cards drawn in this turn."""
    passes: int
    """The number of turns in a row that were passed."""
    turns: int
    """The number of turns completed in this hand."""
    ledger: LedgerShown
    """The payments so far."""


# --- The table ------------------------------------------------------------------------------------


def view(s: State, seat: Seat | None) -> CrazyEightsShown:
    """Return the table as this seat knows it; cards it has not been shown are not in the state it is made of."""
    return {
        "phase": s.phase,
        "game_no": s.game_no,
        "hand_no": s.hand_no,
        "deal_no": s.deal_no,
        "dealer": None if s.dealer == NOBODY else s.dealer,
        "turn": None if s.turn == NOBODY else s.turn,
        "hand": [] if seat is None else card_names(s.hands[seat]),
        "hands": [None if BACK in hand else card_names(hand) for hand in s.hands],
        "hand_counts": [len(hand) for hand in s.hands],
        "stock_count": len(s.stock),
        "discard_top": NAMES[s.pile[-1]] if s.pile else None,
        "pile": card_names(s.pile),
        "suit": None if s.suit is None else SUITS[s.suit],
        "drawn": s.drawn,
        "passes": s.passes,
        "turns": s.turns,
        "scores": list(s.scores),
        "ledger": {"net": list(s.ledger.net)},
    }


# --- The scene ------------------------------------------------------------------------------------


def scene(s: State, seat: Seat | None) -> Scene:
    """Return the table as this seat knows it, as data."""
    seats = range(s.rules.seats)
    return Scene(
        s.phase,
        seat,
        tuple(describe_seat(s, i) for i in seats),
        tuple(table_zones(s)),
        numbers(hand=s.hand_no, drawn=s.drawn or None),
    )


def describe_seat(s: State, seat: Seat) -> SeatShown:
    """Describe a seat, with its net payments if hands are paid for."""
    net = s.ledger.net[seat] if any(s.ledger.net) else None
    held = badges(turn=seat in to_act(s), dealer=seat == s.dealer)
    return SeatShown(seat, held, numbers(score=s.scores[seat], net=net))


def table_zones(s: State) -> Iterator[Zone]:
    """Return the hands, the stock, and the pile; the pile names the suit to follow if its top card has another."""
    for i, hand in enumerate(s.hands):
        yield zone("hand", "fan", by_suit(hand), i)
    yield face_down_heap("stock", len(s.stock))
    named = s.pile and s.suit is not None and s.suit != SUIT_OF[s.pile[-1]]
    yield with_fields(zone("discard", "pile", s.pile), note=f"suit: {SUITS_IN_WORDS[s.suit or 0]}" if named else "")


def argument_places(s: State, seat: Seat) -> Where:
    """Say that cards to play lie in the hand, and that cards are drawn from the stock."""
    return {PlayCard: {"card": zone_pointer("hand", seat)}, DrawCard: {MOVE: zone_pointer("stock")}}


# --- Facts for standing orders --------------------------------------------------------------------


KINDS: Mapping[str, FactKind] = {
    "phase": FactKind.WORD,
    "hand_no": FactKind.NUMBER,
    "score": FactKind.NUMBER,
    "hand": FactKind.CARDS,
    "suit": FactKind.SUIT,
    "discard_top": FactKind.CARD,
    "stock_count": FactKind.NUMBER,
    "fewest_cards": FactKind.NUMBER,
}


def known_facts(s: State, seat: Seat) -> Mapping[str, Any]:
    """Return what the seat knows of the table; `suit` is the suit to follow."""
    return {
        "phase": s.phase,
        "hand_no": s.hand_no,
        "score": s.scores[seat],
        "hand": card_names(s.hands[seat]),
        "suit": None if s.suit is None else SUITS[s.suit],
        "discard_top": NAMES[s.pile[-1]] if s.pile else None,
        "stock_count": len(s.stock),
        "fewest_cards": fewest(s.hands, seat),
    }
