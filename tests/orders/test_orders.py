"""Tests standing orders: the moves they make, and which documents are valid orders."""

from random import Random

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain import match as life
from domain.core.cards import SUIT_OF, card, hand
from domain.core.choices import SomeCards
from domain.core.game import is_admitted
from domain.core.scene_pointers import readable_name, title_of, titles
from domain.core.visibility import view_event
from domain.games.catalogue import GAMES
from domain.match.move_texts import arguments
from domain.orders import carry
from domain.orders.arguments import read_move
from domain.orders.carry import OrderedMove, carry_out_orders, forced_move
from domain.orders.check import read_orders
from domain.orders.document import BadOrders
from domain.orders.json_schema import orders_schema
from domain.poker.betting_moves import SwapCards
from tests.draws import draws
from tests.match.table import Table

HEARTS, GIN, EIGHTS, TRIO = (GAMES[name] for name in ("hearts", "gin_rummy", "crazy_eights", "trio"))

LEARNT = {
    "orders": [
        {
            "if": {"led": "H"},
            "do": [
                {"move": "play_card", "card": "highest", "below": "winning", "suit": "led"},
                {"move": "play_card", "card": "lowest"},
            ],
        },
        {"if": {"phase": "passing"}, "do": [{"move": "pass_cards", "args": {"cards": ["QS", "KS", "AS"]}}]},
    ]
}


def in_hearts(trick, holding, leader=0):
    """Return a trick that seat 3 is to play to, with this hand."""
    table = Table("hearts", ("me",) * 4, {"variant": "1-1-1-1"})
    table.plays_on(until=lambda m: m.game.phase(m.table) == "playing")
    state = table.match.table.copy()
    state.trick, state.leader, state.turn, state.hearts_open = hand_in_order(trick), leader, 3, True
    state.tricks = state.tricks or (None,) * 0
    state.hands = (*state.hands[:3], hand(holding))
    return state


def hand_in_order(text):
    return tuple(card(name) for name in text.split())


@pytest.mark.parametrize(
    ("trick", "holding", "played"),
    [
        ("TH 5H 6H", "2H 9H JH AC", "9H"),  # the highest that does not take it
        ("TH 5H 6H", "JH QH AC", "JH"),  # none: the lowest
        ("TH 5H 6H", "AC 2D 3S", "2D"),  # none of the suit: the lowest of all
    ],
)
def test_first_matching_order_is_carried_out(trick, holding, played):
    state = in_hearts(trick, holding)
    done = carry_out_orders(HEARTS, state, 3, read_orders(HEARTS, LEARNT))
    assert done == OrderedMove(HEARTS.moves["play_card"](card(played)), 0)


def test_order_without_matching_conditions_does_nothing():
    assert carry_out_orders(HEARTS, in_hearts("TC 5C 6C", "2C 9H"), 3, read_orders(HEARTS, LEARNT)) is None


QUEEN = {"do": [{"move": "play_card", "args": {"card": "QS"}}]}
LOWEST = {"do": [{"move": "play_card", "card": "lowest"}]}
PASS = {"do": [{"move": "pass_cards", "args": {"cards": ["QS", "KS", "AS"]}}]}


def test_an_order_that_no_longer_fits_makes_no_move():
    orders = read_orders(HEARTS, {"orders": [PASS, QUEEN]})
    assert carry_out_orders(HEARTS, in_hearts("TC 5C 6C", "2C QS"), 3, orders) == OrderedMove(None, 1)


def test_order_that_no_longer_fits_is_skipped():
    orders = read_orders(HEARTS, {"orders": [QUEEN, LOWEST]})
    only = HEARTS.moves["play_card"](card("2C"))
    assert carry_out_orders(HEARTS, in_hearts("TC 5C 6C", "2C QS"), 3, orders) == OrderedMove(only, 1)


def test_order_for_another_kind_of_move_is_not_reported():
    assert carry_out_orders(HEARTS, in_hearts("TC 5C 6C", "2C QS"), 3, read_orders(HEARTS, {"orders": [PASS]})) is None


def test_forced_move_is_played_immediately_if_ordered():
    state = in_hearts("TC 5C 6C", "2C QS 9H")
    only = HEARTS.moves["play_card"](card("2C"))
    assert carry_out_orders(HEARTS, state, 3, read_orders(HEARTS, {"auto_play_forced": True})) == OrderedMove(
        only, None
    )
    assert carry_out_orders(HEARTS, state, 3, read_orders(HEARTS, {})) is None
    assert forced_move(HEARTS.legal(state, 0)) is None


def test_swapping_nothing_is_forced_if_no_card_can_be_swapped():
    mine = hand("2C 3C 4D 5D 7H")
    assert forced_move((SomeCards(SwapCards, mine, 0, 0),)) == SwapCards(())
    assert forced_move((SomeCards(SwapCards, mine, 0, 5),)) is None
    assert forced_move((SomeCards(SwapCards, mine, 5),)) == SwapCards(mine)


def test_order_can_knock_once_deadwood_is_at_most_five():
    knocks = {"orders": [{"if": {"deadwood": {"max": 5}}, "do": [{"move": "knock"}]}]}
    rng, knocked = Random(1), 0
    for seed in range(12):
        table = Table("gin_rummy", ("me", "me"), seed=seed)
        while not table.match.over and knocked < 3:
            seat = life.to_act(table.match)[0]
            state = table.match.table
            done = carry_out_orders(GIN, state, seat, read_orders(GIN, knocks))
            assert (done is not None) == (
                carry.read_facts(GIN, state, seat)["deadwood"] <= 5
                and any(c.make is GIN.moves["knock"] for c in GIN.legal(state, seat))
            )
            knocked += done is not None
            steady = GIN.timing.default(state, seat)
            table.does(seat, done.move if done else steady, "bot" if rng else "move")
    assert knocked


def test_order_for_an_eight_names_the_most_frequent_suit():
    table = Table("crazy_eights", ("me", "me"))
    state, seat = table.match.table.copy(), life.to_act(table.match)[0]
    state.hands = tuple(hand("8C 2D 3D 4S") if s == seat else h for s, h in enumerate(state.hands))
    state.pile, state.suit = hand("9H"), SUIT_OF[card("9H")]
    orders = read_orders(EIGHTS, {"orders": [{"do": [{"move": "play_card", "card": "highest"}]}]})
    done = carry_out_orders(EIGHTS, state, seat, orders)
    assert done.move == EIGHTS.moves["play_card"](card("8C"), "D")


@pytest.mark.parametrize(
    ("document", "place"),
    [
        ([], ""),
        ({"order": []}, "order"),
        ({"auto_play_forced": 1}, "auto_play_forced"),
        (
            {"orders": [{"if": {"led": "X"}, "do": [{"move": "play_card", "card": "lowest"}]}]},
            "orders.0.if.led",
        ),
        (
            {"orders": [{"if": {"weather": 1}, "do": [{"move": "play_card", "card": "lowest"}]}]},
            "orders.0.if.weather",
        ),
        ({"orders": [{"do": []}]}, "orders.0.do"),
        ({"orders": [{"do": [{"move": "knock"}]}]}, "orders.0.do.0"),
        ({"orders": [{"do": [{"move": []}]}]}, "orders.0.do.0"),
        ({"orders": [{"do": [{"move": "play_card", "args": []}]}]}, "orders.0.do.0.args"),
        ({"orders": [{"do": [{"move": "play_card", "args": {"card": ["QS"]}}]}]}, "orders.0.do.0.args"),
        ({"orders": [{"do": [{"move": "pass_cards", "args": {"cards": "QS"}}]}]}, "orders.0.do.0.args"),
        ({"orders": [{"do": [{"move": "play_card", "card": "best"}]}]}, "orders.0.do.0.card"),
        ({"orders": [{"do": [{"move": "pass_cards", "card": "lowest"}]}]}, "orders.0.do.0.card"),
        ({"orders": [{"do": [{"move": "play_card", "args": {"card": "1X"}}]}]}, "orders.0.do.0.args"),
        ({"orders": [{"do": [{"move": "play_card", "below": "QS"}]}]}, "orders.0.do.0"),
        ({"orders": [{"do": [{"move": "play_card"}]}]}, "orders.0.do.0"),
        (
            {"orders": [{"do": [{"move": "pass_cards", "args": {"cards": ["QS", "qs"]}}]}]},
            "orders.0.do.0.args",
        ),
        ({"orders": [{"if": {"phase": "swap_window"}, **LOWEST}]}, "orders.0.if.phase"),
        ({"orders": [{"if": {"deadwood": 3}, **LOWEST}]}, "orders.0.if.deadwood"),
        ({"orders": [{"if": {"hand": {"all": ["QS"] * 60}}, **LOWEST}]}, "orders.0.if.hand"),
    ],
)
def test_invalid_order_is_refused_with_its_path(document, place):
    with pytest.raises(BadOrders) as bad:
        read_orders(HEARTS, document)
    assert list(bad.value.errors) == [place]


CARDS = ["QS", "2C", "th", "10D", "A♥", "??", "7", "1S"]
ASKED = sorted({fact for game in GAMES.values() for fact in game.facts.kinds})

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 60)
    | st.sampled_from([1.0, 2.5, 10**9, 1e400])
    | st.sampled_from([*CARDS, "H", "playing", "discard", "turn", "led", "lowest", "winning", "C" * 41]),
    lambda x: (
        st.lists(x, max_size=3)
        | st.lists(st.sampled_from(CARDS), max_size=60)
        | st.dictionaries(st.sampled_from([*ASKED, "min", "max", "all", "none", "cards", "card"]), x, max_size=3)
    ),
    max_leaves=6,
)


def often(right):
    """Draw usually valid values, and any JSON now and then."""
    return st.one_of(right, right, right, JSON)


def described(of):
    """Draw documents that match a schema as far as possible, and some that nearly do."""
    if "anyOf" in of:
        return often(st.one_of([described(each) for each in of["anyOf"]]))
    if "enum" in of or "const" in of:
        return often(st.sampled_from(of.get("enum", [of.get("const")])))
    match of["type"]:
        case "object" if "properties" not in of:
            names = st.sampled_from(("a", "b", "z", "aa"))
            return often(st.dictionaries(names, described(of["additionalProperties"]), max_size=2))
        case "object":
            needed = of.get("required", ())
            parts = {name: described(each) for name, each in of["properties"].items()}
            mapping = st.fixed_dictionaries(
                {name: parts[name] for name in needed},
                optional={name: each for name, each in parts.items() if name not in needed},
            )
            return often(mapping)
        case "array":
            most = 2 if of["items"].get("type") == "object" or "anyOf" in of["items"] else 4
            return often(st.lists(described(of["items"]), max_size=most))
        case "string":
            return often(st.sampled_from(CARDS[:5]))
        case "integer":
            return often(st.integers(of.get("minimum", -3) - 1, of.get("maximum", 30) + 1))
        case "boolean":
            return often(st.booleans())
        case _:
            return often(st.none())


@pytest.mark.parametrize("name", GAMES)
def test_accepted_orders_fit_the_published_schema(name):
    """Both directions are checked, in every game."""
    published = jsonschema.Draft202012Validator(orders_schema(GAMES[name]))
    outcomes = set()

    @given(document=described(orders_schema(GAMES[name])))
    @settings(max_examples=draws(40), deadline=None, suppress_health_check=list(HealthCheck))
    def agree(document):
        fits = published.is_valid(document)
        if fits:
            read_orders(GAMES[name], document)
        else:
            with pytest.raises(BadOrders):
                read_orders(GAMES[name], document)
        outcomes.add(fits)

    agree()
    assert outcomes == {True, False}


@pytest.mark.parametrize("name", GAMES)
def test_every_legal_move_can_be_ordered_in_its_posted_form(name):
    game, rng = GAMES[name], Random(5)
    table = Table(name, ("me",) * game.setup.seats[0], seed=5)
    published = jsonschema.Draft202012Validator(orders_schema(GAMES[name]))
    ordered = set()
    for _ in range(150):
        if table.match.over or not (waiting := life.to_act(table.match)):
            break
        choice = rng.choice(game.legal(table.match.table, waiting[0]))
        move = choice.sample(rng)
        name_of_move = next(known for known, cls in game.moves.items() if cls is type(move))
        document = {"orders": [{"do": [{"move": name_of_move, "args": arguments(move)}]}]}
        read_orders(game, document)
        published.validate(document)
        made = read_move(type(move), document["orders"][0]["do"][0]["args"])
        assert made == move
        ordered.add(name_of_move)
        table.does(waiting[0], move)
    assert len(ordered) > 1 or len(game.moves) == 1


@pytest.mark.parametrize("name", GAMES)
def test_known_facts_are_exactly_the_declared_ones(name):
    game, rng, known, phases = GAMES[name], Random(2), set(), set()
    chosen = {"mode": "draw"} if name == "two_handed_hearts" else {}
    for seed in range(3):
        table = Table(name, ("me",) * game.setup.usual, chosen, seed=seed)
        for _ in range(200):
            if table.match.over or not (waiting := life.to_act(table.match)):
                break
            state = table.match.table
            known |= set(carry.read_facts(game, state, waiting[0]))
            phases.add(carry.read_facts(game, state, waiting[0]).get("phase"))
            table.does(waiting[0], rng.choice(game.legal(state, waiting[0])).sample(rng))
    assert known == set(game.facts.kinds)
    assert not game.facts.phases or phases <= game.facts.phases


@pytest.mark.parametrize("written_as", ["TH", "10H", "th", "10h", "T♥"])
def test_card_can_be_written_as_in_a_move(written_as):
    state = in_hearts("9H 2H 3H", "TH KH 2S")
    ten = OrderedMove(HEARTS.moves["play_card"](card("TH")), 0)
    for condition, action in (
        ({}, {"args": {"card": written_as}}),
        ({"hand": {"all": [written_as]}}, {"card": "lowest"}),
        ({}, {"card": "lowest", "except": ["kh"]}),
        ({"winning": ["9♥"]}, {"card": "lowest"}),
        ({}, {"card": "highest", "below": "k♡"}),
    ):
        orders = {"orders": [{"if": condition, "do": [{"move": "play_card", **action}]}]}
        assert carry_out_orders(HEARTS, state, 3, read_orders(HEARTS, orders)) == ten


WILD = {
    "hearts": [
        {"do": [{"move": "play_card", "card": "highest", "except": ["QS"]}, {"move": "play_card", "card": "lowest"}]}
    ],
    "two_handed_hearts": [{"do": [{"move": "play_card", "card": "lowest", "suit": "led"}, {"move": "pass_claim"}]}],
    "crazy_eights": [{"do": [{"move": "play_card", "card": "highest"}, {"move": "draw_card"}, {"move": "pass_turn"}]}],
    "gin_rummy": [{"do": [{"move": "knock"}, {"move": "discard", "card": "highest"}, {"move": "draw_from_stock"}]}],
    "trio": [{"do": [{"move": "decline_swap"}, {"move": "reveal_lowest", "args": {"seat": 1}}]}],
}


@pytest.mark.parametrize("name", WILD)
def test_orders_make_only_legal_moves_from_the_seats_knowledge(name):
    """The seat's own view and the server's state give the same moves."""
    game, rng = GAMES[name], Random(3)
    seats = game.setup.usual
    table = Table(name, ("me",) * seats, seed=3)
    orders = read_orders(game, {"auto_play_forced": True, "orders": WILD[name]})
    own = [life.fold_from_start(game, "m-1", [view_event(e, s) for e in table.events]) for s in range(seats)]
    done_with = 0
    for _ in range(120):
        if table.match.over or not (waiting := life.to_act(table.match)):
            break
        seat, before = waiting[0], len(table.said)
        done = carry_out_orders(game, own[seat].table, seat, orders)
        assert done == carry_out_orders(game, table.match.table, seat, orders)
        move = done.move if done and done.move else rng.choice(game.legal(table.match.table, seat)).sample(rng)
        assert is_admitted(game.legal(table.match.table, seat), move)
        done_with += bool(done and done.move)
        table.does(seat, move)
        news = [h.event for h in table.said[before:]]
        own = [life.fold(m, [view_event(e, s) for e in news]) for s, m in enumerate(own)]
    assert done_with > 5


@pytest.mark.parametrize("name", GAMES)
def test_orders_schema_has_the_same_titles_as_the_moves_schema(name):
    published, game = orders_schema(GAMES[name])["properties"]["orders"]["items"]["properties"], GAMES[name]
    for way in published["do"]["items"]["anyOf"]:
        move = way["properties"]["move"]["const"]
        assert way["title"] == title_of(move, game.moves[move])
        for arg, part in way["properties"].get("args", {}).get("properties", {}).items():
            assert part["title"] == titles(game.moves[move])[arg]
    facts = {fact: part["title"] for fact, part in published["if"]["properties"].items()}
    assert facts == {fact: readable_name(fact.removesuffix("_no")) + " number" * fact.endswith("_no") for fact in facts}
    assert facts.get("hand_no", "Hand number") == "Hand number"


@pytest.mark.parametrize("name", GAMES)
def test_published_schema_is_valid(name):
    jsonschema.Draft202012Validator.check_schema(orders_schema(GAMES[name]))
