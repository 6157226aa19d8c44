"""Runs one betting round, with no limit or with a fixed limit (poker 2).

A round is a value: the chips that each seat has left and has put in, the amount to match, and the seat to act. The two
structures differ in three functions, which are in a table.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

from domain.core.cards import NOBODY, Seat
from domain.core.choices import Choice, NoArguments, OneNumber
from domain.core.values import put_at, value, with_fields
from domain.poker.betting_moves import AllIn, Bet, Call, Check, Fold, Raise

Chips = tuple[int, ...]
"""Each seat has an amount, in chips."""

Structure = Literal["no_limit", "fixed_limit"]

NOT_YET: Final = -1


@value
class Limits:
    """The limits of bets: at least `unit` with no limit; exactly `unit` with a fixed limit, at most `cap` times."""

    structure: Structure
    unit: int
    cap: int = 0


@value
class Round:
    """The state of a betting round.

    `met` is the level that a seat answered when it last acted, `NOT_YET` before.
    """

    limits: Limits
    stacks: Chips
    """The chips that each seat has left."""
    live: tuple[bool, ...]
    """Whether each seat was dealt in and has not folded."""
    committed: Chips
    """The chips that each seat has put in during this round."""
    met: Chips
    current: int = 0
    """The highest amount that a seat has put in or must put in."""
    full: int = 0
    """The last full level."""
    last_raise: int = 0
    """The amount of the last full bet or raise."""
    bets: int = 0
    """The number of bets that count against the cap."""
    turn: Seat = NOBODY
    """The seat to act."""
    last: Seat = NOBODY
    """The seat that acted last."""
    aggressor: Seat = NOBODY
    """The seat that bet or raised last."""


def open_round(limits: Limits, stacks: Chips, live: tuple[bool, ...]) -> Round:
    """Return a round without bets, in which no seat has acted."""
    none = (0,) * len(stacks)
    return Round(limits, stacks, live, none, (NOT_YET,) * len(stacks), last_raise=limits.unit)


def begin_betting(r: Round, unit: int, current: int = 0, bets: int = 0) -> Round:
    """Begin the betting with this minimum bet, this amount to match, and this many bets for the blinds."""
    return with_fields(
        open_round(with_fields(r.limits, unit=unit), r.stacks, r.live),
        committed=r.committed,
        current=current,
        full=current,
        bets=bets,
    )


def close_round(r: Round) -> Round:
    """Close a round: the bets are in the pot."""
    return with_fields(r, committed=(0,) * len(r.stacks), current=0, turn=NOBODY)


# --- The turn ----------------------------------------------------------------------------------------------


def seats_in_hand(r: Round) -> list[Seat]:
    """Return the seats that are still in the hand."""
    return [seat for seat, live in enumerate(r.live) if live]


def able(r: Round) -> list[Seat]:
    """Return the seats in the hand that have chips."""
    return [seat for seat, live in enumerate(r.live) if live and r.stacks[seat]]


def amount_owed(r: Round, seat: Seat) -> int:
    """Return the chips to call; the only seat with chips need not put in more than any other seat."""
    with_chips = able(r)
    another_has = bool(with_chips) and with_chips != [seat]
    level = r.current if another_has else max(r.committed[i] for i in seats_in_hand(r) if i != seat)
    return max(0, level - r.committed[seat])


def pending(r: Round) -> list[Seat]:
    """Return the seats that must still act before the round is over."""
    seats = able(r)
    if not seats or sum(r.live) == 1:
        return []
    if len(seats) == 1:
        return seats if amount_owed(r, seats[0]) else []
    return [seat for seat in seats if r.met[seat] == NOT_YET or r.committed[seat] < r.current]


def clockwise(seats: list[Seat], after: Seat, n: int) -> list[Seat]:
    """Return these seats in clockwise order from the left of `after`, at a table of `n` seats."""
    return sorted(seats, key=lambda seat: (seat - after - 1) % n)


def next_to_act(r: Round, opener: Seat) -> Seat:
    """Return the next seat to act, or None: to the left of the last that acted, at first to the left of the opener."""
    waiting = clockwise(pending(r), opener if r.last == NOBODY else r.last, len(r.live))
    return waiting[0] if waiting else NOBODY


# --- The two betting structures ----------------------------------------------------------------------------


@value
class Betting:
    """A betting structure: when a seat may raise again, the minimum raise, and which bets are full."""

    reopened: Callable[[Round, Seat], bool]
    least: Callable[[Round], int]
    full: Callable[[Round, int], bool]
    exact: bool
    """Whether the minimum is the only size."""
    wrong_size: str
    """The code that refuses another size."""


def _no_limit_reopened(r: Round, seat: Seat) -> bool:
    return r.met[seat] == NOT_YET or r.current - r.met[seat] >= r.last_raise


def _no_limit_full(r: Round, to: int) -> bool:
    return to - r.current >= r.last_raise


def _fixed_reopened(r: Round, seat: Seat) -> bool:
    return r.bets < r.limits.cap and (r.met[seat] == NOT_YET or r.full > r.met[seat])


def _fixed_full(r: Round, to: int) -> bool:
    """Return whether a bet is at least half a full bet; a smaller bet can be completed."""
    return 2 * (to - r.full) >= r.limits.unit


STRUCTURES: Final[Mapping[Structure, Betting]] = {
    "no_limit": Betting(_no_limit_reopened, lambda r: r.current + r.last_raise, _no_limit_full, False, "below_minimum"),
    "fixed_limit": Betting(_fixed_reopened, lambda r: r.full + r.limits.unit, _fixed_full, True, "wrong_bet_size"),
}


# --- Legal moves and refusals ------------------------------------------------------------------------------


def sizes(r: Round, seat: Seat) -> tuple[int, int] | None:
    """Return the minimum and maximum to which the seat may bet or raise; None without enough chips to raise."""
    betting = STRUCTURES[r.limits.structure]
    everything = r.committed[seat] + r.stacks[seat]
    if everything <= r.current:
        return None
    least = min(betting.least(r), everything)
    return least, least if betting.exact else everything


def is_full(r: Round, to: int) -> bool:
    """Return whether a bet or raise to `to` is full, so that all others may raise again."""
    return STRUCTURES[r.limits.structure].full(r, to)


def may_raise(r: Round, seat: Seat) -> bool:
    """Return whether the seat has the right to raise; no seat has if every other seat is all-in."""
    others = any(i != seat for i in able(r))
    return others and STRUCTURES[r.limits.structure].reopened(r, seat)


def choices(r: Round, seat: Seat, pot: int = 0) -> tuple[Choice, ...]:
    """Return the legal actions of the seat to act; `pot` is used to name common amounts."""
    due = amount_owed(r, seat)
    made: list[Choice] = [
        NoArguments(Fold, confirm=not due),
        NoArguments(Call, f"Call {min(due, r.stacks[seat])}") if due else NoArguments(Check),
    ]
    reach = sizes(r, seat) if may_raise(r, seat) else None
    if reach:
        make = Raise if r.current else Bet
        made.append(OneNumber(make, *reach, useful(r, pot + due, *reach), r.limits.unit))
    everything = r.committed[seat] + r.stacks[seat]
    if r.stacks[seat] <= due or (reach and everything == reach[1]):
        made.append(NoArguments(AllIn, f"All in: {everything}", confirm=True))
    return tuple(made)


def useful(r: Round, pot: int, least: int, most: int) -> tuple[tuple[str, int], ...]:
    """Return named amounts to bet or raise to, in chips: the minimum, and parts of the pot after a call.

    Going all-in is a separate move, so it is not named here.
    """
    parts = (
        ("½ pot", r.current + pot // 2),
        ("Pot", r.current + pot),
        ("2× pot", r.current + 2 * pot),
    )
    between = [(title, to) for title, to in parts if least < to < most] if pot else []
    return (("Min", least), *between) if least < most else ()


def fault(r: Round, seat: Seat, move: Any) -> str:
    """Return the code of the first reason why the move is refused (poker 7.2)."""
    match move:
        case Bet() | Raise() if (type(move) is Raise) == (r.current > 0):
            return _size_fault(r, seat, move.to)
        case AllIn():
            return _size_fault(r, seat, r.committed[seat] + r.stacks[seat])
        case _:
            return "illegal_action"


def _size_fault(r: Round, seat: Seat, to: int) -> str:
    if not may_raise(r, seat):
        return "raise_not_open"
    if to > r.committed[seat] + r.stacks[seat]:
        return "not_enough_chips"
    return STRUCTURES[r.limits.structure].wrong_size


# --- Effects of events -------------------------------------------------------------------------------------


def ask_seat(r: Round, seat: Seat) -> Round:
    """Make it this seat's turn."""
    return with_fields(r, turn=seat)


def put_in_chips(r: Round, seat: Seat, amount: int) -> Round:
    """Return the round after the seat put in chips."""
    stacks = put_at(r.stacks, seat, r.stacks[seat] - amount)
    return with_fields(r, stacks=stacks, committed=put_at(r.committed, seat, r.committed[seat] + amount))


def fold_seat(r: Round, seat: Seat) -> Round:
    """Fold the seat, on its turn or, when it resigns, out of turn; the next seat must then act."""
    return with_fields(r, live=put_at(r.live, seat, False), turn=NOBODY)


def check_or_call(r: Round, seat: Seat, amount: int) -> Round:
    """Check for the seat, or call with this amount."""
    return with_fields(put_in_chips(r, seat, amount), met=put_at(r.met, seat, r.current), turn=NOBODY, last=seat)


def bet_or_raise(r: Round, seat: Seat, to: int, amount: int) -> Round:
    """Bet or raise to this level for the seat, by adding this amount."""
    return check_or_call(with_fields(r, current=to, aggressor=seat), seat, amount)


def reopen_raising(r: Round, to: int, by: int, bets: int) -> Round:
    """Allow all others to raise again after a full bet or raise."""
    return with_fields(r, full=to, last_raise=by, bets=bets)
