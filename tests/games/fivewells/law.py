"""Describes Fivewells for the tests of all games: short duels with random options, various players and moves."""

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from domain.card_sets.cards.library import CARDS
from domain.core.cards import Seat
from domain.core.collectible import Deck
from domain.games.fivewells import GAME, Options
from domain.games.fivewells import bot as bots
from domain.games.fivewells.characteristics import PRINTED
from domain.games.fivewells.events import CardsDiscarded, CardsMilled, LandPlayed, LibrarySearched, SpellCast
from domain.games.fivewells.moves import (
    ActivateAbility,
    ActivateManaAbility,
    Arranged,
    CastSpell,
    Choose,
    DeclareAttackers,
    DeclareBlockers,
    KeepHand,
    Mulligan,
    OrderBlockers,
    PassPriority,
    PlayLand,
    SetStops,
    ShuffleLibrary,
    SubmitDeck,
)
from domain.games.fivewells.options import NAMES, two_coloured
from domain.games.fivewells.records import Blocks, Handle, of_item, of_seat
from domain.games.fivewells.state import State
from tests.laws.entry import Entry, Further

FACTS = frozenset({LandPlayed, SpellCast, CardsDiscarded, CardsMilled, LibrarySearched})
TURNS = (1, 4, 8)
"""A duel of a hundred turns is the same game, only longer."""


def drawn_options(rng: Random, **chosen: Any) -> Options:
    """Return random options; duels are short."""
    first, second = rng.choice(NAMES), rng.choice(NAMES)
    return Options(
        sets=rng.choice((("fw1", "bt1"), ("fw1",), ("bt1",))),
        first_deck=first,  # type: ignore[arg-type]
        second_deck=second,  # type: ignore[arg-type]
        max_turns=rng.choice(TURNS),
        **chosen,
    )


def bot(level: str) -> Any:
    return lambda state, seat, rng: bots.choose(level, state, seat, (), rng)


def active(state: State, seat: Seat, rng: Random) -> Any:
    """Act rather than pass, if possible."""
    choices = bots.answering(state, seat)
    acts = [one for one in choices if one.make is not PassPriority] or choices
    return rng.choice(acts).sample(rng)


POLICIES = {
    "random": bot("random"),
    "easy": bot("easy"),
    "steady": bot("steady"),
    "active": active,
    "clock": lambda state, seat, rng: GAME.timing.default(state, seat),
}


def shuffled(pack: Any, rng: Random) -> Any:
    """Shuffle as requested: handles reveal nothing about the cards, so no order is rarer than another."""
    return tuple(rng.sample(pack, len(pack)))


def everywhere(state: State) -> list[tuple[Handle, str]]:
    """Return every card in any zone, every token, and every ability on the stack."""
    zones = (*state.libraries, *state.hands, *state.graveyards)
    cards = [(handle, state.cards[handle]) for zone in zones for handle in zone]
    cards += [(p.object, p.card) for p in state.permanents]
    return cards + [(one.source if one.spell else one.item, one.card) for one in state.stack]


def pack(state: State) -> list[tuple[Handle, str]]:
    """Return the known cards by handle, with tokens and abilities."""
    handles = map(Handle, range(1, 1 + sum(state.sizes[: state.numbered])))
    cards = [(handle, state.cards[handle]) for handle in handles]
    cards += [(p.object, p.card) for p in state.permanents if p.token]
    return cards + [(one.item, one.card) for one in state.stack if not one.spell]


def card_text(card: tuple[int, str]) -> str:
    return PRINTED[card[1]].name if card[1] else "a hidden card"


def in_view(view: Mapping[str, Any]) -> list[str]:
    rows = (view["held"], *view["graveyards"], view["battlefield"], view["stack"])
    return [card["name"] for row in rows for card in row]


def probes(state: State, seat: Seat, rng: Random) -> Sequence[Any]:
    """Return the offered moves, the same moves with other objects, and every move that is rarely legal."""
    offered = [choice.sample(rng) for choice in GAME.legal(state, seat) for _ in range(2)]
    any_card = [Handle(rng.randint(1, 125)) for _ in range(6)]
    a, b, c, *_ = any_card
    return [
        *offered,
        *map(PlayLand, any_card),
        *map(CastSpell, any_card),
        *(ActivateManaAbility(one) for one in any_card),
        *(ActivateAbility(one, 0) for one in any_card),
        DeclareAttackers(()),
        DeclareAttackers((a,)),
        DeclareBlockers(()),
        DeclareBlockers((Blocks(a, b),)),
        DeclareBlockers((Blocks(a, b), Blocks(a, c))),
        OrderBlockers(a, (b, c)),
        Choose("may", value=True),
        Choose("mode", 1),
        Choose("mode", 9),
        Choose("discard", (a,)),
        Choose("cleanup_discard", tuple(sorted({a, b}))),
        Choose("sacrifice", (of_item(1),)),
        Choose("scout", Arranged((a,), (b,))),
        Choose("search", ()),
        Choose("search", (of_seat(0),)),
        SubmitDeck(("fw1-001",) * 59),
        SubmitDeck(("fw1-001",) * 60),
        SubmitDeck(("no-card",)),
        SetStops(()),
        SetStops(("own main1", "own main1")),
        Mulligan(),
        KeepHand(),
        KeepHand((a,)),
        PassPriority(),
        PassPriority("next_turn"),
    ]


def owners(state: State, ask: Any) -> list[Seat]:
    """Show seven cards of a library to its seat and hide the others; a booster goes to one seat completely."""
    if ask.make is not ShuffleLibrary:
        return []
    seat = state.to_shuffle.index(True)
    dealt = 0 if state.kept[seat] else 7
    return [seat if i < dealt else -2 - i for i in range(len(ask.items))]


def brings(options: Options, rng: Random, at: int) -> Deck | None:
    """Return a deck of two colours with a sideboard of other cards, or None if decks are not brought."""
    if options.format == "sealed":
        return None
    main, beside = (two_coloured(name, options.sets) for name in rng.sample(NAMES, 2))
    copies = Counter(main.main)
    free = [card for card in dict.fromkeys(beside.main) if CARDS[card].basic or not copies[card]]
    return Deck(main.main, tuple(sorted(free[:15])))


BLOCKS: Mapping[str, list[Options]] = {
    "fivewells constructed": [drawn_options(Random(i)) for i in range(8)],
    "fivewells sealed": [drawn_options(Random(i), format="sealed") for i in range(4)],
}

ENTRIES = (
    Entry(
        game=GAME,
        seats=2,
        blocks=BLOCKS,
        policies=POLICIES,
        stack=shuffled,
        whereabouts=everywhere,
        pack=pack,
        probes=probes,
        owners=owners,
        secret_moves=(KeepHand,),
        facts=FACTS,
        brings=brings,
        card_text=card_text,
        in_view=in_view,
    ),
)

SETUPS: list[tuple[int, dict[str, Any]]] = [
    (2, {"max_turns": 6}),
    (2, {"format": "sealed", "sets": ["fw1"], "max_turns": 4}),
]
"""Seats and options of the whole matches played over HTTP."""

SHORT: dict[str, Any] = {"max_turns": 2}
"""Options for a short match."""

ASKING = {
    "main": ["fw1-001", "fw1-003"] * 12
    + ["fw1-006", "fw1-012", "fw1-038", "bt1-001", "bt1-002", "bt1-004", "bt1-014", "bt1-035", "bt1-036"] * 4
}
"""A deck with cards that ask for a mode and for a card of the library, and creatures with quickstrike."""

FURTHER = (
    Further(
        42,
        frozenset({"mode", "attack", "block", "search", "order_blockers", "first_damage"}),
        options={"max_turns": 40, "second_deck": "RG"},
        deck=ASKING,
        bots="random",
    ),
    Further(9, frozenset({"deck_building", "dawn"}), setup=1, options={"max_turns": 40}),
    Further(7, frozenset({"discard", "sacrifice", "trigger_targets"}), options={"max_turns": 40, "first_deck": "TG"}),
    Further(4, frozenset({"may", "pay_or_not"}), options={"max_turns": 40, "first_deck": "SG", "second_deck": "ST"}),
    Further(1, frozenset({"damage", "scout"}), options={"max_turns": 40, "first_deck": "TF", "second_deck": "TG"}),
    Further(
        2,
        frozenset({"cleanup_discard"}),
        options={"max_turns": 40, "second_deck": "RG"},
        deck=ASKING,
        bots="easy",
    ),
)
"""Matches that reach the remaining phases."""

RECORD: tuple[int, dict[str, Any], bool] = (2, {"max_turns": 20}, False)
"""Seats and options of a match whose whole record is kept, and whether seat 0 resigns."""

PICTURES: dict[str, Any] = {
    "fivewells-attack": (2, {}, lambda m: sum(p.attacking for p in m.table.permanents) > 1, 0),
    "fivewells-stack": (2, {}, lambda m: m.table.stack and m.table.turn > 7, None),
}
"""Tables that the terminal draws: seats, options, version and reader. Their drawings are next to this file."""
