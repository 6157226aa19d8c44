"""Shows Hearts to a seat or to spectators: the table, its scene, prompts, and facts for standing orders."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, TypedDict

from domain.core.cards import (
    BACK,
    NAMES,
    OF_SUIT,
    SUIT_OF,
    Card,
    CardName,
    Cards,
    Seat,
    card_names,
    fewest,
    keep_cards,
    seat_or_none,
)
from domain.core.game import FactKind
from domain.core.highlights import won_by
from domain.core.prompts import follow, lead_only, some_cards
from domain.core.scene import Scene, SeatShown, Zone, badges, by_suit, face_down_heap, numbers, trick_zone, zone
from domain.core.scene_pointers import Where, zone_pointer
from domain.core.shown import TrickTableShown
from domain.core.text import ending_reason
from domain.core.tricks import list_played, list_trick, so_far
from domain.core.types import Doc
from domain.games.hearts.events import PASSED, GameEnded, PassCards, PlayCard, ReturnCard
from domain.games.hearts.options import QS, SEATS, STEPS, Direction
from domain.games.hearts.rules import Exchange, State, phase, playable, taken_by, to_act

_Passing = TypedDict(
    "_Passing", {"pass": Annotated[Direction, Doc("The direction in which cards are passed in this hand.")]}
)


class ExchangeShown(TypedDict):
    """The reader's own part in the exchange of cards; null before it happened, and for a spectator."""

    passed: list[CardName] | None
    """The cards that the reader passed."""
    received: list[CardName] | None
    """The cards that were passed to the reader."""
    returned: CardName | None
    """The card that the reader gave back."""
    regained: CardName | None
    """The card that the reader got back."""


class HeartsShown(TrickTableShown, _Passing, ExchangeShown):
    """The table of a game of Hearts."""

    hearts_open: bool
    """Whether hearts may be led."""
    two_of_clubs_shown: Seat | None
    """The seat that has shown the two of clubs."""


# --- The table ------------------------------------------------------------------------------------


def view(s: State, seat: Seat | None) -> HeartsShown:
    """Return the table as this seat knows it; the state has no cards that the seat was not shown."""
    return {
        "phase": phase(s),
        "game_no": s.game_no,
        "hand_no": s.hand_no,
        "deal_no": s.deal_no,
        "dealer": seat_or_none(s.dealer),
        "pass": s.direction,
        "hand": [] if seat is None else card_names(s.hands[seat]),
        "hands": [None if BACK in hand else card_names(hand) for hand in s.hands],
        "hand_counts": [len(hand) for hand in s.hands],
        "scores": list(s.scores),
        "points": [s.rules.scoring.points(taken_by(s.tricks, i)) for i in SEATS],
        "trick": list_played(s.leader, s.trick, 4),
        "trick_no": trick_no(s),
        "last_trick": list_trick(s.tricks[-1], 4) if s.tricks else None,
        "tricks": [list_trick(trick, 4) for trick in s.tricks[-s.rules.history :]],
        "leader": seat_or_none(s.leader),
        "turn": seat_or_none(s.turn),
        "hearts_open": s.hearts_open,
        "two_of_clubs_shown": s.shown,
        **exchange_shown(s.exchange, seat),
    }


def trick_no(s: State) -> int | None:
    """Return the number of the current trick, if the hand is in play."""
    return len(s.tricks) + 1 if phase(s) == "playing" else None


def exchange_shown(x: Exchange, seat: Seat | None) -> ExchangeShown:
    """Return the cards that a seat passed, received, gave back and got back; `None` before it did."""
    if seat is None:
        return {"passed": None, "received": None, "returned": None, "regained": None}
    return {
        "passed": several(x.passed[seat]),
        "received": several(x.received[seat]),
        "returned": card_name(x.returned[seat]),
        "regained": card_name(x.regained[seat]),
    }


def several(cards: Cards | None) -> list[str] | None:
    """Name cards, if there are any."""
    return None if cards is None else card_names(cards)


def card_name(card: Card | None) -> str | None:
    """Name a card, if there is one."""
    return None if card is None else NAMES[card]


# --- The scene ------------------------------------------------------------------------------------


def scene(s: State, seat: Seat | None) -> Scene:
    """Return the table as this seat knows it, as data."""
    return Scene(
        phase(s),
        seat,
        tuple(describe_seat(s, i) for i in SEATS),
        (*hand_zones(s), *tricks(s), *underway(s)),
        numbers(hand=s.hand_no, trick=trick_no(s)),
        tuple(table_notes(s)),
    )


def describe_seat(s: State, seat: Seat) -> SeatShown:
    """Describe a seat."""
    taken = s.rules.scoring.points(taken_by(s.tricks, seat))
    won = sum(trick.winner == seat for trick in s.tricks)
    held = badges(turn=seat in to_act(s), dealer=seat == s.dealer)
    return SeatShown(seat, held, numbers(score=s.scores[seat], points=taken, tricks=won))


def hand_zones(s: State) -> Iterator[Zone]:
    """Return the hands."""
    for i in SEATS:
        yield zone("hand", "fan", by_suit(s.hands[i]), i)


def tricks(s: State) -> Iterator[Zone]:
    """Return the trick, the last one, which may be of the hand before, and the cards taken before it."""
    yield trick_zone("trick", s.leader, s.trick, 4)
    for last in s.tricks[-1:] or s.before:
        yield trick_zone("last_trick", last.leader, last.cards, 4, last.winner)
    for i in SEATS:
        if taken := taken_by(s.tricks[:-1], i):
            yield face_down_heap("taken", len(taken), i)


def underway(s: State) -> Iterator[Zone]:
    """Return the cards that were passed or given back, and have not arrived."""
    for i in SEATS:
        if phase(s) == "passing" and (passed := s.exchange.passed[i]):
            yield zone("passed", "fan", by_suit(passed), i)
        if phase(s) == "returning" and (returned := s.exchange.returned[i]) is not None:
            yield zone("passed", "fan", (returned,), i)


def table_notes(s: State) -> Iterator[str]:
    """Return notes on the passing of cards, on whether hearts are broken, and on what decided a hand or game."""
    if phase(s) == "passing" and s.direction != "none":
        yield f"Cards are passed {PASSED[s.direction]}."
    if phase(s) == "returning":
        yield "Each seat returns one card to the seat that passed it."
    if phase(s) == "playing" and s.hearts_open:
        yield "Hearts are broken."
    if phase(s) == "scored":
        yield hand_in_a_sentence(s)
    if s.ended and not ending_reason(s.ended.reason) and (decided := game_in_a_sentence(s, s.ended)):
        yield decided


def hand_in_a_sentence(s: State) -> str:
    """Return who shot the moon, took the queen of spades, or took the most points."""
    if s.moons[-1] is not None:
        return f"Seat {s.moons[-1]} shot the moon."
    piles = [taken_by(s.tricks, seat) for seat in SEATS]
    points = [s.rules.scoring.points(pile) for pile in piles]
    if s.rules.scoring.points((QS,)):
        queen = next(seat for seat in SEATS if QS in piles[seat])
        return f"Seat {queen} took the queen of spades, {points[queen]} points in all."
    return f"Seat {points.index(max(points))} took the most points: {max(points)}."


def game_in_a_sentence(s: State, ended: GameEnded) -> str:
    """Return by how much the game was won, and the last moon of a winner; empty if all seats share the win."""
    first = s.hand_no - len(s.moons) + 1
    shot = [(first + i, seat) for i, seat in enumerate(s.moons) if seat in ended.winners]
    if len(ended.winners) == 1 and shot:
        return won_by(ended.totals, ended.winners, f"shot the moon in hand {shot[-1][0]}")
    return won_by(ended.totals, ended.winners)


def argument_places(s: State, seat: Seat) -> Where:
    """Point from all cards of moves to the hand, which includes received cards."""
    hand = zone_pointer("hand", seat)
    return {PassCards: {"cards": hand}, ReturnCard: {"card": hand}, PlayCard: {"card": hand}}


# --- Facts for standing orders --------------------------------------------------------------------


KINDS: Mapping[str, FactKind] = {
    "phase": FactKind.WORD,
    "hand_no": FactKind.NUMBER,
    "trick_no": FactKind.NUMBER,
    "score": FactKind.NUMBER,
    "hand": FactKind.CARDS,
    "led": FactKind.SUIT,
    "winning": FactKind.CARD,
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
    match phase(s):
        case "passing":
            return f"Choose {some_cards(s.rules.passing.count)} to pass to {receiver(s, seat)}"
        case "returning":
            return f"Choose a card to return to seat {(seat - STEPS[s.direction]) % 4}"
        case _ if s.trick:
            return f"{follow(s.trick, s.hands[seat])}{point_limit(s, seat)}"
        case _:
            return lead(s, seat)


def receiver(s: State, seat: Seat) -> str:
    """Name the seat that gets the cards, and its side."""
    if s.direction == "dealer":
        return "the dealer"
    return f"seat {(seat + STEPS[s.direction]) % 4}, {s.direction}"


def point_limit(s: State, seat: Seat) -> str:
    """Return the note that the first trick takes no points, if the rules hold cards back for that."""
    hand = s.hands[seat]
    kept_back = set(keep_cards(hand, OF_SUIT[SUIT_OF[s.trick[0]]]) or hand) - set(playable(s, hand))
    return " without points" if not s.tricks and kept_back & set(s.rules.scoring.harmful) else ""


def lead(s: State, seat: Seat) -> str:
    """Return which cards may be led."""
    hand = s.hands[seat]
    may = playable(s, hand)
    if len(may) == 1 and len(hand) > 1:
        return lead_only(may[0])
    if len(may) == len(hand):
        return "Lead any card"
    return "Lead any card but a heart" if s.tricks else "Lead a card without points"
