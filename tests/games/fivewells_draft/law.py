"""Describes the draft for the tests of all games: packs of random sets, various players, valid and invalid moves."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from domain.card_sets.cards.library import CARDS
from domain.core.cards import Seat
from domain.games.fivewells_draft import GAME, Options
from domain.games.fivewells_draft import bot as bots
from domain.games.fivewells_draft.events import PickCard, SubmitDeck
from domain.games.fivewells_draft.rules import State, opener, remaining
from tests.laws.entry import Entry

PACK = 15
BOUGHT = sorted(card.id for card in CARDS.values() if not card.basic)


def drawn_options(rng: Random) -> Options:
    """Return random options; a draft of one or two rounds is the same draft, only shorter."""
    return Options(tuple(rng.choices(("fw1", "bt1"), k=rng.choice((1, 1, 2)))), passing=rng.random() < 0.8)


def bot(level: str) -> Any:
    return lambda state, seat, rng: bots.choose(level, state, seat, (), rng)


POLICIES = {
    "random": bot("random"),
    "easy": bot("easy"),
    "steady": bot("steady"),
    "clock": lambda state, seat, rng: GAME.timing.default(state, seat),
}


def everywhere(state: State) -> list[str]:
    """Return all cards in packs and pools, as far as the reader knows them, except those just taken."""
    lying = [card for seat in range(state.rules.seats) for card in remaining(state, seat)]
    return [*lying, *(card for pool in state.pools for card in pool if card)]


def pack(state: State) -> list[str]:
    """Return the known cards, and backs up to the number of opened cards."""
    opened = PACK * (max(state.round_no - 1, 0) * state.rules.seats + sum(state.offered))
    known = everywhere(state)[:opened]
    return known + [""] * (opened - len(known))


def probes(state: State, seat: Seat, rng: Random) -> Sequence[Any]:
    """Return the offered moves, cards of other packs, and invalid decks."""
    offered = [choice.sample(rng) for choice in GAME.legal(state, seat) for _ in range(2)]
    mine = tuple(card for card in state.pools[seat] if card)
    return [
        *offered,
        *map(PickCard, rng.sample(BOUGHT, 8)),
        PickCard("no-card"),
        SubmitDeck(("fw1-001",) * 39),
        SubmitDeck(("fw1-001",) * 40),
        SubmitDeck(("no-card",) * 40),
        SubmitDeck(mine + ("fw1-002",) * 40),
        SubmitDeck(mine * 2 + ("fw1-002",) * 40),
    ]


ENTRIES = tuple(
    Entry(
        game=GAME,
        seats=seats,
        blocks={f"draft of {seats}": [drawn_options(Random(i)) for i in range(4)]},
        policies=POLICIES,
        stack=lambda items, rng: items,
        whereabouts=everywhere,
        pack=pack,
        probes=probes,
        owners=lambda state, ask: [opener(state)],
        secret_moves=(PickCard, SubmitDeck),
        facts=frozenset(),
        card_text=lambda card: CARDS[card].name if card else "a hidden card",
        in_view=lambda view: [CARDS[card].name for card in (*view["pack"], *view["picks"])],
    )
    for seats in (2, 5)
)

SETUPS: list[tuple[int, dict[str, Any]]] = [(3, {"packs": ["bt1"]})]
"""Seats and options of the whole matches played over HTTP."""

SHORT: dict[str, Any] = {"packs": ["fw1"]}
"""Options for a short match."""

RECORD: tuple[int, dict[str, Any], bool] = (3, {"packs": ["fw1", "bt1"]}, True)
"""Seats and options of a match whose whole record is kept, and whether seat 0 resigns."""

PICTURES: Mapping[str, Any] = {
    "fivewells_draft-3": (3, {}, lambda m: m.table.pick_no == 6, 0),
    "fivewells_draft-8": (8, {}, lambda m: m.table.round_no == 2 and m.table.pick_no == 3, None),
}
"""Tables that the terminal draws: seats, options, version and reader. Their drawings are next to this file."""
