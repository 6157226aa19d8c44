"""Describes Gin Rummy for the tests of all games: all options, various players, valid and invalid moves."""

from random import Random
from typing import Any

from domain.core.cards import NOBODY, PACK, Cards, Seat, drop_cards
from domain.core.choices import Shuffle
from domain.games.gin_rummy import GAME, Options, events
from domain.games.gin_rummy import bot as bots
from domain.games.gin_rummy.melds import LaidCard, arrange, is_meld
from domain.games.gin_rummy.options import PRESETS
from domain.games.gin_rummy.play import next_dealer
from domain.games.gin_rummy.table import State, table_number
from tests.laws.entry import Entry, Further

FACTS = frozenset({events.UpcardTurned, events.Knocked, events.LaidOff, events.HandShown, events.HandScored})


def drawn_options(rng: Random) -> Options:
    """Return random options."""
    return Options(
        target_score=rng.choice((None, 10, 60)),
        knock_limit=rng.choice((0, 3, 10)),
        gin_bonus=rng.choice((0, 25)),
        undercut=rng.choice(("bonus", "difference", "signed")),
        undercut_bonus=rng.choice((0, 10, 25)),
        rediscard_taken=rng.random() < 0.5,
        big_gin_bonus=rng.choice((None, 31)),
        stock_floor=rng.randrange(11),
        next_dealer=rng.choice(("alternate", "winner", "loser")),
        game_bonus=rng.choice((0, 100)),
        box_bonus=rng.choice((0, 25)),
        max_pile_takes=rng.choice((1, 3, 20)),
    )


def blocks(seats: int) -> dict[str, list[Options]]:
    """Return the presets and some random options."""
    rng = Random(seats)
    drawn = [drawn_options(rng) for _ in range(3)]
    return {f"gin rummy of {seats}": [Options(), Options(**PRESETS["club"]), *drawn]}


def declaring(state: State, seat: Seat, rng: Random) -> Any:
    """Knock as soon as possible with chosen melds, and answer a knock with some melds."""
    made = {choice.make: choice for choice in GAME.legal(state, seat)}
    if events.Knock in made:
        knock = made[events.Knock].sample(rng)
        melds = arrange(drop_cards(state.hands[seat], (knock.discard,))).melds
        return events.Knock(knock.discard, tuple(tuple(rng.sample(meld, len(meld))) for meld in melds[::-1]))
    if events.LayOff in made:
        return events.LayOff(arrange(state.hands[seat]).melds, ())
    return rng.choice(list(made.values())).sample(rng)


def hoarding(state: State, seat: Seat, rng: Random) -> Any:
    """Always take from the pile, and discard the same card if allowed."""
    made: dict[type, Any] = {choice.make: choice for choice in GAME.legal(state, seat)}
    for make in (events.TakeUpcard, events.DrawFromDiscard):
        if make in made:
            return make()
    taken = state.tables[table_number(state, seat)].taken
    if events.Discard in made and taken is not None and taken in made[events.Discard].of:
        return events.Discard(taken)
    return rng.choice(list(made.values())).sample(rng)


POLICIES = {
    "random": lambda state, seat, rng: bots.choose("random", state, seat, (), rng),
    "easy": lambda state, seat, rng: bots.choose("easy", state, seat, (), rng),
    "steady": lambda state, seat, rng: bots.choose("steady", state, seat, (), rng),
    "clock": lambda state, seat, rng: GAME.timing.default(state, seat),
    "declaring": declaring,
    "hoarding": hoarding,
}


def stacked(pack: Cards, rng: Random) -> Cards:
    """Deal from half of the pack, where melds are frequent."""
    if rng.random() < 0.5:
        suits = rng.sample(range(4), 2)
        thick = [c for c in pack if c // 13 in suits]
    else:
        ranks = rng.sample(range(13), 6)
        thick = [c for c in pack if c % 13 in ranks]
    return (*thick, *drop_cards(pack, thick))


def everywhere(state: State) -> list[Any]:
    """Return the cards in the hands, in the stocks and on the piles."""
    lying = [c for table in state.tables for c in (*table.stock, *table.pile)]
    return [*lying, *(c for hand in state.hands for c in hand)]


def pack(state: State) -> Cards:
    """Return a pack for each table that was dealt."""
    return PACK * sum(table.phase != "hand_setup" for table in state.tables)


def probes(state: State, seat: Seat, rng: Random) -> list[Any]:
    """Return every move without arguments, discards of held and other cards, and valid, invalid and overlapping
    melds."""
    hand = state.hands[seat] or PACK[:10]
    bare = [events.TakeUpcard(), events.PassUpcard(), events.DrawFromStock(), events.DrawFromDiscard()]
    cards = [*hand, *rng.sample(PACK, 3)]
    melds = [(), arrange(hand).melds, *(some_melds(hand, rng) for _ in range(6)), some_melds(PACK, rng)]
    knocks = [events.Knock(c, m) for c in cards for m in (None, rng.choice(melds))]
    layoffs = [None, (), tuple(LaidCard(rng.choice(cards), rng.randrange(-1, 3)) for _ in range(2))]
    answers = [events.LayOff(m, rng.choice(layoffs)) for m in (None, *melds)]
    return [*bare, *map(events.Discard, cards), *knocks, events.BigGin(), *map(events.BigGin, melds), *answers]


def some_melds(hand: Cards, rng: Random) -> tuple[Cards, ...]:
    """Return groups of three or four cards, which are rarely melds."""
    picked = [tuple(rng.sample(hand, rng.choice((2, 3, 3, 4)))) for _ in range(8)]
    good = [cards for cards in picked if is_meld(cards)]
    return tuple((good or picked)[: rng.randrange(1, 3)])


def owners(state: State, ask: Any) -> list[Seat]:
    """Return the owner of each card of a pack: ten cards each in turn, the upcard, and NOBODY for the stock."""
    if not isinstance(ask, Shuffle):
        return []
    waiting = any(table.phase == "hand_setup" for table in state.tables)
    dealer = state.loser if state.dealer == NOBODY else next_dealer(state)
    pairs = [table.pair for table in state.tables] if waiting else state.rules.form.pairs(dealer, state.deal_no + 1)
    return [*pairs[ask.n] * 10, -2, *[NOBODY] * 31]


ENTRIES = tuple(
    Entry(
        game=GAME,
        seats=seats,
        blocks=blocks(seats),
        policies=POLICIES,
        stack=stacked,
        whereabouts=everywhere,
        pack=pack,
        probes=probes,
        owners=owners,
        secret_moves=(),
        facts=FACTS,
    )
    for seats in GAME.setup.seats
)

SETUPS: list[tuple[int, dict[str, Any]]] = [
    (2, {"target_score": 20, "big_gin_bonus": 31}),
    (3, {"target_score": 20}),
    (4, {"target_score": 20}),
]
"""Seats and options of the whole matches played over HTTP."""

SHORT: dict[str, Any] = {"target_score": 10}
"""Options for a short match."""

FURTHER = (Further(1, frozenset({"offer_nondealer", "must_draw_stock", "lay_off"})),)
"""Matches that reach the remaining phases."""

RECORD: tuple[int, dict[str, Any], bool] = (2, {}, True)
"""Seats and options of a match whose whole record is kept, and whether seat 0 resigns."""

PICTURES: dict[str, Any] = {
    "gin-draw": (2, {}, lambda m: m.table.tables and len(m.table.tables[0].stock) == 25, 0),
    "gin-knock": (2, {}, lambda m: m.table.tables and m.table.tables[0].knock, 0),
    "gin-partners": (4, {}, lambda m: m.table.tables and m.table.tables[1].knock, 1),
}
"""Tables that the terminal draws: seats, options, version and reader. Their drawings are next to this file."""
