"""Implements the cash-like format: a number of hands, and ways to buy in again (poker 5)."""

from domain.core.cards import Seat
from domain.poker.betting_events import Event, GameEnded, RebuyMade, StacksReset
from domain.poker.betting_table import State, alive, nets, resets


def after_hand(s: State) -> tuple[Event, ...]:
    """Return the events between two hands: new stacks, or the end of the game."""
    if bought := rebought(s):
        return bought
    if s.deal_no < s.rules.hands and len(alive(s)) > 1:
        return ()
    if s.resigned and len(alive(s)) < 2:
        return (end_cash_game(s, "resignation"),)
    return (end_cash_game(s, "hands_played" if s.deal_no >= s.rules.hands else "one_left"),)


def rebought(s: State) -> tuple[Event, ...]:
    """Buy in for seats without chips, or set all stacks back, as the table does it."""
    stay = resets(s)
    match s.rules.rebuy:
        case "on_bust":
            broke = [seat for seat in stay if not s.stacks[seat]]
            return tuple(RebuyMade(seat, s.rules.stack, s.buy_ins[seat] + 1) for seat in broke)
        case "each_hand" if any(s.stacks[seat] != s.rules.stack for seat in stay):
            gained = [stack - s.rules.stack if i in stay else 0 for i, stack in enumerate(s.stacks)]
            ledger = tuple(sum(pair) for pair in zip(s.ledger, gained, strict=True))
            return (StacksReset(s.rules.stack, ledger),)
        case _:
            return ()


def end_cash_game(s: State, reason: str, gave_up: tuple[Seat, ...] = (), *, drawn: bool = False) -> GameEnded:
    """End the game: places by net result, seats that resigned last; in a drawn game, all share a place."""
    totals, quitters = nets(s), (*s.resigned, *gave_up)
    rows = [(_late(quitters, seat), -total) for seat, total in enumerate(totals)]
    ranking = tuple(1 + sum(other < mine for other in rows) for mine in rows)
    winners = tuple(seat for seat, place in enumerate(ranking) if place == 1)
    if drawn:
        ranking, winners = (1,) * len(totals), ()
    return GameEnded(totals, ranking, winners, s.buy_ins, s.ledger, (), reason)


def _late(quitters: tuple[Seat, ...], seat: Seat) -> int:
    """Return 0 for a seat that stayed, and higher numbers the earlier it resigned."""
    return len(quitters) - quitters.index(seat) if seat in quitters else 0
