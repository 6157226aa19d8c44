"""Describes Hearts for the tests of all games: all variants, various players, valid and invalid moves."""

from collections.abc import Callable
from random import Random
from typing import Any

from api.game_checks.subject import Policy
from domain.core.cards import NOBODY, PACK, Cards, Seat
from domain.games.hearts import GAME
from domain.games.hearts import bot as bots
from domain.games.hearts import rules as hearts
from domain.games.hearts.events import Deal, PassCards, PlayCard, PlayStarted, ReturnCard, TwoOfClubsShown
from domain.games.hearts.options import CODES, Options
from domain.games.hearts.rules import State
from tests.laws.entry import Entry


def extreme(best: Callable[..., Any]) -> Policy:
    """Always play and pass the lowest or the highest card."""

    def choose(state: Any, seat: Seat, rng: Random) -> Any:
        choice: Any = GAME.legal(state, seat)[0]
        cards = sorted(choice.of, key=hearts.by_rank, reverse=best is max)
        if choice.make is PassCards:
            return PassCards(tuple(sorted(cards[: choice.count])))
        return choice.make(cards[0])

    return choose


def shoot(state: Any, seat: Seat, rng: Random) -> Any:
    """Pass low cards, and play the highest while no other seat has taken a point."""
    taken = [state.rules.scoring.points(hearts.taken_by(state.tricks, i)) for i in range(4)]
    hopeful = all(points <= 0 for i, points in enumerate(taken) if i != seat)
    return extreme(max if state.phase == "playing" and hopeful else min)(state, seat, rng)


def bot(level: str) -> Policy:
    return lambda state, seat, rng: bots.choose(level, state, seat, (), rng)


def everywhere(state: State) -> list[Any]:
    """Return the cards in hands, on the table, taken, and in transit between two hands."""
    underway = {"passing": state.exchange.passed, "returning": state.exchange.returned}.get(hearts.phase(state), ())
    moving = [c for x in underway if x is not None for c in (x if isinstance(x, tuple) else (x,))]
    held = [c for hand in state.hands for c in hand]
    return [*held, *moving, *state.trick, *(c for trick in state.tricks for c in trick.cards)]


def probes(state: State, seat: Seat, rng: Random) -> list[Any]:
    """Return every play and every returned card, and some passes of held and other cards, of several lengths."""
    single = [make(c) for c in PACK for make in (PlayCard, ReturnCard)]
    of_hand = list(state.hands[seat]) or list(PACK)
    sizes = (0, 2, 3, 3, 4, 4, 5)
    passes = [tuple(rng.sample(of_hand, min(n, len(of_hand)))) for n in sizes]
    strange = [tuple(rng.sample(PACK, 3)), (of_hand[0],) * 3, (of_hand[0],) * 4]
    return [*single, *map(PassCards, (*passes, *strange))]


def stacked(pack: Cards, rng: Random) -> Cards:
    """Deal one seat most of the high cards, so that it may take everything."""
    lucky = rng.randrange(4)
    high_first = sorted(pack, key=lambda c: -hearts.by_rank(c)[0] + rng.random() * 4)
    piles = [high_first[13 * i : 13 * i + 13] for i in range(4)]
    piles[0], piles[lucky] = piles[lucky], piles[0]
    return tuple(piles[i % 4][i // 4] for i in range(52))


def owners(state: State, ask: Any) -> list[Seat]:
    """All readers see a cut; cards are dealt in turn from the dealer's left."""
    if ask.make is not Deal or not ask.items:
        return []
    dealer = state.rules.picked if state.dealer == NOBODY else state.dealer + (state.deal_no > 0)
    return [(dealer + 1 + i) % 4 for i in range(len(ask.items))]


def blocks() -> dict[str, list[Options]]:
    """Return all 256 variants, sixteen at a time, with every value of every other option in each sixteen."""
    others: list[dict[str, Any]] = [
        {},
        {"first_dealer": "random", "moon_jack": "ignored", "history": "last_trick"},
        {"first_dealer": "pick", "first_dealer_seat": 2, "moon_jack": "bonus"},
        {"moon_style": "shooter_minus", "tie_break": "extra_hand"},
        {"moon_style": "shooter_minus", "moon_jack": "bonus"},
        {"jack_of_diamonds": False},
    ]
    made = [Options(code, target_score=30, **others[i % len(others)]) for i, code in enumerate(CODES)]
    return {f"hearts {CODES[16 * i][:3]}": made[16 * i : 16 * i + 16] for i in range(16)}


ENTRY = Entry(
    game=GAME,
    seats=4,
    blocks=blocks(),
    policies={
        "random": bot("random"),
        "easy": bot("easy"),
        "steady": bot("steady"),
        "lowest": extreme(min),
        "highest": extreme(max),
        "shoot": shoot,
        "clock": lambda state, seat, rng: hearts.default(state, seat),
    },
    stack=stacked,
    whereabouts=everywhere,
    pack=lambda state: PACK if state.deal_no else (),
    probes=probes,
    owners=owners,
    secret_moves=(PassCards, ReturnCard),
    facts=frozenset({PlayStarted, TwoOfClubsShown}),
)

ENTRIES = (ENTRY,)

SETUPS: list[tuple[int, dict[str, Any]]] = [(4, {"target_score": 20, "variant": "3-1-4-4"})]
"""Seats and options of the whole matches played over HTTP."""

SHORT: dict[str, Any] = {"target_score": 1}
"""Options for a short match."""

RECORD: tuple[int, dict[str, Any], bool] = (4, {"target_score": 1}, False)
"""Seats and options of a match whose whole record is kept, and whether seat 0 resigns."""

PICTURES: dict[str, Any] = {
    "hearts-trick": (4, {}, lambda m: m.table.phase == "playing" and len(m.table.trick) == 3, 0),
    "hearts-spectator": (4, {}, lambda m: m.table.phase == "passing", None),
}
"""Tables that the terminal draws: seats, options, version and reader. Their drawings are next to this file."""
