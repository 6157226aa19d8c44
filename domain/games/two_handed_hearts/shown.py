"""Shows Two-Handed Hearts to a seat or to spectators: the table, its scene, prompts, and facts for standing orders."""

from collections.abc import Iterator, Mapping
from typing import Any, TypedDict

from domain.core.cards import BACK, NAMES, CardName, Seat, card_names, fewest, seat_or_none
from domain.core.game import FactKind
from domain.core.highlights import won_by
from domain.core.prompts import follow
from domain.core.scene import Scene, SeatShown, Zone, badges, by_suit, face_down_heap, numbers, trick_zone, zone
from domain.core.scene_pointers import MOVE, Where, zone_pointer
from domain.core.shown import TrickTableShown
from domain.core.text import ending_reason, name_card
from domain.core.tricks import list_played, list_trick, so_far
from domain.games.two_handed_hearts.events import GameEnded, KeepCard, PlayCard, RejectCard, RevokeFound
from domain.games.two_handed_hearts.options import QS, SEATS, count_taken
from domain.games.two_handed_hearts.rules import State, phase, taken_by, to_act


class RevokeShown(TypedDict):
    """A revoke that was found."""

    seat: Seat
    """The seat that revoked."""
    trick_no: int
    """The trick in which it did."""
    card: CardName
    """The card that it played."""
    held: list[CardName]
    """The cards of the suit led that it held."""


class TwoHandedHeartsShown(TrickTableShown):
    """The table of a game of Two-Handed Hearts."""

    stock_count: int
    """The number of cards in the stock."""
    drawn: CardName | None
    """The card that the reader has drawn and must keep or reject."""
    waste: list[CardName]
    """The cards that the reader has discarded."""
    waste_count: int
    """The number of cards that both seats have discarded."""
    false_claims: list[int]
    """The number of false claims of each seat in this hand."""
    claims_passed: list[Seat]
    """The seats that claim no more revokes in this hand."""
    revokes: list[RevokeShown]
    """The revokes that were found in this hand."""


# --- The table ------------------------------------------------------------------------------------


def view(s: State, seat: Seat | None) -> TwoHandedHeartsShown:
    """Return the table as this seat knows it; the state has no cards that the seat was not shown."""
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
        "drawn": drawn_card(s),
        "waste": [] if seat is None else card_names(s.waste[seat]),
        "waste_count": sum(map(len, s.waste)),
        "scores": list(s.scores),
        "points": [count_taken(s.rules, taken_by(s, i)).card_points for i in SEATS],
        "trick": list_played(s.leader, s.trick, 2),
        "trick_no": trick_no(s),
        "last_trick": list_trick(s.tricks[-1], 2) if s.tricks else None,
        "tricks": [list_trick(trick, 2) for trick in s.tricks],
        "leader": seat_or_none(s.leader),
        "turn": seat_or_none(s.turn),
        "false_claims": list(s.false_claims),
        "claims_passed": [i for i in SEATS if s.passed[i]],
        "revokes": [listed_revoke(found) for found in s.revokes],
    }


def trick_no(s: State) -> int | None:
    """Return the number of the current trick, if the hand is in play."""
    return len(s.tricks) + 1 if s.phase == "playing" else None


def drawn_card(s: State) -> CardName | None:
    """Name the drawn card, if there is one and its face is known."""
    return None if s.drawn is None or s.drawn == BACK else NAMES[s.drawn]


def listed_revoke(found: RevokeFound) -> RevokeShown:
    """Show a revoke that was found."""
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
        numbers(hand=s.hand_no, trick=trick_no(s)),
        tuple(table_notes(s)),
    )


def table_notes(s: State) -> Iterator[str]:
    """Return notes on the revokes that were found, and on what decided a hand or game."""
    yield from (f"Seat {found.seat} revoked in trick {found.trick_no}." for found in s.revokes)
    if phase(s) == "scored":
        yield hand_in_a_sentence(s)
    if s.ended and not ending_reason(s.ended.reason) and (decided := game_in_a_sentence(s, s.ended)):
        yield decided


def hand_in_a_sentence(s: State) -> str:
    """Return who shot the moon, took the queen of spades, or took more points."""
    if s.moons[-1] is not None:
        return f"Seat {s.moons[-1]} shot the moon."
    piles = [taken_by(s, seat) for seat in SEATS]
    points = [count_taken(s.rules, pile).card_points for pile in piles]
    for seat in SEATS:
        if QS in piles[seat]:
            return f"Seat {seat} took the queen of spades, {points[seat]} points in all."
    most = points.index(max(points))
    return f"Seat {most} took more points: {points[most]}."


def game_in_a_sentence(s: State, ended: GameEnded) -> str:
    """Return by how much the game was won, and the last moon of the winner; empty if both seats share the win."""
    first = s.hand_no - len(s.moons) + 1
    shot = [f"shot the moon in hand {first + i}" for i, seat in enumerate(s.moons) if seat in ended.winners]
    return won_by(ended.totals, ended.winners, shot[-1] if shot else "")


def describe_seat(s: State, seat: Seat) -> SeatShown:
    """Describe a seat."""
    points = count_taken(s.rules, taken_by(s, seat)).card_points
    won = sum(trick.winner == seat for trick in s.tricks)
    false = s.false_claims[seat] or None
    held = badges(turn=seat in to_act(s), dealer=seat == s.dealer)
    return SeatShown(seat, held, numbers(score=s.scores[seat], points=points, tricks=won, false_claims=false))


def hand_zones(s: State) -> Iterator[Zone]:
    """Return the hands, and the cards that each seat has set aside."""
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
    """Return the trick, the last one, which may be of the hand before, and the cards taken before it."""
    yield trick_zone("trick", s.leader, s.trick, 2)
    for last in s.tricks[-1:] or s.before:
        yield trick_zone("last_trick", last.leader, last.cards, 2, last.winner)
    for i in SEATS:
        if count := sum(len(trick.cards) for trick in s.tricks[:-1] if trick.winner == i):
            yield face_down_heap("taken", count, i)


def argument_places(s: State, seat: Seat) -> Where:
    """Point from cards to play, or to discard for the drawn one, to the hand."""
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
    """Return the facts that the seat knows and the view does not show."""
    return {
        "score": s.scores[seat],
        "fewest_cards": fewest(s.hands, seat),
        **so_far(s.trick),
    }


# --- The prompt -----------------------------------------------------------------------------------


def prompt(s: State, seat: Seat) -> str:
    """Return the seat's prompt."""
    match s.phase:
        case "drawing":
            return f"Swap a card for the {name_card(s.drawn)}, or discard it"
        case "claiming":
            return "Claim a revoke, or accept all tricks"
        case _:
            return follow(s.trick, s.hands[seat]) if s.trick else "Lead any card"
