"""Standing orders: what they make of a decision, and which documents are orders."""

from random import Random

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain import match as life
from domain.cards import SUIT_OF, card, hand
from domain.catalogue import GAMES
from domain.game import admitted
from domain.orders import FACTS, BadOrders, Carried, carried, facts, forced, read, schema
from domain.visibility import seen
from tests.domain.table import Table

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
    """A trick that seat 3 is to play to, with this hand."""
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
def test_the_first_order_that_fits_is_carried_out(trick, holding, played):
    state = in_hearts(trick, holding)
    done = carried(HEARTS, state, 3, read(HEARTS, LEARNT))
    assert done == Carried(HEARTS.moves["play_card"](card(played)), 0)


def test_an_order_whose_conditions_do_not_hold_does_nothing():
    assert carried(HEARTS, in_hearts("TC 5C 6C", "2C 9H"), 3, read(HEARTS, LEARNT)) is None


QUEEN = {"do": [{"move": "play_card", "args": {"card": "QS"}}]}
LOWEST = {"do": [{"move": "play_card", "card": "lowest"}]}
PASS = {"do": [{"move": "pass_cards", "args": {"cards": ["QS", "KS", "AS"]}}]}


def test_an_order_that_no_longer_fits_makes_no_move():
    orders = read(HEARTS, {"orders": [PASS, QUEEN]})
    assert carried(HEARTS, in_hearts("TC 5C 6C", "2C QS"), 3, orders) == Carried(None, 1)


def test_an_order_that_no_longer_fits_gives_way_to_the_next():
    orders = read(HEARTS, {"orders": [QUEEN, LOWEST]})
    only = HEARTS.moves["play_card"](card("2C"))
    assert carried(HEARTS, in_hearts("TC 5C 6C", "2C QS"), 3, orders) == Carried(only, 1)


def test_an_order_for_another_kind_of_move_has_nothing_to_fit():
    assert carried(HEARTS, in_hearts("TC 5C 6C", "2C QS"), 3, read(HEARTS, {"orders": [PASS]})) is None


def test_a_forced_move_is_played_at_once_if_that_is_ordered():
    state = in_hearts("TC 5C 6C", "2C QS 9H")
    only = HEARTS.moves["play_card"](card("2C"))
    assert carried(HEARTS, state, 3, read(HEARTS, {"auto_play_forced": True})) == Carried(only, None)
    assert carried(HEARTS, state, 3, read(HEARTS, {})) is None
    assert forced(HEARTS.legal(state, 0)) is None


def test_knock_as_soon_as_i_may_with_five_or_less():
    knocks = {"orders": [{"if": {"deadwood": {"max": 5}}, "do": [{"move": "knock"}]}]}
    rng, knocked = Random(1), 0
    for seed in range(12):
        table = Table("gin_rummy", ("me", "me"), seed=seed)
        while not table.match.over and knocked < 3:
            seat = life.to_act(table.match)[0]
            state = table.match.table
            done = carried(GIN, state, seat, read(GIN, knocks))
            assert (done is not None) == (
                facts(GIN, state, seat)["deadwood"] <= 5
                and any(c.make is GIN.moves["knock"] for c in GIN.legal(state, seat))
            )
            knocked += done is not None
            steady = GIN.default(state, seat)
            table.does(seat, done.move if done else steady, "bot" if rng else "move")
    assert knocked


def test_an_eight_names_the_suit_most_frequent_in_the_rest():
    table = Table("crazy_eights", ("me", "me"))
    state, seat = table.match.table.copy(), life.to_act(table.match)[0]
    state.hands = tuple(hand("8C 2D 3D 4S") if s == seat else h for s, h in enumerate(state.hands))
    state.pile, state.suit = hand("9H"), SUIT_OF[card("9H")]
    orders = read(EIGHTS, {"orders": [{"do": [{"move": "play_card", "card": "highest"}]}]})
    done = carried(EIGHTS, state, seat, orders)
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
    ],
)
def test_what_is_no_order_is_refused_by_its_place(document, place):
    with pytest.raises(BadOrders) as bad:
        read(HEARTS, document)
    assert list(bad.value.errors) == [place]


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 60)
    | st.sampled_from(["QS", "H", "playing", "led", "lowest", "winning"]),
    lambda x: (
        st.lists(x, max_size=3)
        | st.dictionaries(st.sampled_from([*FACTS, "min", "max", "all"]), x, max_size=3)
    ),
    max_leaves=6,
)
ACTION = st.fixed_dictionaries(
    {"move": st.sampled_from(["play_card", "pass_cards", "knock"])},
    optional={"card": JSON, "suit": JSON, "below": JSON, "except": JSON},
)
ORDER = st.fixed_dictionaries({"do": st.lists(ACTION, min_size=0, max_size=2)}, optional={"if": JSON})
DOCUMENT = st.fixed_dictionaries(
    {}, optional={"orders": st.lists(ORDER, max_size=2), "auto_play_forced": JSON}
)


@given(document=DOCUMENT)
@settings(max_examples=400)
def test_what_is_accepted_fits_the_published_schema(document):
    try:
        read(HEARTS, document)
    except BadOrders:
        return
    jsonschema.validate(document, schema("hearts"))


WILD = {
    "hearts": [{"do": [{"move": "play_card", "card": "highest", "except": ["QS"]}, {"move": "play_card", "card": "lowest"}]}],
    "two_handed_hearts": [{"do": [{"move": "play_card", "card": "lowest", "suit": "led"}, {"move": "pass_claim"}]}],
    "crazy_eights": [{"do": [{"move": "play_card", "card": "highest"}, {"move": "draw_card"}, {"move": "pass_turn"}]}],
    "gin_rummy": [{"do": [{"move": "knock"}, {"move": "discard", "card": "highest"}, {"move": "draw_from_stock"}]}],
    "trio": [{"do": [{"move": "decline_swap"}, {"move": "reveal_lowest", "args": {"seat": 1}}]}],
}  # fmt: skip


@pytest.mark.parametrize("name", WILD)
def test_orders_make_legal_moves_alone_and_know_only_what_their_seat_does(name):
    """What a seat's own table makes of them is what the server's would."""
    game, rng = GAMES[name], Random(3)
    seats = game.usual
    table = Table(name, ("me",) * seats, seed=3)
    orders = read(game, {"auto_play_forced": True, "orders": WILD[name]})
    own = [life.folded("m-1", [seen(e, s) for e in table.events]) for s in range(seats)]
    done_with = 0
    for _ in range(120):
        if table.match.over or not (waiting := life.to_act(table.match)):
            break
        seat, before = waiting[0], len(table.said)
        done = carried(game, own[seat].table, seat, orders)
        assert done == carried(game, table.match.table, seat, orders)
        move = (
            done.move if done and done.move else rng.choice(game.legal(table.match.table, seat)).sample(rng)
        )
        assert admitted(game.legal(table.match.table, seat), move)
        done_with += bool(done and done.move)
        table.does(seat, move)
        news = [h.event for h in table.said[before:]]
        own = [life.fold(m, [seen(e, s) for e in news]) for s, m in enumerate(own)]
    assert done_with > 5


@pytest.mark.parametrize("name", GAMES)
def test_what_is_published_is_a_schema(name):
    jsonschema.Draft202012Validator.check_schema(schema(name))
