"""Defines the options of Fivewells, and the decks that are played where no others are brought (fivewells 1)."""

from itertools import combinations
from typing import Annotated, Final, Literal

from domain.core.options import Range
from domain.core.values import value
from domain.games.fivewells.cards.kinds import COLORS, MANA_NAMES, CardType, Rarity
from domain.games.fivewells.cards.library import BASIC_LANDS, CARDS
from domain.games.fivewells.records import Stop

Deck = tuple[str, ...]
DeckName = Literal["ST", "SR", "SF", "SG", "TR", "TF", "TG", "RF", "RG", "FG"]
"""The two colours of a deck."""

STOPS: Final[tuple[Stop, ...]] = (
    "own main1",
    "own main2",
    "own block",
    "opponent attack",
    "opponent block",
    "opponent dusk",
)
"""The windows in which a seat is asked, until it says otherwise."""

MAXIMUM_TURNS: Final = 1000


@value
class Options:
    """These are the options of a duel."""

    first_deck: DeckName = "SR"
    """The deck of seat 0: the commons of two colours, two of each, and twelve basic lands of each."""
    second_deck: DeckName = "FG"
    """The deck of seat 1."""
    max_turns: Annotated[int, Range(1, MAXIMUM_TURNS)] = 120
    """The turns of both players together, after which the game is drawn."""


@value
class Rules:
    """The rules are what follows from the options: each seat's deck, sorted by card id, and its size."""

    decks: tuple[Deck, ...]
    max_turns: int = 120
    stops: tuple[Stop, ...] = STOPS

    @property
    def counts(self) -> tuple[int, ...]:
        """Give the number of cards in each deck."""
        return tuple(map(len, self.decks))


def two_coloured(letters: str) -> Deck:
    """Make the deck of two colours: two of each of their commons, and twelve basic lands of each."""
    colors = [color for color in COLORS if color.name in letters]
    lands = [land.id for land in BASIC_LANDS for color in colors if color.name in produced(land.id)]
    spells = [
        card.id
        for card in CARDS.values()
        if card.rarity is Rarity.COMMON and CardType.LAND not in card.types and card.colors in [(c,) for c in colors]
    ]
    return tuple(sorted(lands * 12 + spells * 2))


def produced(land: str) -> str:
    """Give the letter of the mana that a basic land adds."""
    return "".join(str(getattr(getattr(ability, "add", None), "name", "")) for ability in CARDS[land].abilities)


DECKS: Final = {a.name + b.name: two_coloured(a.name + b.name) for a, b in combinations(COLORS, 2)}


def compile_rules(options: Options) -> Rules:
    """Work out what follows from the options."""
    return Rules((DECKS[options.first_deck], DECKS[options.second_deck]), options.max_turns)


def about(options: Options, seats: int) -> str:
    """Say in a few sentences by which rules is played."""
    decks = " and ".join(words(name) for name in (options.first_deck, options.second_deck))
    return f"A duel of creatures and spells with fixed decks: {decks}. It is drawn after {options.max_turns} turns."


def words(name: DeckName) -> str:
    """Name the colours of a deck."""
    return " with ".join(MANA_NAMES[color] for color in COLORS if color.name in name)


def most_hands(options: Options, seats: int) -> int:
    """Say that a game is one duel."""
    return 1
