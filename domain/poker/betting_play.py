"""Implements the common parts of the poker games: moves, betting rounds, showdown, games for chips (poker 2–5)."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from domain.core.cards import NOBODY, PACK, Card, Cards, Seat, drop_cards
from domain.core.choices import Ask, Below, Choice, NoArguments, OneNumber, Shuffle, SomeCards
from domain.core.game import CHANCE, Choices, Outcome
from domain.poker import betting, betting_events, betting_moves, sit_and_go
from domain.poker.betting import Round, clockwise
from domain.poker.betting_table import State, alive, middle, nets, playing, resets
from domain.poker.pots import Share, form_pots, split_pot, uncalled_bet
from domain.poker.ranking import best_five, category, strength


def order(unfolded: list[Seat], aggressor: Seat, button: Seat, seats: int) -> list[Seat]:
    """Return the order of showing: from the last seat that bet or raised, or else left of the button, clockwise."""
    first = aggressor - 1 if aggressor != NOBODY and aggressor in unfolded else button
    return clockwise(unfolded, first, seats)


def shows(
    sequence: Iterable[Seat], strengths: Mapping[Seat, int], pots: Iterable[tuple[Seat, ...]]
) -> dict[Seat, bool]:
    """Return for each seat in turn whether it shows: if it can still win or split one of its pots."""
    open_, shown = list(pots), dict[Seat, bool]()
    for seat in sequence:
        rivals = [max((strengths[i] for i in pot if shown.get(i)), default=-1) for pot in open_ if seat in pot]
        shown[seat] = any(strengths[seat] >= best for best in rivals)
    return shown


def after_hand(s: State) -> tuple[betting_events.Event, ...]:
    """Return the events between two hands: new stacks, or the end of the game."""
    if bought := rebought(s):
        return bought
    if s.deal_no < s.rules.hands and len(alive(s)) > 1:
        return ()
    if s.resigned and len(alive(s)) < 2:
        return (end_cash_game(s, "resignation"),)
    return (end_cash_game(s, "hands_played" if s.deal_no >= s.rules.hands else "one_left"),)


def rebought(s: State) -> tuple[betting_events.Event, ...]:
    """Return the events that refill empty stacks, or reset all stacks, by the option `rebuy`."""
    stay = resets(s)
    match s.rules.rebuy:
        case "on_bust":
            broke = [seat for seat in stay if not s.stacks[seat]]
            return tuple(betting_events.RebuyMade(seat, s.rules.stack, s.buy_ins[seat] + 1) for seat in broke)
        case "each_hand" if any(s.stacks[seat] != s.rules.stack for seat in stay):
            gained = [stack - s.rules.stack if i in stay else 0 for i, stack in enumerate(s.stacks)]
            ledger = tuple(sum(pair) for pair in zip(s.ledger, gained, strict=True))
            return (betting_events.StacksReset(s.rules.stack, ledger),)
        case _:
            return ()


def end_cash_game(
    s: State, reason: str, gave_up: tuple[Seat, ...] = (), *, drawn: bool = False
) -> betting_events.GameEnded:
    """End the game: places by net result, seats that resigned last; in a drawn game, all share a place."""
    totals, quitters = nets(s), (*s.resigned, *gave_up)
    rows = [(_late(quitters, seat), -total) for seat, total in enumerate(totals)]
    ranking = tuple(1 + sum(other < mine for other in rows) for mine in rows)
    winners = tuple(seat for seat, place in enumerate(ranking) if place == 1)
    if drawn:
        ranking, winners = (1,) * len(totals), ()
    return betting_events.GameEnded(totals, ranking, winners, s.buy_ins, s.ledger, (), reason)


def _late(quitters: tuple[Seat, ...], seat: Seat) -> int:
    """Return 0 for a seat that stayed, and higher numbers the earlier it resigned."""
    return len(quitters) - quitters.index(seat) if seat in quitters else 0


# --- Seats to act ------------------------------------------------------------------------------------------


def to_act(s: State) -> tuple[Seat, ...]:
    """Return the seats that the game waits for; chance, between hands and for a new stock."""
    if s.ended is not None:
        return ()
    if s.open:
        return (s.round.turn,)
    if s.phase == "draw" and s.swapping is None:
        # It is empty once all have drawn: the game then continues automatically.
        return tuple(drawers(s)[:1])
    return (CHANCE,)


def drawers(s: State) -> list[Seat]:
    """Return the seats that have yet to exchange cards, in order."""
    waiting = [seat for seat in betting.seats_in_hand(s.round) if seat not in s.swapped]
    return betting.clockwise(waiting, s.at.button, s.rules.seats)


def ask(s: State) -> Ask:
    """Return the question to chance: the first button, a new stock, or a deal."""
    if s.at.button == NOBODY:
        return Below(betting_moves.PickButton, "button", len(alive(s)))
    if s.swapping is not None:
        return Shuffle(betting_moves.Redeal, "redeal", cards_to_reshuffle(s), s.rebuilds)
    return Shuffle(betting_moves.Deal, "deal", PACK)


def cards_to_reshuffle(s: State) -> Cards:
    """Return the cards for a new stock: folded hands, and earlier discards."""
    folded = [hand for hand, live in zip(s.hands, s.round.live, strict=True) if not live]
    return tuple(sorted(c for row in (*folded, *s.discards) for c in row))


# --- Legal moves and refusals (poker 2, 3) -----------------------------------------------------------------


def legal(s: State, seat: Seat) -> Choices:
    """Return the legal moves of a seat: its action on its turn, and the moves out of turn."""
    if seat == CHANCE or s.ended is not None:
        return ()
    if seat in to_act(s):
        return on_turn(s, seat)
    moves: list[Choice] = []
    if cards := to_show(s, seat):
        moves.append(SomeCards(betting_moves.ShowCards, cards, 1, len(cards)))
    if may_leave(s, seat):
        moves.append(NoArguments(betting_moves.LeaveTable, confirm=True))
    return tuple(moves)


def on_turn(s: State, seat: Seat) -> Choices:
    """Return the legal actions of the seat to act."""
    if s.open:
        return betting.choices(s.round, seat, middle(s))
    return (SomeCards(betting_moves.SwapCards, s.hands[seat], 0, s.rules.max_swap),)


def to_show(s: State, seat: Seat) -> Cards:
    """Return the cards that the seat may still show, from the end of a hand until the next one."""
    return drop_cards(s.hands[seat], s.shown[seat]) if s.phase == "settled" else ()


def may_leave(s: State, seat: Seat) -> bool:
    """Return whether the seat may leave: no seat leaves a tournament, or with cards in a hand."""
    if s.rules.tournament or seat in (*s.left, *s.resigned):
        return False
    return not (playing(s) and s.round.live[seat])


def refusal(s: State, seat: Seat, move: betting_moves.Move) -> str:
    """Return the first reason why the move is refused, in order (rules 1.3; poker 7)."""
    cards = move.cards if isinstance(move, betting_moves.SwapCards | betting_moves.ShowCards) else ()
    if len(set(cards)) < len(cards):
        return "duplicate_card"
    if not exists(s, move):
        return "wrong_phase"
    if isinstance(move, betting_moves.ShowCards | betting_moves.LeaveTable):
        return off_turn_fault(s, seat, move)
    if seat not in to_act(s):
        return "not_your_turn"
    if not set(cards) <= set(s.hands[seat]):
        return "card_not_in_hand"
    return "too_many_cards" if isinstance(move, betting_moves.SwapCards) else betting.fault(s.round, seat, move)


def explain(s: State, seat: Seat, move: betting_moves.Move) -> str:
    """Return the limit that a refused bet, raise or exchange breaks; an empty text for other moves."""
    match refusal(s, seat, move):
        case "too_many_cards" if isinstance(move, betting_moves.SwapCards):
            return f"Maximum number of cards: {s.rules.max_swap}. You chose {len(move.cards)}."
        case "below_minimum" | "wrong_bet_size" | "not_enough_chips":
            reach = betting.sizes(s.round, seat)
        case _:
            reach = None
    if reach is None:
        return ""
    verb, (least, most) = "Raise" if s.round.current else "Bet", reach
    return f"{verb} to {least}." if least == most else f"{verb} to at least {least} and at most {most}."


def exists(s: State, move: betting_moves.Move) -> bool:
    """Return whether any seat can use this command in the current phase."""
    match move:
        case betting_moves.SwapCards():
            return s.phase == "draw"
        case betting_moves.ShowCards():
            return s.phase == "settled"
        case betting_moves.LeaveTable():
            return s.ended is None and not s.rules.tournament
        case _:
            return s.open


def off_turn_fault(s: State, seat: Seat, move: betting_moves.ShowCards | betting_moves.LeaveTable) -> str:
    """Return why a seat may not show these cards, or leave."""
    if isinstance(move, betting_moves.LeaveTable):
        return "already_done" if seat in (*s.left, *s.resigned) else "wrong_phase"
    if not set(move.cards) <= set(s.hands[seat]):
        return "card_not_in_hand"
    return "already_done" if move.cards else "bad_arguments"


def default(s: State, seat: Seat) -> betting_moves.Move:
    """Return the default move: swap nothing; check if possible, otherwise fold (rules 1.8)."""
    if s.phase == "draw":
        return betting_moves.SwapCards(())
    return betting_moves.Fold() if s.open and betting.amount_owed(s.round, seat) else betting_moves.Check()


def complete_move(s: State, seat: Seat, move: type, card: Card | None = None) -> betting_moves.Move | None:
    """Complete a bet or raise with the minimum, and an exchange with no cards; None for other moves."""
    least = [move(c.low) for c in legal(s, seat) if isinstance(c, OneNumber) and c.make is move]
    return least[0] if least else betting_moves.SwapCards(()) if move is betting_moves.SwapCards else None


# --- Moves and their events --------------------------------------------------------------------------------


def decide(s: State, seat: Seat, move: betting_moves.Move) -> tuple[betting_events.Event, ...]:
    """Return the events of a legal move that is common to the games."""
    match move:
        case betting_moves.SwapCards():
            return exchange_cards(s, seat, move.cards)
        case betting_moves.ShowCards():
            return (betting_events.CardsShown(seat, tuple(sorted(move.cards))),)
        case betting_moves.LeaveTable():
            return (betting_events.TableLeft(seat),)
        case betting_moves.PickButton():
            among = tuple(alive(s))
            return betting_events.GameStarted(s.game_no + 1), betting_events.ButtonDrawn(among[move.number], among)
        case betting_moves.Deal() | betting_moves.Redeal():
            raise AssertionError("a game deals in its own way")
        case _:
            return act_in_round(s, seat, move)


def act_in_round(s: State, seat: Seat, move: betting_moves.BettingMove) -> tuple[betting_events.Event, ...]:
    """Return the events of a seat's move in a betting round."""
    stack, put_in = s.stacks[seat], s.round.committed[seat]
    owed = betting.amount_owed(s.round, seat)
    match move:
        case betting_moves.Fold():
            return (betting_events.PlayerFolded(seat),)
        case betting_moves.Check():
            return (betting_events.PlayerChecked(seat),)
        case betting_moves.Call():
            return (betting_events.PlayerCalled(seat, min(owed, stack), stack <= owed),)
        case betting_moves.AllIn() if stack <= owed:
            return (betting_events.PlayerCalled(seat, stack, all_in=True),)
        case _:
            to = put_in + stack if isinstance(move, betting_moves.AllIn) else move.to
            made = betting_events.PlayerRaised if s.round.current else betting_events.PlayerBet
            return made(seat, to, to - put_in, to - put_in == stack), *reopen_betting(s.round, to)


def reopen_betting(r: Round, to: int) -> tuple[betting_events.BettingReopened, ...]:
    """Reopen the betting after a bet or raise to this amount, if it is a full one."""
    return (betting_events.BettingReopened(to, to - r.current, r.bets + 1),) if betting.is_full(r, to) else ()


def exchange_cards(s: State, seat: Seat, cards: Cards) -> tuple[betting_events.Event, ...]:
    """Return the exchange with the top of the stock, or the event that the stock ran out."""
    gone = tuple(sorted(cards))
    if len(gone) > len(s.deck):
        return (betting_events.StockRanOut(seat, len(gone), gone),)
    return (betting_events.CardsSwapped(seat, len(gone), gone, s.deck[: len(gone)]),)


def resign(s: State, seat: Seat) -> tuple[betting_events.Event, ...]:
    """Return the events of a resignation: the seat folds, and is never dealt in again in the match (rules 1.9)."""
    if seat in s.resigned:
        return ()
    folds = (betting_events.PlayerFolded(seat),) if playing(s) and s.round.live[seat] else ()
    return (*folds, betting_events.PlayerWithdrawn(seat))


def move_of(event: betting_events.Event) -> tuple[Seat, betting_moves.Move] | None:
    """Return the move of a seat that the event records."""
    match event:
        case betting_events.PlayerFolded():
            return event.seat, betting_moves.Fold()
        case betting_events.PlayerChecked():
            return event.seat, betting_moves.Check()
        case betting_events.PlayerCalled():
            return event.seat, betting_moves.Call()
        case betting_events.PlayerBet():
            return event.seat, betting_moves.Bet(event.to)
        case betting_events.PlayerRaised():
            return event.seat, betting_moves.Raise(event.to)
        case betting_events.CardsSwapped(discarded=cards) | betting_events.StockRanOut(discarded=cards) if (
            cards is not None
        ):
            return event.seat, betting_moves.SwapCards(cards)
        case betting_events.CardsShown():
            return event.seat, betting_moves.ShowCards(event.cards)
        case betting_events.TableLeft():
            return event.seat, betting_moves.LeaveTable()
        case _:
            return None


ANSWERS: Mapping[type, str] = {
    betting_events.PlayerFolded: "seat",
    betting_events.PlayerChecked: "seat",
    betting_events.PlayerCalled: "seat",
    betting_events.PlayerBet: "seat",
    betting_events.PlayerRaised: "seat",
}


# --- Consequences (poker 2.10, 3) --------------------------------------------------------------------------

Next = Callable[[State], tuple[betting_events.Event, ...]]
"""Returns the events of a game after a betting round with several seats still in."""


def consequences(s: State, proceed: Next) -> tuple[betting_events.Event, ...]:
    """Return the events that follow now without a move."""
    match s.phase:
        case "game_over":
            return ()
        case "hand_setup" if s.at.button == NOBODY or len(alive(s)) > 1:
            return ()
        case "hand_setup" | "settled":
            return sit_and_go.after_hand(s) if s.rules.tournament else after_hand(s)
        case "showdown":
            return () if s.pots else (betting_events.HandSettled(s.stacks),)
        case _ if s.open:
            return ask_next_or_close(s) if s.round.turn == NOBODY else ()
        case _ if sum(s.round.live) == 1:
            return (*pots_formed(s), *award_pots(s, None)) if middle(s) else (betting_events.HandSettled(s.stacks),)
        case _:
            return proceed(s)


def open_betting(s: State, name: betting_events.RoundName, blind: int = 0) -> betting_events.BettingOpened:
    """Begin a betting round. A blind counts as its first bet, although no seat chose it."""
    return betting_events.BettingOpened(name, s.rules.limits(name, s.stakes).unit, blind, int(blind > 0))


def on_board(s: State, dealt: betting_events.BoardDealt) -> tuple[betting_events.Event, ...]:
    """Return the event with the board cards, and open the betting if two seats can bet."""
    return (dealt,) if betting_over(s) else (dealt, open_betting(s, dealt.street))


def ask_next_or_close(s: State) -> tuple[betting_events.Event, ...]:
    """Ask the next seat for its action, or close the round if none is left to act."""
    opener = s.at.big if s.phase == "preflop" else s.at.button
    assert opener is not None
    seat = betting.next_to_act(s.round, opener)
    return round_over(s) if seat == NOBODY else (betting_events.ActionOn(seat, betting.amount_owed(s.round, seat)),)


def round_over(s: State) -> tuple[betting_events.Event, ...]:
    """Return the events that close a betting round, and return an uncalled bet if betting is over for the hand."""
    events: list[betting_events.Event] = [betting_events.BetsCollected(middle(s))]
    over = len(betting.able(s.round)) <= 1 or sum(s.round.live) == 1 or s.phase in ("river", "bet2")
    rest = uncalled_bet(s.paid) if over else None
    if rest:
        events.append(betting_events.BetReturned(rest.seat, rest.amount))
    if sum(s.round.live) > 1 and all_in(s):
        paid = (
            s.paid
            if rest is None
            else tuple(mine - rest.amount * (seat == rest.seat) for seat, mine in enumerate(s.paid))
        )
        events.append(betting_events.PotsFormed(form_pots(paid, s.round.live, s.dead)))
    return tuple(events)


def all_in(s: State) -> bool:
    """Return whether a seat is in the hand with all its chips."""
    return any(not s.stacks[seat] for seat in betting.seats_in_hand(s.round))


def pots_formed(s: State) -> tuple[betting_events.Event, ...]:
    """Return the event that forms the pots; none if they exist already."""
    pots = form_pots(s.paid, s.round.live, s.dead)
    return () if pots == s.pots else (betting_events.PotsFormed(pots),)


def betting_over(s: State) -> bool:
    """Return whether betting is over for this hand."""
    return len(betting.able(s.round)) <= 1


def sequence(s: State) -> list[Seat]:
    """Return the seats still in, in the order in which they show."""
    return order(betting.seats_in_hand(s.round), s.round.aggressor, s.at.button, s.rules.seats)


def shown_down(s: State) -> tuple[betting_events.Event, ...]:
    """Return the events of the showdown: hands shown or mucked, and the pots awarded."""
    cards = {seat: s.hands[seat] + s.board for seat in sequence(s)}
    strengths = {seat: strength(row) for seat, row in cards.items()}
    everybody = s.rules.show_all or (s.rules.show_all_in and all_in(s))
    pots = [pot.eligible for pot in form_pots(s.paid, s.round.live, s.dead)]
    may = dict.fromkeys(cards, True) if everybody else shows(cards, strengths, pots)
    hands = [
        hand_shown(s, seat) if show else betting_events.HandMucked(seat)
        for seat, show in may.items()
        if not s.shown[seat]
    ]
    return (*pots_formed(s), *hands, *award_pots(s, strengths))


def hand_shown(s: State, seat: Seat) -> betting_events.HandShown:
    """Return the event that shows a hand, with its category once the board is complete."""
    cards = s.hands[seat] + s.board
    complete = len(s.board) == sum(s.rules.board.values())
    if not complete:
        return betting_events.HandShown(seat, s.hands[seat], None, None)
    return betting_events.HandShown(seat, s.hands[seat], category(cards), best_five(cards))


def award_pots(s: State, strengths: Mapping[Seat, int] | None) -> tuple[betting_events.Event, ...]:
    """Return the awards of the pots, the main pot last; without strengths, the remaining seat wins all."""
    n = s.rules.seats
    events: list[betting_events.Event] = []
    for i, pot in reversed(list(enumerate(form_pots(s.paid, s.round.live, s.dead)))):
        if strengths is None:
            shares: tuple[Share, ...] = (Share(pot.eligible[0], pot.amount),)
            name = None
        else:
            shares = split_pot(pot, strengths, s.at.button, n)
            name = category(s.hands[shares[0].seat] + s.board)
        events.append(betting_events.PotAwarded(i, pot.amount, shares, name))
    return tuple(events)


def stop(s: State, gave_up: tuple[Seat, ...], reason: str) -> tuple[betting_events.Event, ...]:
    """End the game now, with the stacks from before the current hand.

    The seats that resigned come last; if none did, no seat wins.
    """
    ended: Callable[..., Any] = sit_and_go.end_tournament if s.rules.tournament else end_cash_game
    return (ended(s, reason, gave_up, drawn=not gave_up),)


def outcome(s: State) -> Outcome | None:
    """Return the result of a game that is over."""
    return None if s.ended is None else Outcome(s.ended.winners, s.ended.ranking, s.ended.totals, s.ended.reason)
