"""The games that the laws are tried on: a new one is tested by being listed here.

An entry says how to set a game up in the many ways there are, who plays it, where all its cards are, and
what in it may tell a seat of what it did not see.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from domain.core.cards import NAMES, PACK, Cards, Seat
from domain.core.game import Game
from domain.games import gin_rummy
from domain.games.crazy_eights import GAME as EIGHTS_GAME
from domain.games.five_card_draw import GAME as DRAW_GAME
from domain.games.hearts import GAME as HEARTS_GAME
from domain.games.hearts import bot as hearts_bots
from domain.games.hearts import play as hearts
from domain.games.hearts.options import CODES
from domain.games.holdem import GAME as HOLDEM_GAME
from domain.games.trio import GAME as TRIO_GAME
from domain.games.two_handed_hearts import GAME as TWO_HANDED_GAME
from domain.games.two_handed_hearts import play as two_handed_hearts
from domain.poker.moves import SwapCards
from tests.games.crazy_eights import law as eights
from tests.games.gin_rummy import law as gin
from tests.games.trio import law as trio
from tests.games.two_handed_hearts import law as two
from tests.poker import law as poker

Policy = Callable[[Any, Seat, Random], Any]
"""What a seat plays, of the table as it sees it."""


@dataclass(frozen=True)
class Entry:
    """A game under the laws."""

    game: Game[Any, Any, Any, Any]
    seats: int
    blocks: Mapping[str, Sequence[Any]]  # of options; a law goes through every block whole
    policies: Mapping[str, Policy]
    stack: Callable[[Cards, Random], Cards]  # a pack that makes rare things happen
    whereabouts: Callable[[Any], Sequence[Any]]  # every card that is in the game, wherever it is
    pack: Callable[[Any], Sequence[Any]]  # what these are to be
    probes: Callable[[Any, Seat, Random], Sequence[Any]]  # moves to try, good and bad
    owners: Callable[[Any, Any], Sequence[Seat]]  # of each item of an answer of chance: who gets it
    secret_moves: tuple[type, ...]  # whose arguments are nobody's business but the mover's
    facts: frozenset[type]  # events whose public fields follow from hidden cards, as the rules want it
    card_text: Callable[[Any], str] = NAMES.__getitem__  # of a card, in a scene
    off_turn: tuple[type, ...] = ()  # moves that a seat may make which nobody waits for


# --- Hearts -----------------------------------------------------------------------------------------


def extreme(best: Callable[..., Any]) -> Policy:
    """Always play, and pass, the lowest or the highest."""

    def choose(state: Any, seat: Seat, rng: Random) -> Any:
        choice: Any = HEARTS_GAME.legal(state, seat)[0]
        cards = sorted(choice.of, key=hearts.by_rank, reverse=best is max)
        if choice.make is hearts.PassCards:
            return hearts.PassCards(tuple(sorted(cards[: choice.count])))
        return choice.make(cards[0])

    return choose


def shoot(state: Any, seat: Seat, rng: Random) -> Any:
    """Pass low cards, and play the highest while nobody else has taken a point."""
    taken = [state.rules.scoring.points(hearts.taken_by(state.tricks, i)) for i in range(4)]
    hopeful = all(points <= 0 for i, points in enumerate(taken) if i != seat)
    return extreme(max if state.phase == "playing" and hopeful else min)(state, seat, rng)


def bot(level: str) -> Policy:
    return lambda state, seat, rng: hearts_bots.choose(level, state, seat, (), rng)


def everywhere(state: hearts.State) -> list[Any]:
    """The cards held, on the table, taken, and on their way between two hands."""
    underway = {"passing": state.exchange.passed, "returning": state.exchange.returned}.get(
        hearts.phase(state), ()
    )
    moving = [c for x in underway if x is not None for c in (x if isinstance(x, tuple) else (x,))]
    held = [c for hand in state.hands for c in hand]
    return [*held, *moving, *state.trick, *(c for trick in state.tricks for c in trick.cards)]


def hearts_probes(state: hearts.State, seat: Seat, rng: Random) -> list[Any]:
    """Every card played and given back; some passes of own cards and of any, of several lengths."""
    single = [make(c) for c in PACK for make in (hearts.PlayCard, hearts.ReturnCard)]
    of_hand = list(state.hands[seat]) or list(PACK)
    sizes = (0, 2, 3, 3, 4, 4, 5)
    passes = [tuple(rng.sample(of_hand, min(n, len(of_hand)))) for n in sizes]
    strange = [tuple(rng.sample(PACK, 3)), (of_hand[0],) * 3, (of_hand[0],) * 4]
    return [*single, *map(hearts.PassCards, (*passes, *strange))]


def stacked(pack: Cards, rng: Random) -> Cards:
    """Give one seat most of the high cards, so that it may take everything."""
    lucky = rng.randrange(4)
    high_first = sorted(pack, key=lambda c: -hearts.by_rank(c)[0] + rng.random() * 4)
    piles = [high_first[13 * i : 13 * i + 13] for i in range(4)]
    piles[0], piles[lucky] = piles[lucky], piles[0]
    return tuple(piles[i % 4][i // 4] for i in range(52))


def hearts_owners(state: hearts.State, ask: Any) -> list[Seat]:
    """A cut is seen by all; what is dealt goes round from the dealer's left."""
    if ask.make is not hearts.Deal or not ask.items:
        return []
    dealer = state.rules.picked if state.dealer == hearts.NOBODY else state.dealer + (state.deal_no > 0)
    return [(dealer + 1 + i) % 4 for i in range(len(ask.items))]


def hearts_blocks() -> dict[str, list[hearts.Options]]:
    """All 256 variants, sixteen at a time, with every value of every other option among each sixteen."""
    others: list[dict[str, Any]] = [
        {},
        {"first_dealer": "random", "moon_jack": "ignored", "history": "last_trick"},
        {"first_dealer": "pick", "first_dealer_seat": 2, "moon_jack": "bonus"},
        {"moon_style": "shooter_minus", "tie_break": "extra_hand"},
        {"moon_style": "shooter_minus", "moon_jack": "bonus"},
    ]
    made = [hearts.Options(code, target_score=30, **others[i % 5]) for i, code in enumerate(CODES)]
    return {f"hearts {CODES[16 * i][:3]}": made[16 * i : 16 * i + 16] for i in range(16)}


HEARTS = Entry(
    game=HEARTS_GAME,
    seats=4,
    blocks=hearts_blocks(),
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
    probes=hearts_probes,
    owners=hearts_owners,
    secret_moves=(hearts.PassCards, hearts.ReturnCard),
    facts=frozenset({hearts.PlayStarted, hearts.TwoOfClubsShown}),
)

# --- Gin Rummy --------------------------------------------------------------------------------------

GIN = [
    Entry(
        game=gin_rummy.GAME,
        seats=seats,
        blocks=gin.blocks(seats),
        policies=gin.POLICIES,
        stack=gin.stacked,
        whereabouts=gin.everywhere,
        pack=gin.pack,
        probes=gin.probes,
        owners=gin.owners,
        secret_moves=(),
        facts=gin.FACTS,
    )
    for seats in gin_rummy.GAME.setup.seats
]

# --- Trio -------------------------------------------------------------------------------------------

TRIO = [
    Entry(
        game=TRIO_GAME,
        seats=seats,
        blocks=trio.blocks(seats, teams=teams),
        policies=trio.POLICIES,
        stack=trio.stacked,
        whereabouts=trio.everywhere,
        pack=trio.pack,
        probes=trio.probes,
        owners=trio.owners,
        secret_moves=trio.SECRET_MOVES,
        facts=trio.FACTS,
        card_text=str,
    )
    for seats, teams in trio.TABLES
]

# --- Two-Handed Hearts, Crazy Eights ----------------------------------------------------------------

TWO_HANDED = Entry(
    game=TWO_HANDED_GAME,
    seats=2,
    blocks=two.blocks(),
    policies=two.POLICIES,
    stack=two.stacked,
    whereabouts=two.everywhere,
    pack=two.pack,
    probes=two.probes,
    owners=two.owners,
    secret_moves=(two_handed_hearts.KeepCard,),
    facts=two.FACTS,
    off_turn=(two_handed_hearts.ClaimRevoke,),
)

CRAZY_EIGHTS = [
    Entry(
        game=EIGHTS_GAME,
        seats=seats,
        blocks=eights.blocks(seats),
        policies=eights.POLICIES,
        stack=eights.stacked,
        whereabouts=eights.everywhere,
        pack=eights.pack,
        probes=eights.probes,
        owners=eights.owners,
        secret_moves=(),
        facts=eights.FACTS,
    )
    for seats in eights.SEATS
]

# --- Poker ------------------------------------------------------------------------------------------


def poker_entry(game: Game[Any, Any, Any, Any], seats: int, blocks: Mapping[str, Sequence[Any]]) -> Entry:
    return Entry(
        game=game,
        seats=seats,
        blocks=blocks,
        policies=poker.POLICIES,
        stack=poker.stacked,
        whereabouts=poker.everywhere,
        pack=poker.pack,
        probes=poker.probes,
        owners=poker.owners,
        secret_moves=(SwapCards,),
        facts=poker.FACTS,
        off_turn=poker.OFF_TURN,
    )


POKER = [
    *(poker_entry(DRAW_GAME, seats, poker.draw_blocks(seats)) for seats in poker.DRAW_SEATS),
    *(poker_entry(HOLDEM_GAME, seats, poker.holdem_blocks(seats)) for seats in poker.HOLDEM_SEATS),
]

ENTRIES = (HEARTS, TWO_HANDED, *CRAZY_EIGHTS, *GIN, *TRIO, *POKER)
