"""Describes poker for the tests of all games: stacks from one chip up, both structures, all antes, various players."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any

from domain.core.cards import PACK, RANK_OF, Cards, Seat
from domain.core.choices import OneNumber
from domain.core.game import AnyGame
from domain.poker import betting_bot as bots
from domain.poker import betting_events, betting_moves
from domain.poker.betting import clockwise
from domain.poker.betting_play import default, legal
from domain.poker.betting_table import State, alive
from tests.laws.entry import Entry

DECK = 100  # and up: the places of the deck, which belong to nobody
STACKS = (1, 2, 3, 5, 9, 30, 200)


def staying(state: State, seat: Seat, rng: Random) -> Any:
    """Stay in and never raise, so that hands are shown; exchange a few cards."""
    choices = [c for c in legal(state, seat) if c.make not in (betting_moves.Fold, betting_moves.AllIn)]
    calm = [c for c in choices if not isinstance(c, OneNumber)]
    return rng.choice(calm or legal(state, seat)).sample(rng)


def least(state: State, seat: Seat, rng: Random) -> Any:
    """Bet and raise the minimum again and again."""
    choices = legal(state, seat)
    sized = [c.make(c.low) for c in choices if isinstance(c, OneNumber)]
    return sized[0] if sized else staying(state, seat, rng)


def greedy(state: State, seat: Seat, rng: Random) -> Any:
    """Go all-in as soon as possible."""
    choices = legal(state, seat)
    everything = [c for c in choices if c.make is betting_moves.AllIn]
    return everything[0].sample(rng) if everything else staying(state, seat, rng)


def bot(level: str) -> Callable[[Any, Seat, Random], Any]:
    """Return a player of this level."""
    return lambda state, seat, rng: bots.choose(level, state, seat, (), rng)


POLICIES: dict[str, Callable[[Any, Seat, Random], Any]] = {
    "random": bot("random"),
    "easy": bot("easy"),
    "steady": bot("steady"),
    "staying": staying,
    "least": least,
    "greedy": greedy,
    "clock": lambda state, seat, rng: default(state, seat),
}

FACTS: frozenset[type] = frozenset(
    {betting_events.BoardDealt, betting_events.HandShown, betting_events.HandMucked, betting_events.PotAwarded}
)


def stacked(pack: Cards, rng: Random) -> Cards:
    """Stack cards of similar ranks together, so that hands are strong and often equal."""
    return tuple(sorted(pack, key=lambda c: RANK_OF[c] + 3 * rng.random()))


def everywhere(state: State) -> list[Any]:
    """Return the cards in hands, discarded, burnt, on the board, and in the deck."""
    held = [c for hand in (*state.hands, *state.discards) for c in hand]
    return [*held, *state.burnt, *state.board, *state.deck]


def pack(state: State) -> Cards:
    """All cards are in the game once they are dealt."""
    return PACK if state.deal_no else ()


def probes(state: State, seat: Seat, rng: Random) -> list[Any]:
    """Return bets and raises around every threshold, exchanges and shows of any cards, and all moves without
    arguments."""
    held = [c for c in state.hands[seat] if c >= 0] or list(PACK[:5])
    r = state.round
    all_in = r.committed[seat] + r.stacks[seat]
    near = {
        r.current,
        r.current + r.last_raise,
        r.full + r.limits.unit,
        all_in,
        rng.randrange(1 + 2 * all_in),
    }
    sizes = sorted({to + by for to in near for by in (-1, 0, 1)} | {0, 10**9})
    some = [tuple(rng.sample(held, min(n, len(held)))) for n in (0, 1, 2, 3, 4, 5)]
    strange = [tuple(rng.sample(PACK, 2)), (held[0],) * 2, tuple(PACK[:6])]
    cards = [make(row) for row in (*some, *strange) for make in (betting_moves.SwapCards, betting_moves.ShowCards)]
    bare = [
        betting_moves.Fold(),
        betting_moves.Check(),
        betting_moves.Call(),
        betting_moves.AllIn(),
        betting_moves.LeaveTable(),
    ]
    return [*(make(to) for to in sizes for make in (betting_moves.Bet, betting_moves.Raise)), *cards, *bare]


def owners(button: Callable[[State], Seat], state: State, ask: Any) -> list[Seat]:
    """Cards are dealt in turn from the left of the button; the seat that waits for a new stock draws its top cards."""
    count = len(getattr(ask, "items", ()))
    if ask.make is betting_moves.Redeal:
        assert state.swapping is not None
        drawn = state.swapping.count - len(state.deck)
        return [*[state.swapping.seat] * drawn, *range(DECK, DECK + count - drawn)]
    if ask.make is not betting_moves.Deal:
        return []
    order = clockwise(alive(state), button(state), state.rules.seats)
    return [*order * state.rules.hand_size, *range(DECK, DECK + count - len(order) * state.rules.hand_size)]


def entry(game: AnyGame, seats: int, blocks: Mapping[str, Sequence[Any]], button: Callable[[State], Seat]) -> Entry:
    """Return a game of poker for the laws; `button` returns the button of the next hand."""
    return Entry(
        game=game,
        seats=seats,
        blocks=blocks,
        policies=POLICIES,
        stack=stacked,
        whereabouts=everywhere,
        pack=pack,
        probes=probes,
        owners=partial(owners, button),
        secret_moves=(betting_moves.SwapCards,),
        facts=FACTS,
    )
