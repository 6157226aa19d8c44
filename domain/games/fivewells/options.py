"""Defines the options of Fivewells, the decks and boosters that follow from them, and its ratings (fivewells 1, 10)."""

from collections.abc import Mapping
from itertools import combinations
from typing import Annotated, Final, Literal, get_args

from domain.card_sets.cards.card import PrintedCard
from domain.card_sets.cards.card_kinds import COLORS, MANA_NAMES, CardType, Mana, Rarity
from domain.card_sets.cards.library import BASIC_LANDS, CARDS, SETS
from domain.card_sets.decks.deck import DeckRules, constructed_rules
from domain.core.backing import FromMatch
from domain.core.collectible import Deck
from domain.core.options import Pattern, Range
from domain.core.strengths import USUAL, Figures, Strengths
from domain.core.types import Title
from domain.core.values import value
from domain.games.fivewells.records import Stop

Format = Literal["constructed", "sealed", "draft"]
DeckName = Literal["ST", "SR", "SF", "SG", "TR", "TF", "TG", "RF", "RG", "FG"]
"""The two colours of a deck."""

SetCode = Literal["fw1", "bt1"]

STOPS: Final[tuple[Stop, ...]] = (
    "own main1",
    "own main2",
    "own block",
    "opponent attack",
    "opponent block",
    "opponent dusk",
)
"""The default stops of a seat."""

MAXIMUM_TURNS: Final = 1000
LANDS: Final = 24
SPELLS: Final = 36
DRAFTED: Final = 40
"""Minimum number of cards in a drafted deck."""
BOOSTERS: Final = 6
"""The number of boosters that each seat opens to build a deck."""


TOURNAMENT: Final = "tournament"
PREPARED: Final = {name: {"format": name or "draft", "pool": TOURNAMENT} for name in ("sealed", "")}
"""The options of tables with decks that entrants built before a tournament, from opened or drafted boosters."""
GAINED: Final = FromMatch({"format": "draft"}, "pool")
"""The options of tables with decks that were drafted in another match."""
POOL: Final = f"[0-9a-z]{{20}}|{TOURNAMENT}"


@value
class Options:
    """The options of a duel."""

    format: Annotated[Format, Title("Decks")] = "constructed"
    """Whether players bring constructed or drafted decks, or build decks from boosters that they open."""
    sets: tuple[SetCode, ...] = ("fw1", "bt1")
    """The sets of the allowed cards and of the boosters."""
    first_deck: DeckName = "SR"
    """The default deck of seat 0."""
    second_deck: DeckName = "FG"
    """The default deck of seat 1."""
    sideboarding: Annotated[bool, Title("Sideboarding between games")] = True
    """Whether decks may be changed between the games of a match."""
    max_turns: Annotated[int, Range(1, MAXIMUM_TURNS), Title("Most turns")] = 120
    """The turns of both players together, after which the game is drawn."""
    collection: Annotated[Literal["free", "owned"], Title("Cards allowed in decks")] = "free"
    """The cards allowed in decks that players bring: all cards, or only those that they own."""
    pool: Annotated[
        Annotated[str, Pattern(POOL, "the id of a finished draft or `tournament`")] | None, Title("Draft of the pool")
    ] = None
    """The id of the finished draft with the picks of the players.

    At tournament tables it is `tournament`: entrants use the decks that they built before the first round.
    """
    bots_from: Annotated[int, Range(0, 7), Title("First draft seat for bots")] = 0
    """The first draft seat whose deck bots use. Only decks drafted by bots count, in seat order from there."""
    auto_pass_when_no_action: Annotated[bool, Title("Pass automatically without options")] = False
    """Whether a seat that can do nothing passes automatically. The speed of its pass reveals something about its
    hand.
    """


@value
class Rules:
    """The compiled options: the default decks of the seats, and the sets of the boosters."""

    decks: tuple[Deck, ...]
    max_turns: int = 120
    stops: tuple[Stop, ...] = STOPS
    brought: DeckRules = constructed_rules(tuple(SETS))
    """The rules for a deck that is brought."""
    boosters: tuple[str, ...] = ()
    """The sets of the boosters that each seat opens; none if players bring decks."""
    sideboarding: bool = True
    drafted: bool = False
    """Whether decks consist of cards picked in a draft."""
    passes_without_action: bool = False
    """Whether a seat without options passes automatically."""


def two_coloured(letters: str, sets: tuple[str, ...] = ("fw1", "bt1")) -> Deck:
    """Make the deck of two colours: 36 of their commons in these sets, equally many of each, and twelve lands of each.

    If there are too few commons for four copies of each, cards of all rarities are used.
    """
    colors = [color for color in COLORS if color.name in letters]
    lands = [BASIC_LANDS[color].id for color in colors]
    of_colors = [card for card in CARDS.values() if is_spell(card, sets, colors)]
    commons = [card.id for card in of_colors if card.rarity is Rarity.COMMON]
    spells = commons if 4 * len(commons) >= SPELLS else [card.id for card in of_colors]
    copies, left = divmod(SPELLS, len(spells))
    rest = spells[:left]
    return Deck(tuple(sorted(lands * (LANDS // 2) + spells * copies + rest)))


def is_spell(card: PrintedCard, sets: tuple[str, ...], colors: list[Mana]) -> bool:
    """Return whether a card is in one of these sets, has just one of these colours, and is no land."""
    return card.set in sets and CardType.LAND not in card.types and card.colors in [(color,) for color in colors]


NAMES: Final = [a.name + b.name for a, b in combinations(COLORS, 2)]


def compile_rules(options: Options) -> Rules:
    """Compile the options."""
    sealed, drafted = options.format == "sealed" and options.pool is None, options.pool is not None
    return Rules(
        tuple(two_coloured(name, options.sets) for name in (options.first_deck, options.second_deck)),
        options.max_turns,
        brought=DeckRules(DRAFTED, tuple(SETS)) if drafted else constructed_rules(options.sets),
        boosters=boosters_of(options.sets) if sealed else (),
        sideboarding=options.sideboarding,
        drafted=drafted,
        passes_without_action=options.auto_pass_when_no_action,
    )


def boosters_of(sets: tuple[str, ...]) -> tuple[str, ...]:
    """Return the sets of a seat's boosters: four of the first and two of the second; six of a single one."""
    second = sets[1:2] * 2
    return sets[:1] * (BOOSTERS - len(second)) + second


def bad_options(options: Options, seats: int) -> Mapping[str, str]:
    """Name the options that exclude each other."""
    if not options.sets:
        return {"sets": "Name at least one set."}
    if len(set(options.sets)) < len(options.sets):
        return {"sets": "Name each set once."}
    if options.format == "draft" and options.pool is None:
        return {"pool": "Give the match id of the draft whose picks are used."}
    if options.format == "constructed" and options.pool == TOURNAMENT:
        return {"pool": "Decks built before a tournament need the format `sealed` or `draft`."}
    if options.format != "draft" and options.pool not in (None, TOURNAMENT):
        return {"pool": "A pool is allowed only with the format `draft`."}
    if options.pool in (None, TOURNAMENT) and options.bots_from:
        return {"bots_from": "`bots_from` needs a draft in `pool`."}
    if options.format != "constructed" and options.collection == "owned":
        return {"collection": "Owned collections are allowed only with the format `constructed`."}
    return {}


def describe_options(options: Options, seats: int) -> str:
    """Return the rules in a few sentences."""
    of_sets = " and ".join(SETS[code].name for code in options.sets)
    if options.pool == TOURNAMENT:
        built = "Decks have at least forty cards. Players built them before the tournament."
    elif options.format == "sealed":
        built = f"Each player opens six boosters of {of_sets} and builds a deck of at least forty cards from them."
    elif options.format == "draft":
        built = "Decks have at least forty cards: picks from a draft, and basic lands."
    else:
        decks = " and ".join(words(name) for name in (options.first_deck, options.second_deck))
        owned = "Players may use only cards that they own. " if options.collection == "owned" else ""
        built = f"Decks are of {of_sets} and have at least sixty cards. {owned}Players without a deck get {decks}."
    between = "may be changed" if options.sideboarding else "stay as they are"
    passing = " Players who can do nothing pass automatically." if options.auto_pass_when_no_action else ""
    return (
        f"A duel of creatures and spells, from 20 life to 0. {built} Between games, decks {between}.{passing} "
        f"A game is drawn after {options.max_turns} turns."
    )


def words(name: str) -> str:
    """Name the colours of a deck."""
    return " with ".join(MANA_NAMES[color] for color in COLORS if color.name in name)


def most_hands(options: Options, seats: int) -> int:
    """Return the number of hands: one duel, and the opening of boosters before the first."""
    return 2 if options.format == "sealed" and options.pool is None else 1


TITLES: Final[Mapping[str, Mapping[str, str]]] = {
    "sets": {code: SETS[code].name for code in get_args(SetCode)},
    "format": {"constructed": "Built before", "sealed": "Built from boosters", "draft": "Drafted"},
    "collection": {"free": "All cards", "owned": "Only owned cards"},
    **{option: {name: words(name) for name in get_args(DeckName)} for option in ("first_deck", "second_deck")},
}
"""The display names of choices that are codes."""


# --- Ratings: luck and skill as measured in matches of bots with the usual decks ---------------------------


def format_of(options: Options, seats: int) -> str:
    """Return the rating class: built and drafted decks are rated separately, because building is half of the skill."""
    return "" if options.format == "constructed" else options.format


LUCK: Final = 600.0

STRENGTHS: Final = Strengths(
    Figures(LUCK, {"random": -3450, "easy": 790, "steady": 1500, "strong": 1500}),
    format_of,
    # How well bots build decks was not measured.
    {"sealed": Figures(LUCK), "draft": Figures(LUCK)},
    {USUAL: "constructed decks", "sealed": "sealed decks", "draft": "drafted decks"},
)
