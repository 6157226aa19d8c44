"""Measures how balanced the cards of Fivewells are: sound bots play each other with random two-colour decks."""

from collections import Counter
from itertools import combinations
from math import sqrt
from random import Random
from statistics import median
from typing import Final, NamedTuple

from bench.tables import Line, Table
from domain.card_sets.cards.card import PrintedCard
from domain.card_sets.cards.card_kinds import COLORS, MANA_NAMES, Mana
from domain.card_sets.cards.library import BASIC_LANDS, CARDS
from domain.core.collectible import Deck
from domain.core.game import CHANCE, play_move
from domain.games.fivewells import GAME, Options
from domain.games.fivewells.bot import choose
from domain.games.fivewells.events import Event
from domain.games.fivewells.state import State

DUELS: Final = 9_000
SPELLS: Final = 23
LANDS: Final = 17
SEED: Final = 20261123

PAIRS: Final = tuple(combinations(COLORS, 2))
FIRST, COLOR, CARD = (48, 52), (45, 55), (40, 62)
"""The range of percentages in which the first player, a colour and a card should win."""


class Brought(NamedTuple):
    """A deck, with its colours and its cards other than basic lands."""

    colors: tuple[Mana, Mana]
    cards: tuple[PrintedCard, ...]
    deck: Deck


class Tally:
    """Counts of wins; a drawn duel counts as half a win for each side."""

    def __init__(self) -> None:
        self.played: Counter[object] = Counter()
        self.won: Counter[object] = Counter()

    def count(self, what: object, points: float) -> None:
        self.played[what] += 1
        self.won[what] += points  # type: ignore[assignment] # halves are counted too

    def rate(self, what: object) -> float:
        """Return the percentage of duels that were won."""
        return 100 * self.won[what] / max(1, self.played[what])


def measure(*, quick: bool, count: int | None = None) -> Table:
    """Play 9,000 or the given number of duels with random decks; print the winning percentages."""
    count = count or (DUELS // 30 if quick else DUELS)
    rng, tally, turns, endings = Random(SEED), Tally(), [], Counter[str]()
    for _ in range(count):
        decks = (_deck(rng), _deck(rng))
        state, first = _played(decks, rng)
        assert state.ended is not None
        turns.append(state.turn)
        endings[state.ended.reason] += 1
        winners = state.ended.winners
        tally.count("first", 0.5 if not winners else first in winners)
        for seat, one in enumerate(decks):
            points = 0.5 if not winners else float(seat in winners)
            for what in (one.colors, *one.colors, *(card.name for card in one.cards)):
                tally.count(what, points)
    return _table(count, tally, turns, endings)


def _table(count: int, tally: Tally, turns: list[int], endings: Counter[str]) -> Table:
    ends = ", ".join(f"{reason} {100 * n / count:.1f} %" for reason, n in endings.most_common())
    title = f"{count:,} duels of random decks of forty cards, sound bots on both sides"
    table = Table(f"{title}; {median(turns):.0f} turns in the median; ended by {ends}")
    table.lines.append(_line(tally, "first", "the first player", FIRST))
    table.lines += [_line(tally, color, MANA_NAMES[color], COLOR) for color in COLORS]
    table.lines += [Line(" with ".join(MANA_NAMES[c] for c in pair), tally.rate(pair), "%") for pair in PAIRS]
    rates = sorted((tally.rate(card.name), card.name) for card in CARDS.values() if tally.played[card.name])
    beyond = [f"{card} {rate:.1f} % of {tally.played[card]}" for rate, card in rates if not _within(tally, card, CARD)]
    table.lines.append(
        Line("cards beyond", len(beyond), "", target=f"none beyond {CARD[0]}–{CARD[1]} %", held=not beyond)
    )
    table.notes += [f"beyond: {one}" for one in beyond]
    shown = [f"{card} {rate:.1f}" for rate, card in rates]
    table.notes += [
        "per cent won by decks with a card:",
        *(", ".join(shown[i : i + 6]) for i in range(0, len(shown), 6)),
    ]
    return table


def _line(tally: Tally, what: object, called: str, bounds: tuple[int, int]) -> Line:
    held = _within(tally, what, bounds)
    return Line(f"{called} wins", tally.rate(what), "%", target=f"{bounds[0]}–{bounds[1]} %", held=held)


def _within(tally: Tally, what: object, bounds: tuple[int, int]) -> bool:
    """Return whether a rate lies within its bounds; with fewer duels, it may miss them by two standard errors."""
    most = 0.0 if tally.played["first"] >= DUELS else 100 / sqrt(tally.played[what])
    return bounds[0] - most <= tally.rate(what) <= bounds[1] + most


def _deck(rng: Random) -> Brought:
    """Build a deck of two colours: different cards that need no other colour, and equally many lands of each."""
    colors = rng.choice(PAIRS)
    fitting = [card for card in CARDS.values() if not card.basic and set(card.colors) <= set(colors)]
    cards = tuple(rng.sample(fitting, SPELLS))
    half = [BASIC_LANDS[color].id for color in colors]
    lands = (half[0],) * ((LANDS + 1) // 2) + (half[1],) * (LANDS // 2)
    return Brought(colors, cards, Deck(tuple(sorted((*lands, *(card.id for card in cards))))))


def _played(decks: tuple[Brought, Brought], rng: Random) -> tuple[State, int]:
    """Play a duel; return its final state and who began."""
    state: State = GAME.start(Options(), 2, None)
    assert GAME.entry is not None
    happening: tuple[Event, ...] = GAME.entry.opening(state, tuple(one.deck for one in decks))
    while happening:
        for event in happening:
            GAME.evolve(state, event)
        happening = GAME.consequences(state)
    first = -1
    while actors := GAME.to_act(state):
        seat = actors[0]
        move = GAME.ask(state).sample(rng) if seat == CHANCE else choose("steady", state, seat, (), rng)
        state, _ = play_move(GAME, state, seat, move)
        first = state.first if first < 0 else first
    return state, first
