"""The state of a game of poker, and what each event makes of it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, assert_never

from domain.core.cards import BACK, Cards, Seat, add, backs, remove
from domain.core.clock import Time
from domain.core.values import Copied, changed, put
from domain.poker import betting
from domain.poker.betting import NOBODY, Chips, Round
from domain.poker.button import Positions
from domain.poker.events import (
    AntePosted,
    BetReturned,
    BetsCollected,
    BlindPosted,
    BoardDealt,
    ButtonDrawn,
    CardsShown,
    CardsSwapped,
    DrawCompleted,
    Event,
    GameEnded,
    GameStarted,
    HandDealt,
    HandMucked,
    HandSettled,
    HandShown,
    HandStarted,
    LevelRaised,
    LevelsTimed,
    PlayerBet,
    PlayerCalled,
    PlayerChecked,
    PlayerEliminated,
    PlayerFolded,
    PlayerRaised,
    PlayerWithdrawn,
    PotAwarded,
    PotsFormed,
    RebuyMade,
    StacksBrought,
    StacksReset,
    StockRanOut,
    StockRebuilt,
    TableLeft,
)
from domain.poker.options import Rules, Stakes
from domain.poker.pots import Pots

DECK: Final = 52

AFTER_BETTING: Final = {"bet1": "draw"}
"""The phases that follow betting without more ado."""


@dataclass(slots=True)
class State(Copied):
    """A table. What every seat has in front of it is in the round that is on, or was last."""

    rules: Rules
    game_no: int
    hand_no: int
    stakes: Stakes
    round: Round
    hands: tuple[Cards, ...]
    paid: Chips  # in this hand, as far as it counts for the levels of pots
    before: Chips  # the stacks at the start of the hand
    buy_ins: Chips
    ledger: Chips  # what resets of the stacks have brought
    shown: tuple[Cards, ...]  # face up
    discards: tuple[Cards, ...]
    places: tuple[int, ...]  # of those who are out of a tournament; 0: not yet
    resigned: tuple[Seat, ...] = ()  # in the order in which they gave up
    left: tuple[Seat, ...] = ()
    phase: str = "hand_setup"
    deal_no: int = 0
    at: Positions = Positions(NOBODY, NOBODY, NOBODY)  # noqa: RUF009 -- never changes
    deck: Cards = ()  # the top card first
    board: Cards = ()
    burnt: Cards = ()
    open: bool = False  # a betting round is on
    dead: int = 0  # ante money that counts for no level
    pots: Pots = ()  # formed, and not yet won
    mucked: tuple[Seat, ...] = ()
    swapped: tuple[Seat, ...] = ()
    swaps: tuple[int, ...] = ()  # how many cards each of them has drawn
    dealt: tuple[Seat, ...] = ()  # who was dealt into the hand
    swapping: StockRanOut | None = None  # who waits for a new stock
    rebuilds: int = 0
    level: int = 1
    timed_from: Time | None = None
    ended: GameEnded | None = None

    @property
    def stacks(self) -> Chips:
        return self.round.stacks


def start(rules: Rules, last: State | None) -> State:
    """Give the state before the first event. Among more than two, who gave up the game before is out for good."""
    n = rules.seats
    gone = last.resigned if last is not None and n > 2 else ()
    stacks = tuple(0 if seat in gone else rules.stack for seat in range(n))
    none, nothing = (0,) * n, ((),) * n
    idle = betting.opened(
        rules.limits("preflop" if rules.blinds else "bet1", rules.stakes), stacks, (False,) * n
    )
    counted = (last.game_no, last.hand_no) if last else (0, 0)
    places = tuple(n - gone.index(seat) if seat in gone and rules.tournament else 0 for seat in range(n))
    buy_ins = tuple(int(seat not in gone) for seat in range(n))
    return State(
        rules,
        *counted,
        rules.stakes,
        idle,
        nothing,
        none,
        stacks,
        buy_ins,
        none,
        nothing,
        nothing,
        places,
        gone,
    )


# --- What there is --------------------------------------------------------------------------------------


def playing(s: State) -> bool:
    """Say whether a hand is on."""
    return s.phase not in ("hand_setup", "settled", "game_over")


def alive(s: State) -> list[Seat]:
    """Give the seats that are dealt into the next hand: those with chips that have not left."""
    return [seat for seat, stack in enumerate(s.stacks) if stack and seat not in (*s.left, *s.resigned)]


def out(s: State) -> tuple[Seat, ...]:
    """Give the seats that take no more part in the game."""
    in_hand = s.round.live if playing(s) else (False,) * s.rules.seats
    here = {*alive(s), *(seat for seat, live in enumerate(in_hand) if live)}
    return tuple(seat for seat in range(s.rules.seats) if seat not in here)


def middle(s: State) -> int:
    """Give all that lies in the middle."""
    return sum(s.paid) + s.dead if s.phase != "showdown" else sum([pot.amount for pot in s.pots])


def nets(s: State) -> Chips:
    """Give what each seat is ahead or behind, as it was before a hand that is on."""
    chips = s.before if playing(s) else s.stacks
    rows = zip(chips, s.ledger, s.buy_ins, strict=True)
    return tuple(mine + ledger - bought * s.rules.stack for mine, ledger, bought in rows)


# --- What an event makes of it --------------------------------------------------------------------------


def evolve(s: State, event: Event) -> None:
    """Let the state be what it is after the event. What a seat was not shown is backs of cards."""
    match event:
        case PlayerFolded():
            s.round = betting.folded(s.round, event.seat)
        case PlayerChecked():
            s.round = betting.answered(s.round, event.seat, 0)
        case PlayerCalled():
            s.round = betting.answered(s.round, event.seat, event.amount)
            _count(s, event.seat, event.amount)
        case PlayerBet() | PlayerRaised():
            s.round = betting.raised(s.round, event.seat, event.to)
            _count(s, event.seat, event.amount)
        case BetsCollected():
            s.round, s.open = betting.closed(s.round), False
            s.phase = AFTER_BETTING.get(s.phase, s.phase)
        case BetReturned():
            _gain(s, event.seat, event.amount)
            _count(s, event.seat, -event.amount)
        case PotsFormed():
            s.pots = event.pots
        case PotAwarded():
            for share in event.winners:
                _gain(s, share.seat, share.amount)
            s.phase, s.pots = "showdown", s.pots[:-1]
        case HandShown():
            s.hands = put(s.hands, event.seat, event.cards)
            s.shown = put(s.shown, event.seat, event.cards)
        case HandMucked():
            s.mucked += (event.seat,)
        case HandSettled():
            s.phase, s.paid, s.dead = "settled", (0,) * s.rules.seats, 0
        case HandStarted() | HandDealt() | AntePosted() | BlindPosted():
            _deal(s, event)
        case BoardDealt() | CardsSwapped() | StockRanOut() | StockRebuilt() | DrawCompleted() | CardsShown():
            _turn_cards(s, event)
        case GameStarted():
            s.game_no = event.game_no
        case ButtonDrawn():
            s.at = changed(s.at, button=event.seat)
        case LevelsTimed():
            s.timed_from = event.at
        case LevelRaised():
            s.level, s.stakes = event.level, Stakes(event.small, event.big, event.ante)
        case RebuyMade():
            _gain(s, event.seat, event.stack)
            s.buy_ins = put(s.buy_ins, event.seat, event.buy_ins)
        case StacksReset():
            stacks = tuple(event.stack if seat in resets(s) else stack for seat, stack in enumerate(s.stacks))
            s.round, s.ledger = changed(s.round, stacks=stacks), event.ledger
        case StacksBrought():
            s.round = changed(s.round, stacks=event.stacks)
            s.ledger = tuple(s.rules.stack - mine for mine in event.stacks)
        case TableLeft():
            s.left += (event.seat,)
        case PlayerWithdrawn():
            s.resigned += (event.seat,)
        case PlayerEliminated():
            _gain(s, event.seat, -event.chips)
            s.places = put(s.places, event.seat, event.place)
        case GameEnded():
            s.phase, s.ended = "game_over", event
        case _:
            assert_never(event)


def resets(s: State) -> list[Seat]:
    """Give the seats that stay, with chips or without: their stacks are what they are set to."""
    return [seat for seat in range(s.rules.seats) if seat not in (*s.left, *s.resigned)]


def _gain(s: State, seat: Seat, amount: int) -> None:
    """Give chips to a seat."""
    s.round = changed(s.round, stacks=put(s.stacks, seat, s.stacks[seat] + amount))


def _count(s: State, seat: Seat, amount: int) -> None:
    """Count chips as put in by a seat."""
    s.paid = put(s.paid, seat, s.paid[seat] + amount)


def _deal(s: State, event: HandStarted | HandDealt | AntePosted | BlindPosted) -> None:
    match event:
        case HandStarted():
            _clear(s, event)
        case BlindPosted(kind="ante") if s.rules.big_ante:
            _gain(s, event.seat, -event.amount)
            s.dead += event.amount
        case AntePosted() | BlindPosted(kind="ante"):
            _gain(s, event.seat, -event.amount)
            _count(s, event.seat, event.amount)
        case BlindPosted():
            s.round = betting.paid(s.round, event.seat, event.amount)
            _count(s, event.seat, event.amount)
        case HandDealt():
            rows = zip(event.cards, event.counts, strict=True)
            s.hands = tuple(backs(count) if cards is None else cards for cards, count in rows)
            s.deck = backs(DECK - sum(event.counts)) if event.deck is None else event.deck
            first = s.at.big if s.rules.blinds else s.at.button
            s.phase, s.open = "preflop" if s.rules.blinds else "bet1", True
            s.round = betting.begun(s.round, first, s.stakes.big)


def _clear(s: State, event: HandStarted) -> None:
    """Begin a hand with an empty table. The place of a small blind that nobody posts is that of the last big blind."""
    n = s.rules.seats
    nothing: tuple[Cards, ...] = ((),) * n
    small = s.at.big if event.small_blind is None else event.small_blind
    big = NOBODY if event.big_blind is None else event.big_blind
    s.hand_no, s.deal_no, s.at = event.hand_no, event.deal_no, Positions(event.button, small, big)
    s.before, s.phase = s.stacks, "blinds" if s.rules.blinds else "ante"
    s.hands, s.deck, s.board, s.burnt = nothing, (), (), ()
    s.shown, s.mucked, s.discards, s.swapped, s.rebuilds = nothing, (), nothing, (), 0
    s.pots, s.swaps = (), ()
    live = tuple(stack > 0 for stack in event.stacks)
    s.dealt = tuple(seat for seat in range(n) if live[seat])
    s.round = betting.opened(_limits(s, "preflop" if s.rules.blinds else "bet1"), s.stacks, live)


def _limits(s: State, phase: str) -> betting.Limits:
    return s.rules.limits(phase, s.stakes)


def _turn_cards(
    s: State, event: BoardDealt | CardsSwapped | StockRanOut | StockRebuilt | DrawCompleted | CardsShown
) -> None:
    match event:
        case BoardDealt():
            s.burnt += s.deck[:1]
            s.board, s.deck = s.board + event.cards, s.deck[1 + len(event.cards) :]
            _bet_again(s, event.street)
        case DrawCompleted():
            _bet_again(s, "bet2")
        case CardsSwapped():
            s.swapped, s.swapping, s.deck = (*s.swapped, event.seat), None, s.deck[event.count :]
            s.swaps += (event.count,)
            discarded = backs(event.count) if event.discarded is None else event.discarded
            s.discards = put(s.discards, event.seat, discarded)
            if event.discarded is not None and event.drawn is not None:
                kept = remove(s.hands[event.seat], *event.discarded)
                s.hands = put(s.hands, event.seat, add(kept, event.drawn))
        case StockRanOut():
            s.swapping = event
        case StockRebuilt():
            s.deck += backs(event.count) if event.stock is None else event.stock
            rows = zip(s.hands, s.round.live, strict=True)
            s.hands = tuple(hand if live else () for hand, live in rows)
            s.discards, s.rebuilds = ((),) * s.rules.seats, s.rebuilds + 1
        case CardsShown():
            s.shown = put(s.shown, event.seat, add(s.shown[event.seat], event.cards))
            s.hands = put(s.hands, event.seat, known(s.hands[event.seat], event.cards))


def _bet_again(s: State, phase: str) -> None:
    """Come to a phase, and let there be betting if two can bet."""
    s.phase = phase
    if len(betting.able(s.round)) > 1:
        s.open = True
        fresh = betting.opened(_limits(s, phase), s.stacks, s.round.live)
        s.round = betting.begun(fresh, s.at.button)


def known(hand: Cards, shown: Iterable[int]) -> Cards:
    """Turn cards of a hand face up."""
    cards = [c for c in shown if c not in hand]
    seen = [c for c in hand if c != BACK]
    return tuple(sorted((*backs(len(hand) - len(seen) - len(cards)), *seen, *cards)))  # type: ignore[arg-type]
