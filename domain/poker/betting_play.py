"""Implements the common parts of the poker games: moves, the end of a betting round, the showdown (poker 2–4)."""

from collections.abc import Callable, Mapping
from typing import Any

from domain.core.cards import PACK, Card, Cards, Seat, drop_cards
from domain.core.choices import Ask, Below, Choice, NoArguments, OneNumber, Shuffle, SomeCards
from domain.core.game import CHANCE, Choices, Outcome
from domain.poker import betting, cash, sit_and_go
from domain.poker.betting import NOBODY, Round
from domain.poker.betting_events import (
    ActionOn,
    BetReturned,
    BetsCollected,
    BettingOpened,
    BettingReopened,
    BoardDealt,
    ButtonDrawn,
    CardsShown,
    CardsSwapped,
    Event,
    GameStarted,
    HandMucked,
    HandSettled,
    HandShown,
    PlayerBet,
    PlayerCalled,
    PlayerChecked,
    PlayerFolded,
    PlayerRaised,
    PlayerWithdrawn,
    PotAwarded,
    PotsFormed,
    RoundName,
    StockRanOut,
    TableLeft,
)
from domain.poker.betting_moves import (
    AllIn,
    Bet,
    BettingMove,
    Call,
    Check,
    Deal,
    Fold,
    LeaveTable,
    Move,
    PickButton,
    Raise,
    Redeal,
    ShowCards,
    SwapCards,
)
from domain.poker.betting_table import State, alive, middle, playing
from domain.poker.pots import Share, form_pots, split_pot, uncalled_bet
from domain.poker.ranking import best_five, category, strength
from domain.poker.showdown import order, shows

# --- Who is to act --------------------------------------------------------------------------------------


def to_act(s: State) -> tuple[Seat, ...]:
    """Return the seats that the game waits for; chance, between hands and for a new stock."""
    if s.ended is not None:
        return ()
    if s.open:
        return (s.round.turn,)
    if s.phase == "draw" and s.swapping is None:
        # It is empty once all have drawn: the game then goes on by itself.
        return tuple(drawers(s)[:1])
    return (CHANCE,)


def drawers(s: State) -> list[Seat]:
    """Return the seats that have yet to draw, in their order."""
    waiting = [seat for seat in betting.seats_in_hand(s.round) if seat not in s.swapped]
    return betting.clockwise(waiting, s.at.button, s.rules.seats)


def ask(s: State) -> Ask:
    """Return the question to chance: the first button, a new stock, or a deal."""
    if s.at.button == NOBODY:
        return Below(PickButton, "button", len(alive(s)))
    if s.swapping is not None:
        return Shuffle(Redeal, "redeal", cards_to_reshuffle(s), s.rebuilds)
    return Shuffle(Deal, "deal", PACK)


def cards_to_reshuffle(s: State) -> Cards:
    """Return the cards for a new stock: folded hands, and earlier discards."""
    folded = [hand for hand, live in zip(s.hands, s.round.live, strict=True) if not live]
    return tuple(sorted(c for row in (*folded, *s.discards) for c in row))


# --- What a seat may do, and why not (poker 2, 3) -------------------------------------------------------


def legal(s: State, seat: Seat) -> Choices:
    """Return the legal moves of a seat: its action on its turn, and the moves off turn."""
    if seat == CHANCE or s.ended is not None:
        return ()
    if seat in to_act(s):
        return on_turn(s, seat)
    moves: list[Choice] = []
    if cards := to_show(s, seat):
        moves.append(SomeCards(ShowCards, cards, 1, len(cards)))
    if may_leave(s, seat):
        moves.append(NoArguments(LeaveTable))
    return tuple(moves)


def on_turn(s: State, seat: Seat) -> Choices:
    """Return the legal actions of the seat to act."""
    if s.open:
        return betting.choices(s.round, seat, middle(s))
    return (SomeCards(SwapCards, s.hands[seat], 0, s.rules.max_swap),)


def to_show(s: State, seat: Seat) -> Cards:
    """Return the cards that the seat may still show, from the end of a hand until the next one."""
    return drop_cards(s.hands[seat], s.shown[seat]) if s.phase == "settled" else ()


def may_leave(s: State, seat: Seat) -> bool:
    """Return whether the seat may leave: no seat leaves a tournament, or with cards in a hand."""
    if s.rules.tournament or seat in (*s.left, *s.resigned):
        return False
    return not (playing(s) and s.round.live[seat])


def refusal(s: State, seat: Seat, move: Move) -> str:
    """Return the first reason why the move is refused, in order (rules 1.3; poker 7)."""
    cards = move.cards if isinstance(move, SwapCards | ShowCards) else ()
    if len(set(cards)) < len(cards):
        return "duplicate_card"
    if not exists(s, move):
        return "wrong_phase"
    if isinstance(move, ShowCards | LeaveTable):
        return off_turn_fault(s, seat, move)
    if seat not in to_act(s):
        return "not_your_turn"
    if not set(cards) <= set(s.hands[seat]):
        return "card_not_in_hand"
    return "too_many_cards" if isinstance(move, SwapCards) else betting.fault(s.round, seat, move)


def exists(s: State, move: Move) -> bool:
    """Return whether any seat can use this command in the current phase."""
    match move:
        case SwapCards():
            return s.phase == "draw"
        case ShowCards():
            return s.phase == "settled"
        case LeaveTable():
            return s.ended is None and not s.rules.tournament
        case _:
            return s.open


def off_turn_fault(s: State, seat: Seat, move: ShowCards | LeaveTable) -> str:
    """Return why a seat may not show these cards, or leave."""
    if isinstance(move, LeaveTable):
        return "already_done" if seat in (*s.left, *s.resigned) else "wrong_phase"
    if not set(move.cards) <= set(s.hands[seat]):
        return "card_not_in_hand"
    return "already_done" if move.cards else "bad_arguments"


def default(s: State, seat: Seat) -> Move:
    """Return the default move: swap nothing; check if possible, otherwise fold (rules 1.8)."""
    if s.phase == "draw":
        return SwapCards(())
    return Fold() if s.open and betting.amount_owed(s.round, seat) else Check()


def complete_move(s: State, seat: Seat, move: type, card: Card | None = None) -> Move | None:
    """Return the minimum bet or raise, and the swap of no cards."""
    least = [move(c.low) for c in legal(s, seat) if isinstance(c, OneNumber) and c.make is move]
    return least[0] if least else SwapCards(()) if move is SwapCards else None


# --- What a move does -----------------------------------------------------------------------------------


def decide(s: State, seat: Seat, move: Move) -> tuple[Event, ...]:
    """Return the events of a legal move that is common to the games."""
    match move:
        case SwapCards():
            return exchange_cards(s, seat, move.cards)
        case ShowCards():
            return (CardsShown(seat, tuple(sorted(move.cards))),)
        case LeaveTable():
            return (TableLeft(seat),)
        case PickButton():
            among = tuple(alive(s))
            return GameStarted(s.game_no + 1), ButtonDrawn(among[move.number], among)
        case Deal() | Redeal():
            raise AssertionError("a game deals in its own way")
        case _:
            return act_in_round(s, seat, move)


def act_in_round(s: State, seat: Seat, move: BettingMove) -> tuple[Event, ...]:
    """Return the events of a seat's move in a betting round."""
    stack, put_in = s.stacks[seat], s.round.committed[seat]
    owed = betting.amount_owed(s.round, seat)
    match move:
        case Fold():
            return (PlayerFolded(seat),)
        case Check():
            return (PlayerChecked(seat),)
        case Call():
            return (PlayerCalled(seat, min(owed, stack), stack <= owed),)
        case AllIn() if stack <= owed:
            return (PlayerCalled(seat, stack, all_in=True),)
        case _:
            to = put_in + stack if isinstance(move, AllIn) else move.to
            made = PlayerRaised if s.round.current else PlayerBet
            return made(seat, to, to - put_in, to - put_in == stack), *reopen_betting(s.round, to)


def reopen_betting(r: Round, to: int) -> tuple[BettingReopened, ...]:
    """Reopen the betting after a bet or raise to this amount, if it is a full one."""
    return (BettingReopened(to, to - r.current, r.bets + 1),) if betting.is_full(r, to) else ()


def exchange_cards(s: State, seat: Seat, cards: Cards) -> tuple[Event, ...]:
    """Exchange cards for the top ones of the stock, if it has as many."""
    gone = tuple(sorted(cards))
    if len(gone) > len(s.deck):
        return (StockRanOut(seat, len(gone), gone),)
    return (CardsSwapped(seat, len(gone), gone, s.deck[: len(gone)]),)


def resign(s: State, seat: Seat) -> tuple[Event, ...]:
    """Resign for a seat: it folds, and is not dealt in again, in this game or later ones (rules 1.9)."""
    if seat in s.resigned:
        return ()
    folds = (PlayerFolded(seat),) if playing(s) and s.round.live[seat] else ()
    return (*folds, PlayerWithdrawn(seat))


def move_of(event: Event) -> tuple[Seat, Move] | None:
    """Return the move of a seat that the event records."""
    match event:
        case PlayerFolded():
            return event.seat, Fold()
        case PlayerChecked():
            return event.seat, Check()
        case PlayerCalled():
            return event.seat, Call()
        case PlayerBet():
            return event.seat, Bet(event.to)
        case PlayerRaised():
            return event.seat, Raise(event.to)
        case CardsSwapped(discarded=cards) | StockRanOut(discarded=cards) if cards is not None:
            return event.seat, SwapCards(cards)
        case CardsShown():
            return event.seat, ShowCards(event.cards)
        case TableLeft():
            return event.seat, LeaveTable()
        case _:
            return None


ANSWERS: Mapping[type, str] = {
    PlayerFolded: "seat",
    PlayerChecked: "seat",
    PlayerCalled: "seat",
    PlayerBet: "seat",
    PlayerRaised: "seat",
}


# --- What must then happen (poker 2.10, 3) --------------------------------------------------------------

Next = Callable[[State], tuple[Event, ...]]
"""Returns the events of a game after a betting round with several seats still in."""


def consequences(s: State, proceed: Next) -> tuple[Event, ...]:
    """Return the events that follow now without a move."""
    match s.phase:
        case "game_over":
            return ()
        case "hand_setup" if s.at.button == NOBODY or len(alive(s)) > 1:
            return ()
        case "hand_setup" | "settled":
            return sit_and_go.after_hand(s) if s.rules.tournament else cash.after_hand(s)
        case "showdown":
            return () if s.pots else (HandSettled(s.stacks),)
        case _ if s.open:
            return ask_next_or_close(s) if s.round.turn == NOBODY else ()
        case _ if sum(s.round.live) == 1:
            return (*pots_formed(s), *award_pots(s, None)) if middle(s) else (HandSettled(s.stacks),)
        case _:
            return proceed(s)


def open_betting(s: State, name: RoundName, blind: int = 0) -> BettingOpened:
    """Begin a betting round. A blind counts as its first bet, although no seat chose it."""
    return BettingOpened(name, s.rules.limits(name, s.stakes).unit, blind, int(blind > 0))


def on_board(s: State, dealt: BoardDealt) -> tuple[Event, ...]:
    """Turn up cards, and let there be betting if two can bet."""
    return (dealt,) if betting_over(s) else (dealt, open_betting(s, dealt.street))


def ask_next_or_close(s: State) -> tuple[Event, ...]:
    """Ask the next seat for its action, or close the round if none is left to act."""
    opener = s.at.big if s.phase == "preflop" else s.at.button
    assert opener is not None
    seat = betting.next_to_act(s.round, opener)
    return round_over(s) if seat == NOBODY else (ActionOn(seat, betting.amount_owed(s.round, seat)),)


def round_over(s: State) -> tuple[Event, ...]:
    """Close a betting round; if no seat can bet any more in this hand, return an uncalled bet."""
    events: list[Event] = [BetsCollected(middle(s))]
    over = len(betting.able(s.round)) <= 1 or sum(s.round.live) == 1 or s.phase in ("river", "bet2")
    rest = uncalled_bet(s.paid) if over else None
    if rest:
        events.append(BetReturned(rest.seat, rest.amount))
    if sum(s.round.live) > 1 and all_in(s):
        paid = (
            s.paid
            if rest is None
            else tuple(mine - rest.amount * (seat == rest.seat) for seat, mine in enumerate(s.paid))
        )
        events.append(PotsFormed(form_pots(paid, s.round.live, s.dead)))
    return tuple(events)


def all_in(s: State) -> bool:
    """Return whether a seat is in the hand with all its chips."""
    return any(not s.stacks[seat] for seat in betting.seats_in_hand(s.round))


def pots_formed(s: State) -> tuple[Event, ...]:
    """Form the pots, unless they exist already."""
    pots = form_pots(s.paid, s.round.live, s.dead)
    return () if pots == s.pots else (PotsFormed(pots),)


def betting_over(s: State) -> bool:
    """Return whether betting is over for this hand."""
    return len(betting.able(s.round)) <= 1


def sequence(s: State) -> list[Seat]:
    """Return the seats still in, in the order in which they show."""
    return order(betting.seats_in_hand(s.round), s.round.aggressor, s.at.button, s.rules.seats)


def shown_down(s: State) -> tuple[Event, ...]:
    """Show and muck hands, and award the pots."""
    cards = {seat: s.hands[seat] + s.board for seat in sequence(s)}
    strengths = {seat: strength(row) for seat, row in cards.items()}
    everybody = s.rules.show_all or (s.rules.show_all_in and all_in(s))
    pots = [pot.eligible for pot in form_pots(s.paid, s.round.live, s.dead)]
    may = dict.fromkeys(cards, True) if everybody else shows(cards, strengths, pots)
    hands = [hand_shown(s, seat) if show else HandMucked(seat) for seat, show in may.items() if not s.shown[seat]]
    return (*pots_formed(s), *hands, *award_pots(s, strengths))


def hand_shown(s: State, seat: Seat) -> HandShown:
    """Show a hand, with its category once the board is complete."""
    cards = s.hands[seat] + s.board
    complete = len(s.board) == sum(s.rules.board.values())
    if not complete:
        return HandShown(seat, s.hands[seat], None, None)
    return HandShown(seat, s.hands[seat], category(cards), best_five(cards))


def award_pots(s: State, strengths: Mapping[Seat, int] | None) -> tuple[Event, ...]:
    """Award the pots, the main pot last; all to the remaining seat if there are no hands to compare."""
    n = s.rules.seats
    events: list[Event] = []
    for i, pot in reversed(list(enumerate(form_pots(s.paid, s.round.live, s.dead)))):
        if strengths is None:
            shares: tuple[Share, ...] = (Share(pot.eligible[0], pot.amount),)
            name = None
        else:
            shares = split_pot(pot, strengths, s.at.button, n)
            name = category(s.hands[shares[0].seat] + s.board)
        events.append(PotAwarded(i, pot.amount, shares, name))
    return tuple(events)


def seat_or_none(seat: Seat) -> Seat | None:
    """Return the seat, if it is one."""
    return None if seat == NOBODY else seat


def stop(s: State, gave_up: tuple[Seat, ...], reason: str) -> tuple[Event, ...]:
    """End the game now, with the stacks from before the current hand.

    The seats that resigned come last; if none did, no seat wins.
    """
    ended: Callable[..., Any] = sit_and_go.end_tournament if s.rules.tournament else cash.end_cash_game
    return (ended(s, reason, gave_up, drawn=not gave_up),)


def outcome(s: State) -> Outcome | None:
    """Return the result of a game that is over."""
    return None if s.ended is None else Outcome(s.ended.winners, s.ended.ranking, s.ended.totals, s.ended.reason)
