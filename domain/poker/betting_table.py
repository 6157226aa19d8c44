"""Defines the state of a poker game, and the effects of each event."""

from typing import Final, assert_never

from domain.core.cards import NOBODY, Cards, Seat, add_cards, backs, remove_cards
from domain.core.clock import Time
from domain.core.values import Compiled, Copied, mutable, or_back, put_at, with_fields
from domain.poker import betting, betting_events
from domain.poker.betting import Chips, Round
from domain.poker.betting_options import Rules, Stakes
from domain.poker.button import Posts
from domain.poker.pots import Pots

DECK: Final = 52


@mutable
class State(Copied):
    """The state of a table; the current or last betting round has each seat's bets."""

    rules: Compiled[Rules]
    game_no: int
    hand_no: int
    stakes: Stakes
    round: Round
    hands: tuple[Cards, ...]
    paid: Chips
    """The chips paid in this hand that count for the levels of pots."""
    before: Chips
    """The stacks at the start of the hand."""
    buy_ins: Chips
    ledger: Chips
    """The chips that resets of the stacks have brought."""
    shown: tuple[Cards, ...]
    """The face-up cards of each seat."""
    discards: tuple[Cards, ...]
    places: tuple[int, ...]
    """The places of seats that are out of a tournament; 0 for the others."""
    resigned: tuple[Seat, ...] = ()
    """The seats that gave up, in order."""
    left: tuple[Seat, ...] = ()
    phase: str = "hand_setup"
    deal_no: int = 0
    at: Posts = Posts(NOBODY)
    last_big: Seat | None = None
    """The seat that posted the big blind in the hand before."""
    deck: Cards = ()
    """The deck; its top card is the first."""
    board: Cards = ()
    burnt: Cards = ()
    open: bool = False
    """Whether a betting round is on."""
    dead: int = 0
    """The ante money that counts for no level."""
    pots: Pots = ()
    """The pots formed and not yet won."""
    mucked: tuple[Seat, ...] = ()
    folded: tuple[Seat, ...] = ()
    swapped: tuple[Seat, ...] = ()
    swaps: tuple[int, ...] = ()
    """The number of cards that each of them has drawn."""
    swapping: betting_events.StockRanOut | None = None
    """The draw that waits for a new stock."""
    rebuilds: int = 0
    level: int = 1
    timed_from: Time | None = None
    staked: bool = False
    """Whether the game is one stage of a tournament of many tables, with its stacks."""
    until: int = 0
    """The number of the last hand even if several seats have chips; 0 if there is none."""
    big_gone: bool = False
    """Whether the seat that posted the big blind of the hand before is no longer at the table."""
    exits: tuple[tuple[int, int, tuple[Seat, ...]], ...] = ()
    """For each seat that is out, the hand in which it was eliminated, its chips before, and who had resigned by then.

    (0, 0, ()) for others.
    """
    last_won: betting_events.PotAwarded | None = None
    """The pot that was won last; of a hand with several pots, the main pot."""
    ended: betting_events.GameEnded | None = None

    @property
    def stacks(self) -> Chips:
        return self.round.stacks


def start(rules: Rules, last: State | None) -> State:
    """Return the initial state. With more than two seats, one that resigned an earlier game stays out."""
    n = rules.seats
    gone = last.resigned if last is not None and n > 2 else ()
    stacks = tuple(0 if seat in gone else rules.stack for seat in range(n))
    none, nothing = (0,) * n, ((),) * n
    idle = betting.open_round(rules.limits("preflop" if rules.blinds else "bet1", rules.stakes), stacks, (False,) * n)
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
        exits=((0, 0, ()),) * n,
    )


# --- Queries -----------------------------------------------------------------------------------------------


def playing(s: State) -> bool:
    """Return whether a hand is in play."""
    return s.phase not in ("hand_setup", "settled", "game_over")


def alive(s: State) -> list[Seat]:
    """Return the seats dealt into the next hand: those with chips that have not left."""
    return [seat for seat, stack in enumerate(s.stacks) if stack and seat not in (*s.left, *s.resigned)]


def seats_out(s: State) -> tuple[Seat, ...]:
    """Return the seats that no longer take part in the game."""
    in_hand = s.round.live if playing(s) else (False,) * s.rules.seats
    here = {*alive(s), *(seat for seat, live in enumerate(in_hand) if live)}
    return tuple(seat for seat in range(s.rules.seats) if seat not in here)


def middle(s: State) -> int:
    """Return all chips in the middle."""
    return sum(s.paid) + s.dead if s.phase != "showdown" else sum([pot.amount for pot in s.pots])


def nets(s: State) -> Chips:
    """Return each seat's net result, as it was before the current hand."""
    chips = s.before if playing(s) else s.stacks
    rows = zip(chips, s.ledger, s.buy_ins, strict=True)
    return tuple(mine + ledger - bought * s.rules.stack for mine, ledger, bought in rows)


def resets(s: State) -> list[Seat]:
    """Return the seats whose stacks are reset: those that have not left."""
    return [seat for seat in range(s.rules.seats) if seat not in (*s.left, *s.resigned)]


# --- Effects of events -------------------------------------------------------------------------------------


def evolve(s: State, event: betting_events.Event) -> None:
    """Assign the effects of an event to the state. Cards that a seat was not shown are backs."""
    match event:
        case betting_events.ActionOn():
            s.round = betting.ask_seat(s.round, event.seat)
        case betting_events.PlayerFolded():
            s.round = betting.fold_seat(s.round, event.seat)
            s.folded += (event.seat,)
        case betting_events.PlayerChecked():
            s.round = betting.check_or_call(s.round, event.seat, 0)
        case betting_events.PlayerCalled():
            s.round = betting.check_or_call(s.round, event.seat, event.amount)
            _count(s, event.seat, event.amount)
        case betting_events.PlayerBet() | betting_events.PlayerRaised():
            s.round = betting.bet_or_raise(s.round, event.seat, event.to, event.amount)
            _count(s, event.seat, event.amount)
        case betting_events.BettingReopened():
            s.round = betting.reopen_raising(s.round, event.to, event.by, event.bets)
        case betting_events.BettingOpened():
            s.phase, s.open = event.round, True
            s.round = betting.begin_betting(s.round, event.unit, event.current, event.bets)
        case betting_events.BetsCollected():
            s.round, s.open = betting.close_round(s.round), False
        case betting_events.BetReturned():
            _gain(s, event.seat, event.amount)
            _count(s, event.seat, -event.amount)
        case betting_events.PotsFormed():
            s.pots = event.pots
        case betting_events.PotAwarded():
            for share in event.winners:
                _gain(s, share.seat, share.amount)
            s.phase, s.pots, s.last_won = "showdown", s.pots[:-1], event
        case betting_events.HandShown():
            s.hands = put_at(s.hands, event.seat, event.cards)
            s.shown = put_at(s.shown, event.seat, event.cards)
        case betting_events.HandMucked():
            s.mucked += (event.seat,)
        case betting_events.HandSettled():
            s.phase, s.paid, s.dead = "settled", (0,) * s.rules.seats, 0
        case (
            betting_events.HandStarted()
            | betting_events.HandDealt()
            | betting_events.AntePosted()
            | betting_events.BlindPosted()
            | betting_events.BigBlindAntePosted()
        ):
            _deal(s, event)
        case betting_events.BoardDealt() | betting_events.CardsShown():
            _turn_cards(s, event)
        case (
            betting_events.DrawStarted()
            | betting_events.CardsSwapped()
            | betting_events.StockRanOut()
            | betting_events.StockRebuilt()
            | betting_events.DrawCompleted()
        ):
            _draw(s, event)
        case betting_events.GameStarted():
            s.game_no = event.game_no
        case betting_events.ButtonDrawn():
            s.at = with_fields(s.at, button=event.seat)
        case betting_events.LevelsTimed():
            s.timed_from = event.at
        case betting_events.LevelRaised():
            s.level, s.stakes = event.level, Stakes(event.small, event.big, event.ante)
        case betting_events.RebuyMade():
            _gain(s, event.seat, event.stack)
            s.buy_ins = put_at(s.buy_ins, event.seat, event.buy_ins)
        case betting_events.StacksReset():
            rows = zip(s.stacks, s.ledger, event.ledger, strict=True)
            s.round = with_fields(s.round, stacks=tuple(mine + before - now for mine, before, now in rows))
            s.ledger = event.ledger
        case betting_events.StacksBrought():
            s.ledger = tuple(before - mine for before, mine in zip(s.stacks, event.stacks, strict=True))
            s.round = with_fields(s.round, stacks=event.stacks)
        case betting_events.TableResumed():
            _resume(s, event)
        case betting_events.TableLeft():
            s.left += (event.seat,)
        case betting_events.PlayerWithdrawn():
            s.resigned += (event.seat,)
        case betting_events.PlayerEliminated():
            _gain(s, event.seat, -event.chips)
            s.places = put_at(s.places, event.seat, event.place)
            s.exits = put_at(s.exits, event.seat, (s.deal_no, s.before[event.seat], s.resigned))
        case betting_events.GameEnded():
            s.phase, s.ended = "game_over", event
        case _:
            assert_never(event)


def _resume(s: State, event: betting_events.TableResumed) -> None:
    s.round, s.before = with_fields(s.round, stacks=event.stacks), event.stacks
    s.deal_no, s.until, s.staked = event.deal_no, event.until, True
    s.level, s.stakes = event.level, Stakes(event.small, event.big, event.ante)
    s.at, s.big_gone = Posts(event.button, event.small_blind, event.big_blind), event.big_gone


def _gain(s: State, seat: Seat, amount: int) -> None:
    """Add chips to a seat's stack."""
    s.round = with_fields(s.round, stacks=put_at(s.stacks, seat, s.stacks[seat] + amount))


def _count(s: State, seat: Seat, amount: int) -> None:
    """Add chips to the amount that a seat has paid."""
    s.paid = put_at(s.paid, seat, s.paid[seat] + amount)


def _deal(
    s: State,
    event: betting_events.HandStarted
    | betting_events.HandDealt
    | betting_events.AntePosted
    | betting_events.BlindPosted
    | betting_events.BigBlindAntePosted,
) -> None:
    match event:
        case betting_events.HandStarted():
            _clear(s, event)
        case betting_events.BigBlindAntePosted():
            _gain(s, event.seat, -event.amount)
            s.dead += event.amount
        case betting_events.AntePosted() | betting_events.BlindPosted(kind="ante"):
            _gain(s, event.seat, -event.amount)
            _count(s, event.seat, event.amount)
        case betting_events.BlindPosted():
            s.round = betting.put_in_chips(s.round, event.seat, event.amount)
            _count(s, event.seat, event.amount)
        case betting_events.HandDealt():
            rows = zip(event.cards, event.counts, strict=True)
            s.hands = tuple(or_back(cards, backs(count)) for cards, count in rows)
            s.deck = or_back(event.deck, backs(DECK - sum(event.counts)))


def _clear(s: State, event: betting_events.HandStarted) -> None:
    """Begin a hand with an empty table; seats with a stack are in it."""
    nothing: tuple[Cards, ...] = ((),) * s.rules.seats
    s.hand_no, s.deal_no, s.phase = event.hand_no, event.deal_no, "dealing"
    s.last_big, s.at = s.at.big, Posts(event.button, event.small_blind, event.big_blind)
    s.before, s.big_gone = s.stacks, False
    s.hands, s.deck, s.board, s.burnt = nothing, (), (), ()
    s.shown, s.mucked, s.folded = nothing, (), ()
    s.discards, s.swapped, s.swaps, s.rebuilds, s.pots = nothing, (), (), 0, ()
    s.round = betting.open_round(s.round.limits, s.stacks, tuple(map(bool, event.stacks)))


def _turn_cards(s: State, event: betting_events.BoardDealt | betting_events.CardsShown) -> None:
    match event:
        case betting_events.BoardDealt():
            s.phase, s.burnt = event.street, s.burnt + s.deck[:1]
            s.board, s.deck = s.board + event.cards, s.deck[1 + len(event.cards) :]
        case betting_events.CardsShown():
            s.shown = put_at(s.shown, event.seat, add_cards(s.shown[event.seat], event.cards))
            _exchange(s, event.seat, event.cards, event.cards)


def _draw(
    s: State,
    event: betting_events.DrawStarted
    | betting_events.CardsSwapped
    | betting_events.StockRanOut
    | betting_events.StockRebuilt
    | betting_events.DrawCompleted,
) -> None:
    match event:
        case betting_events.DrawStarted():
            s.phase = "draw"
        case betting_events.CardsSwapped(drawn=None):
            _swap(s, event)
        case betting_events.CardsSwapped():
            _swap(s, event)
            _exchange(s, event.seat, or_back(event.discarded, ()), or_back(event.drawn, ()))
        case betting_events.StockRanOut():
            s.swapping = event
        case betting_events.StockRebuilt():
            s.deck += or_back(event.stock, backs(event.count))
            for seat in s.folded:
                s.hands = put_at(s.hands, seat, ())
            s.discards, s.rebuilds = ((),) * s.rules.seats, s.rebuilds + 1
        case betting_events.DrawCompleted():
            s.phase = "bet2"


def _swap(s: State, event: betting_events.CardsSwapped) -> None:
    """Remove a seat's new cards from the stock, and record its discards."""
    s.swapped, s.swapping, s.deck = (*s.swapped, event.seat), None, s.deck[event.count :]
    s.swaps += (event.count,)
    s.discards = put_at(s.discards, event.seat, or_back(event.discarded, backs(event.count)))


def _exchange(s: State, seat: Seat, gone: Cards, new: Cards) -> None:
    """Replace these cards in the seat's hand."""
    s.hands = put_at(s.hands, seat, add_cards(remove_cards(s.hands[seat], *gone), new))
