"""Describes Trio for the tests of all games: random options, various players, valid and invalid moves."""

from random import Random
from typing import Any

from domain.core.cards import Seat
from domain.core.clock import DAY, Time
from domain.games.trio import GAME, Options
from domain.games.trio import bot as bots
from domain.games.trio.options import PACK, Numbers
from domain.games.trio.table import (
    CardRevealed,
    Deal,
    DeclineSwap,
    OfferSwap,
    RevealHighest,
    RevealLowest,
    RevealMiddle,
    State,
    SwapMade,
)
from tests.laws.entry import Entry, Further

FACTS = frozenset({CardRevealed, SwapMade})
SECRET_MOVES = (OfferSwap,)
TABLES = ((3, False), (4, False), (5, False), (6, False), (4, True), (6, True))


def drawn_options(rng: Random, *, teams: bool) -> Options:
    """Return random options; games are short, because random players would need a thousand turns."""
    first: dict[str, Any] = rng.choice(
        [{}, {"first_player": "random"}, {"first_player": "pick", "first_player_seat": 2}]
    )
    return Options(
        mode=rng.choice(("simple", "spicy")),
        teams=teams,
        memory=rng.choice(("table", "open", "strict")),
        max_turns=rng.choice((1, 12, 40)),
        swap_seconds=rng.choice((0, 30)),
        **first,
    )


def blocks(seats: int, *, teams: bool) -> dict[str, list[Options]]:
    rng = Random(seats)
    name = f"trio {seats} {'in teams' if teams else 'alone'}"
    return {name: [drawn_options(rng, teams=teams) for _ in range(8)]}


def bot(level: str) -> Any:
    return lambda state, seat, rng: bots.choose(level, state, seat, (), rng)


def lowest(state: State, seat: Seat, rng: Random) -> Any:
    """Reveal the lowest cards, which are often equal in a stacked pack; take part in every swap."""
    choices = GAME.legal(state, seat)
    return choices[-2 if state.phase == "revealing" else -1].sample(rng)


POLICIES = {
    "random": bot("random"),
    "easy": bot("easy"),
    "steady": bot("steady"),
    "lowest": lowest,
    "clock": lambda state, seat, rng: GAME.timing.default(state, seat),
}


def stacked(pack: Any, rng: Random) -> Any:
    """Deal nearly equal cards one after another, so that the ends of the hands are alike."""
    return tuple(sorted(pack, key=lambda number: number + 2 * rng.random()))


def everywhere(state: State) -> list[int]:
    """Return the cards face down, face up, and taken."""
    face_down = [c for hand in state.hands for c in hand] + [c for c in state.middle if c is not None]
    taken = [trio.number for trio in state.trios for _ in range(3)]
    return [*face_down, *(shown.card for shown in state.face_up), *taken]


def pack(state: State) -> Numbers:
    return PACK if any(state.hands) or state.trios else ()


def probes(state: State, seat: Seat, rng: Random) -> list[Any]:
    """Return every possible reveal and swap, and some impossible ones."""
    ends = [make(i) for make in (RevealLowest, RevealHighest) for i in range(-1, 7)]
    return [*ends, *map(RevealMiddle, range(-1, 10)), *map(OfferSwap, range(14)), DeclineSwap()]


def owners(state: State, ask: Any) -> list[Seat]:
    """Deal cards in turn from seat 0. Each place in the middle is distinct and belongs to no seat."""
    if ask.make is not Deal:
        return []
    n, share = state.rules.seats, state.rules.seats * state.rules.each
    return [i % n if i < share else -2 - i for i in range(len(PACK))]


def brings(options: Options, rng: Random, at: int) -> Time:
    """Return the time of an avocado eaten within the last day."""
    return Time(at - rng.randrange(DAY))


ENTRIES = tuple(
    Entry(
        game=GAME,
        seats=seats,
        blocks=blocks(seats, teams=teams),
        policies=POLICIES,
        stack=stacked,
        whereabouts=everywhere,
        pack=pack,
        probes=probes,
        owners=owners,
        secret_moves=SECRET_MOVES,
        facts=FACTS,
        brings=brings,
        card_text=str,
    )
    for seats, teams in TABLES
)

SETUPS: list[tuple[int, dict[str, Any]]] = [
    (3, {"mode": "spicy"}),
    (4, {"teams": True}),
    (6, {"memory": "strict"}),
]
"""Seats and options of the whole matches played over HTTP."""

SHORT: dict[str, Any] = {}
"""Options for a short match."""

FURTHER = (Further(1, frozenset({"swap_window"}), setup=1),)
"""Matches that reach the remaining phases."""

RECORD: tuple[int, dict[str, Any], bool] = (3, {"on_resign": "end"}, True)
"""Seats and options of a match whose whole record is kept, and whether seat 0 resigns."""

PICTURES: dict[str, Any] = {
    "trio-3": (3, {}, lambda m: len(m.table.face_up) == 1 and m.table.turn_no > 3, 0),
    "trio-6": (6, {}, lambda m: len(m.table.trios) == 2, None),
}
"""Tables that the terminal draws: seats, options, version and reader. Their drawings are next to this file."""
