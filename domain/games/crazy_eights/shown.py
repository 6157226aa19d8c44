"""Shows a game of Crazy Eights to a seat or to spectators: the table, its scene, prompts, and facts for orders."""

from collections.abc import Iterator, Mapping
from typing import Any, TypedDict

from domain.core.cards import BACK, NAMES, RANK_OF, SUIT_OF, SUITS, CardName, Seat, card_names, fewest, seat_or_none
from domain.core.game import FactKind
from domain.core.highlights import won_by
from domain.core.prompts import SUITS_IN_WORDS, a_rank
from domain.core.scene import Scene, SeatShown, Zone, badges, by_suit, face_down_heap, numbers, zone
from domain.core.scene_pointers import MOVE, Where, zone_pointer
from domain.core.shown import CardTableShown
from domain.core.text import capitalise, ending_reason
from domain.core.values import with_fields
from domain.games.crazy_eights.events import DrawCard, PlayCard
from domain.games.crazy_eights.options import is_eight, worth
from domain.games.crazy_eights.rules import State, draws_used_up, may_pass, playable, supply, to_act


class LedgerShown(TypedDict):
    """The payments between the seats."""

    net: list[int]
    """The amount that each seat has collected in this game, less its payments."""


class CrazyEightsShown(CardTableShown):
    """The table of a game of Crazy Eights."""

    hands: list[list[CardName] | None]
    """The hand of each seat; null if the reader may not see it."""
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
    """The number of consecutive passes."""
    turns: int
    """The number of turns completed in this hand."""
    ledger: LedgerShown
    """The payments so far."""


# --- The table ------------------------------------------------------------------------------------


def view(s: State, seat: Seat | None) -> CrazyEightsShown:
    """Return the table as this seat knows it; the state has no cards that the seat was not shown."""
    return {
        "phase": s.phase,
        "game_no": s.game_no,
        "hand_no": s.hand_no,
        "deal_no": s.deal_no,
        "dealer": seat_or_none(s.dealer),
        "turn": seat_or_none(s.turn),
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
        tuple(table_notes(s)),
    )


def table_notes(s: State) -> Iterator[str]:
    """Return notes on what decided a finished hand or game."""
    if s.phase == "scored" and s.out is not None:
        yield f"Seat {s.out} went out and scored {sum(map(worth, s.hands))}."
    elif s.phase == "scored":
        yield "No one could play: the hand was blocked."
    if s.ended and not ending_reason(s.ended.reason):
        deed = "went out" if s.ended.winners == (s.out,) else ""
        yield from filter(None, (won_by(s.ended.totals, s.ended.winners, deed),))


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
    """Point from played cards to the hand, and from drawn ones to the stock."""
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
    """Return the facts that the seat knows and the view does not show."""
    return {
        "score": s.scores[seat],
        "fewest_cards": fewest(s.hands, seat),
    }


# --- The prompt -----------------------------------------------------------------------------------


def prompt(s: State, seat: Seat) -> str:
    """Return the seat's prompt."""
    cards = playable(s, s.hands[seat])
    ways = [fitting_cards(s)] if cards else []
    if supply(s) and not draws_used_up(s):
        ways.append("draw a card")
    if may_pass(s, cards):
        ways.append("pass")
    *first, last = ways
    asked = f"{', '.join(first)}, or {last}" if first else last
    return capitalise(asked) if cards else f"No card fits: {asked}"


def fitting_cards(s: State) -> str:
    """Name the cards that fit: the suit, the rank on top, and eights."""
    suit = SUITS_IN_WORDS[s.suit] if s.suit is not None else "any suit"
    ranks = [] if is_eight(s.pile[-1]) else [a_rank(RANK_OF[s.pile[-1]])]
    return f"play {', '.join([suit, *ranks])} or an 8"
