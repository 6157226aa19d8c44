"""Defines the moves, events and state of Trio, and the effects of events on the state."""

from dataclasses import replace
from typing import Annotated, Literal, assert_never

from domain.core.cards import BACK, NOBODY, Seat, add_cards, next_seat
from domain.core.clock import Time
from domain.core.event_fields import GameNo, HandNo, Places, Winners
from domain.core.options import Range
from domain.core.types import Doc
from domain.core.values import Compiled, Copied, mutable, or_back, put_at, value
from domain.core.visibility import Fading, Hidden, PerSeat, Private
from domain.games.trio.options import Number, Numbers, Options, Rules, compile_rules

End = Literal["lowest", "highest"]


# --- Moves: the seats', then those of chance (trio 2, 3) ----------------------------------------


@value
class RevealLowest:
    seat: Annotated[int, Range(0, 5)]
    """The seat whose lowest card to reveal, which can be your own."""


@value
class RevealHighest:
    seat: Annotated[int, Range(0, 5)]
    """The seat whose highest card to reveal, which can be your own."""


@value
class RevealMiddle:
    position: int
    """The position in the middle, from 0."""


@value
class OfferSwap:
    card: Annotated[Number, Range(1, 12)]
    """The number of the card to give."""


@value
class DeclineSwap:
    pass


@value
class PickFirst:
    """Choose the first player among the possible seats, counted from 0."""

    index: int


@value
class Deal:
    pack: Numbers


Reveal = RevealLowest | RevealHighest | RevealMiddle
Move = Reveal | OfferSwap | DeclineSwap | PickFirst | Deal


# --- Events (trio 2–9) --------------------------------------------------------------------------


@value
class Source:
    """The place of a card: an end of a seat's hand, or a position in the middle."""

    kind: Literal["hand", "middle"]
    """Whether it is in a hand or in the middle."""
    seat: Seat | None = None
    """The seat whose hand it is."""
    end: End | None = None
    """The end of the hand."""
    position: int | None = None
    """The position in the middle, from 0."""


TeamNo = Annotated[int, Doc("The number of the team, from 0.")]
Sources = tuple[Source, ...]


@value
class GameStarted:
    game_no: GameNo
    cards_each: int
    """The number of cards that each seat gets."""
    middle_count: int
    """The number of cards in the middle."""


@value
class AvocadoRemembered:
    """A player stated in the lobby when they ate an avocado; other seats learn it at the start."""

    seat: Seat
    eaten_at: Private[Time]
    """When the player last ate an avocado."""


@value
class AvocadoStated:
    seat: Seat
    eaten_at: Time
    """When its player last ate an avocado."""


@value
class FirstPlayerChosen:
    seat: Seat
    how: Literal["avocado", "random", "pick", "left"]
    """How the first player was chosen: by avocado, at random, by the options, or by rotation to the left."""


@value
class HandStarted:
    hand_no: HandNo


@value
class HandDealt:
    cards: PerSeat[Numbers]
    """The hand of the reader, by numbers."""
    middle: Hidden[Numbers]
    """The cards in the middle, by position."""


@value
class SwapWindowOpened:
    reason: Literal["start", "trio"]
    """Why partners may swap: at the start, or after a trio."""
    teams: tuple[int, ...]
    """The teams that may swap."""


@value
class SwapAnswered:
    """A partner has answered; only that partner knows the answer (trio 10.8)."""

    seat: Seat
    card: Private[Number]
    """The offered number; null if the swap was declined."""
    answer: Private[Literal["offer", "decline"]]
    """Whether a card was offered."""


@value
class SwapMade:
    """Partners swapped a card; each knows the given and the received one."""

    team: TeamNo
    gave: PerSeat[Number]
    """The number that the reader gave; null for others."""
    got: PerSeat[Number]
    """The number that the reader got; null for others."""


@value
class SwapNotMade:
    team: TeamNo


@value
class SwapWindowClosed:
    pass


@value
class CardRevealed:
    """A card is turned up. `turn_no` counts turns through the whole match: by it the number is forgotten (trio 8)."""

    by: Seat
    """The seat whose turn it is."""
    source: Source
    """The position of the card."""
    number: Fading[Number]
    """The number of the card."""
    nth: int
    """Which card of the turn it is, from 1."""
    turn_no: int
    """The number of the turn in the match, from 1."""


@value
class RevealsReturned:
    sources: Sources
    """The positions of the cards turned face down again, in the order in which they were revealed."""


@value
class TrioCompleted:
    seat: Seat
    team: int | None
    """The number of its team, from 0; null without teams."""
    number: Number
    """The number of the three cards."""
    sources: Sources
    """The positions of the cards, in the order in which they were revealed."""


@value
class GameEnded:
    """The game ended. `winner` is a seat or a team; `trios` and `ranking` (places from 1) are seat by seat."""

    winner: int | None
    """The winning team, or the winning seat without teams; null if no single side won."""
    by: str
    """How the game was won, or why it ended."""
    trios: tuple[Numbers, ...]
    """The numbers of the trios taken, seat by seat."""
    ranking: Places[tuple[int, ...]]
    winners: Winners


Event = (
    AvocadoRemembered
    | GameStarted
    | AvocadoStated
    | FirstPlayerChosen
    | HandStarted
    | HandDealt
    | SwapWindowOpened
    | SwapAnswered
    | SwapMade
    | SwapNotMade
    | SwapWindowClosed
    | CardRevealed
    | RevealsReturned
    | TrioCompleted
    | GameEnded
)


# --- The state, and the effects of events ------------------------------------------------------------------


@value
class FaceUp:
    """A face-up card of this turn: the shown number, and the card that returns to its place.

    For a seat that does not own the card, a back returns, so the table keeps no number once it is turned down (trio 8).
    The number is None once it is forgotten.
    """

    source: Source
    number: Number | None
    card: Number


@value
class Trio:
    seat: Seat
    number: Number


@value
class Window:
    """The last swap window: the seats that answered, the settled teams, and the swaps that the reader saw."""

    reason: Literal["start", "trio"]
    teams: tuple[int, ...]
    offers: tuple[Number | None, ...]
    answered: tuple[Seat, ...] = ()
    settled: tuple[int, ...] = ()
    made: tuple[SwapMade, ...] = ()


@mutable
class State(Copied):
    """The state of a table.

    `hands` and `middle` have the face-down cards; a turn begins with its first reveal.
    """

    rules: Compiled[Rules]
    game_no: int
    hand_no: int
    turn_no: int
    """The number of the latest turn that has begun, counted through the match."""
    before: int
    """The number of turns of the games before this one."""
    last_first: Seat
    """The seat that began the game before this one."""
    hands: tuple[Numbers, ...]
    avocados: tuple[Time | None, ...]
    middle: tuple[Number | None, ...] = ()
    """The cards in the middle; None for an empty position."""
    phase: str = "setup"
    opened: bool = False
    first: Seat = NOBODY
    turn: Seat = NOBODY
    face_up: tuple[FaceUp, ...] = ()
    trios: tuple[Trio, ...] = ()
    swaps_due: Literal["", "start", "trio"] = ""
    """The reason for which a swap window may open before the next turn."""
    window: Window | None = None
    ended: GameEnded | None = None


def start(options: Options, seats: int, last: State | None) -> State:
    """Return the state before the first event; the numbers of games, hands and turns continue from the last game."""
    counted = (last.game_no, last.hand_no, last.turn_no, last.turn_no, last.first) if last else (0, 0, 0, 0, NOBODY)
    return State(compile_rules(options, seats), *counted, ((),) * seats, (None,) * seats)


def evolve(s: State, event: Event) -> None:
    """Apply an event to the state. A card hidden from a seat is a back."""
    match event:
        case CardRevealed():
            card = lift(s, event.source)
            s.face_up += (FaceUp(event.source, event.number, card),)
            s.turn_no, s.swaps_due = event.turn_no, ""
        case RevealsReturned():
            for source, up in zip(reversed(event.sources), reversed(s.face_up), strict=True):
                lay_back(s, source, up.card)
            s.face_up, s.turn = (), next_seat(s.turn, s.rules.seats)
        case TrioCompleted():
            s.trios += (Trio(event.seat, event.number),)
            s.face_up, s.turn, s.swaps_due = (), next_seat(s.turn, s.rules.seats), "trio"
        case SwapWindowOpened():
            s.phase, s.swaps_due = "swap_window", ""
            s.window = Window(event.reason, event.teams, (None,) * s.rules.seats)
        case SwapAnswered():
            w = window(s)
            offers = put_at(w.offers, event.seat, event.card)
            s.window = replace(w, offers=offers, answered=(*w.answered, event.seat))
        case SwapMade():
            w = window(s)
            for seat, exchange in enumerate(zip(event.gave, event.got, strict=True)):
                swap(s, seat, exchange)
            s.window = replace(w, settled=(*w.settled, event.team), made=(*w.made, event))
        case SwapNotMade():
            w = window(s)
            s.window = replace(w, settled=(*w.settled, event.team))
        case SwapWindowClosed():
            s.phase = "revealing"
        case GameStarted():
            s.opened, s.game_no = True, event.game_no
        case AvocadoRemembered():
            # The match keeps it until the game begins.
            pass
        case AvocadoStated():
            s.avocados = put_at(s.avocados, event.seat, event.eaten_at)
        case FirstPlayerChosen():
            s.first = s.turn = event.seat
        case HandStarted():
            s.hand_no = event.hand_no
        case HandDealt():
            s.phase, s.swaps_due = "revealing", "start"
            s.hands = tuple(or_back(hand, (BACK,) * s.rules.each) for hand in event.cards)
            s.middle = or_back(event.middle, (BACK,) * s.rules.in_middle)
        case GameEnded():
            s.phase, s.ended = "game_over", event
        case _:
            assert_never(event)


def lift(s: State, source: Source) -> Number:
    """Remove the card at this place from the face-down cards."""
    match source:
        case Source(position=int() as position):
            card = s.middle[position]
            s.middle = put_at(s.middle, position, None)
            assert card is not None
            return card
        case Source(end="lowest"):
            card, *rest = s.hands[seat_of(source)]
        case _:
            *rest, card = s.hands[seat_of(source)]
    s.hands = put_at(s.hands, seat_of(source), tuple(rest))
    return card


def lay_back(s: State, source: Source, card: Number) -> None:
    """Put a card back where it was; the one revealed last goes first."""
    match source:
        case Source(position=int() as position):
            s.middle = put_at(s.middle, position, card)
        case Source(seat=int() as seat, end="lowest"):
            s.hands = put_at(s.hands, seat, (card, *s.hands[seat]))
        case Source(seat=int() as seat):
            s.hands = put_at(s.hands, seat, (*s.hands[seat], card))


def seat_of(source: Source) -> Seat:
    """Return the seat whose hand the card is in."""
    assert source.seat is not None
    return source.seat


def swap(s: State, seat: Seat, exchange: tuple[Number | None, Number | None]) -> None:
    """Exchange a card of a seat's hand.

    A hand whose cards the reader does not know stays the same: only the number of cards is known.
    """
    match exchange:
        case (int() as gave, int() as got):
            hand = s.hands[seat]
            i = hand.index(gave)
            s.hands = put_at(s.hands, seat, add_cards((*hand[:i], *hand[i + 1 :]), (got,)))


def window(s: State) -> Window:
    """Return the swap window that is open."""
    assert s.window is not None
    return s.window
