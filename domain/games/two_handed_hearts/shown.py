"""Shows a game of Two-Handed Hearts to a seat or to spectators: the table, its scene, and facts for standing orders."""

from collections.abc import Iterator, Mapping
from typing import Any, TypedDict

from domain.core.cards import BACK, NAMES, CardName, Seat, card_names, fewest
from domain.core.game import FactKind
from domain.core.scene import Scene, SeatShown, Zone, badges, by_suit, face_down_heap, numbers, trick_zone, zone
from domain.core.scene_pointers import MOVE, Where, zone_pointer
from domain.core.shown import TrickTableShown
from domain.core.tricks import list_played, list_trick, so_far
from domain.games.two_handed_hearts.events import KeepCard, PlayCard, RejectCard, RevokeFound
from domain.games.two_handed_hearts.options import SEATS, count_taken
from domain.games.two_handed_hearts.play import phase, taken_by, to_act
from domain.games.two_handed_hearts.table import NOBODY, State


class RevokeShown(TypedDict):
    """This is a revoke that was found."""

    seat: Seat
    """The seat that revoked."""
    trick_no: int
    """The trick in which it did."""
    card: CardName
    """The card that it played."""
    held: list[CardName]
    """The cards of the suit led that it held."""


class TwoHandedHeartsShown(TrickTableShown):
    """This is the table of a game of Two-Handed Hearts."""

    stock_count: int
    """The number of cards in the stock."""
    drawn: CardName | None
    """The card that the reader has drawn, and is to keep or lay away."""
    waste: list[CardName]
    """The cards that the reader has laid away."""
    waste_count: int
    """The number of cards that both seats have laid away."""
    false_claims: list[int]
    """The number of false claims of each seat in this hand."""
    claims_passed: list[Seat]
    """The seats that claim no more revokes in this hand."""
    revokes: list[RevokeShown]
    """The revokes that were found in this hand."""


# --- The table ------------------------------------------------------------------------------------


def view(s: State, seat: Seat | None) -> TwoHandedHeartsShown:
    """Return the table as this seat knows it; cards it has not been shown are not in the state it is made of."""
    return {
        "phase": phase(s),
        "game_no": s.game_no,
        "hand_no": s.hand_no,
        "deal_no": s.deal_no,
        "dealer": seat_or_none(s.dealer),
        "hand": [] if seat is None else card_names(s.hands[seat]),
        "hands": [None if BACK in hand else card_names(hand) for hand in s.hands],
        "hand_counts": [len(hand) for hand in s.hands],
        "stock_count": len(s.stock),
        "drawn": None if s.drawn in (None, BACK) else NAMES[s.drawn or 0],
        "waste": [] if seat is None else card_names(s.waste[seat]),
        "waste_count": sum(map(len, s.waste)),
        "scores": list(s.scores),
        "points": [count_taken(s.rules, taken_by(s, i)).card_points for i in SEATS],
        "trick": list_played(s.leader, s.trick, 2),
        "trick_no": len(s.tricks) + 1 if s.phase == "playing" else None,
        "last_trick": list_trick(s.tricks[-1], 2) if s.tricks else None,
        "tricks": [list_trick(trick, 2) for trick in s.tricks],
        "leader": seat_or_none(s.leader),
        "turn": seat_or_none(s.turn),
        "false_claims": list(s.false_claims),
        "claims_passed": [i for i in SEATS if s.passed[i]],
        "revokes": [listed_revoke(found) for found in s.revokes],
    }


def seat_or_none(seat: Seat) -> Seat | None:
    """Return the seat, if it is one."""
    return None if seat == NOBODY else seat


def listed_revoke(found: RevokeFound) -> RevokeShown:
    """List a revoke that was found."""
    card, held = NAMES[found.card], card_names(found.held)
    return {"seat": found.seat, "trick_no": found.trick_no, "card": card, "held": held}


# --- The scene ------------------------------------------------------------------------------------


def scene(s: State, seat: Seat | None) -> Scene:
    """Return the table as this seat knows it, as data."""
    return Scene(
        phase(s),
        seat,
        tuple(describe_seat(s, i) for i in SEATS),
        (*hand_zones(s), *drawing(s), *tricks(s)),
        numbers(hand=s.hand_no, trick=len(s.tricks) + 1 if s.phase == "playing" else None),
        tuple(f"Seat {found.seat} revoked in trick {found.trick_no}." for found in s.revokes),
    )


def describe_seat(s: State, seat: Seat) -> SeatShown:
    """Describe a seat."""
    points = count_taken(s.rules, taken_by(s, seat)).card_points
    won = sum(trick.winner == seat for trick in s.tricks)
    false = s.false_claims[seat] or None
    held = badges(turn=seat in to_act(s), dealer=seat == s.dealer)
    return SeatShown(seat, held, numbers(score=s.scores[seat], points=points, tricks=won, false_claims=false))


def hand_zones(s: State) -> Iterator[Zone]:
    """Return the hands, and what each seat has set aside."""
    for i in SEATS:
        yield zone("hand", "fan", by_suit(s.hands[i]), i)
        if s.waste[i]:
            yield zone("set_aside", "pile", s.waste[i], i)


def drawing(s: State) -> Iterator[Zone]:
    """Return the stock, and the card drawn from it that is neither kept nor rejected."""
    yield face_down_heap("stock", len(s.stock))
    if s.drawn is not None:
        yield zone("drawn", "row", (s.drawn,), s.turn)


def tricks(s: State) -> Iterator[Zone]:
    """Return the trick, the last one, which may be of the hand before, and what was taken before it."""
    yield trick_zone("trick", s.leader, s.trick, 2)
    for last in s.tricks[-1:] or s.before:
        yield trick_zone("last_trick", last.leader, last.cards, 2, last.winner)
    for i in SEATS:
        if count := sum(len(trick.cards) for trick in s.tricks[:-1] if trick.winner == i):
            yield face_down_heap("taken", count, i)


def argument_places(s: State, seat: Seat) -> Where:
    """Say that cards to play, and to lay away for the one that was drawn, lie in the hand."""
    hand = zone_pointer("hand", seat)
    drawn: Where = {RejectCard: {MOVE: zone_pointer("drawn", seat)}} if s.drawn is not None else {}
    return {KeepCard: {"discard": hand}, PlayCard: {"card": hand}, **drawn}


# --- Facts for standing orders --------------------------------------------------------------------


KINDS: Mapping[str, FactKind] = {
    "phase": FactKind.WORD,
    "hand_no": FactKind.NUMBER,
    "trick_no": FactKind.NUMBER,
    "score": FactKind.NUMBER,
    "hand": FactKind.CARDS,
    "led": FactKind.SUIT,
    "winning": FactKind.CARD,
    "drawn": FactKind.CARD,
    "stock_count": FactKind.NUMBER,
    "fewest_cards": FactKind.NUMBER,
}


def known_facts(s: State, seat: Seat) -> Mapping[str, Any]:
    """Return what the seat knows of the table; the card drawn is known to the seat that drew it."""
    return {
        "phase": phase(s),
        "hand_no": s.hand_no,
        "trick_no": len(s.tricks) + 1 if s.phase == "playing" else None,
        "score": s.scores[seat],
        "hand": card_names(s.hands[seat]),
        "drawn": None if s.drawn is None or s.drawn == BACK else NAMES[s.drawn],
        "stock_count": len(s.stock),
        "fewest_cards": fewest(s.hands, seat),
        **so_far(s.trick),
    }
