"""Tests the sizes of a full board: the answer with all legal moves, its work, and the memory of a state."""

import gc
import sys
from contextlib import closing
from copy import copy
from dataclasses import replace
from random import Random
from types import FunctionType, ModuleType

import pytest

from api.app import create_app
from domain.games.fivewells import GAME
from domain.games.fivewells.moves import DeclareBlockers
from domain.games.fivewells.records import Blocks
from domain.games.fivewells.state import change_permanents
from events.service import views
from events.settings import Settings
from events.store.opening import open_store
from tests.api.client import Client
from tests.api.driven import blocking
from tests.factories import StoredPlayer
from tests.games.fivewells.table import IDS, Duel
from tests.games.fivewells.test_random_duels import moments

MOST_OF_MOVES = 32_000
MOST_OF_A_STATE = 200 * 1000

BOARD = (
    ["Bellows Duelist", "Bombard Crew", "Marrow Broker", "Whirlpool Sage", "Mothertree Seedling", "Powder Kobold"] * 2,
    ["Barrow King", "Tin Lookout", "Ballista Crew", "Thaw Ghoul", "Hollow Squire", "Clockwork Mule"] * 2,
)
HAND = [
    "Twinned Sparks",
    "Test of Tusks",
    "Kindle Dart",
    "Undertow Grasp",
    "Ice the Rigging",
    "Final Toll",
    "Rise Unburied",
]
LANDS = "SSTTRRFFGGSS"


def full(**fields):
    """Return a board with twelve creatures a side, seven cards in hand, and twelve mana."""
    piles = (["Bramble Boar"] * 8, ["Fen Biter"] * 8)
    return Duel(hands=(HAND, HAND), board=BOARD, lands=(LANDS, LANDS), graveyards=piles, **fields)


class Table:
    """Return a match of two players whose moves the API computes as if this state was on the table."""

    def __init__(self, store):
        app = create_app(Settings(dealt_rate_per_second=0), store=store)
        app.wsgi_app = blocking(app.wsgi_app)
        self.players = [Client(app, StoredPlayer(store=store, name=name)["token"]) for name in ("Ada", "Ben")]
        self.match = self.players[0].creates(game="fivewells", seats=[{"kind": "me"}, {"kind": "open"}])
        assert self.players[1].put(f"{self.match.path}/seats/1").status_code == 200
        self.state = None

    def seen_by(self, *args, **kwargs):
        """Load the match, with the state to be tested."""
        seen = SEEN_BY(*args, **kwargs)
        match = copy(seen.match)
        match.table = self.state
        return replace(seen, match=match)

    def moves(self, state):
        """Request the moves of the seat to act."""
        (seat,) = GAME.to_act(state)
        self.state, client = state, self.players[seat]
        response = client.app.test_client().get(
            f"{self.match.path}/moves", headers={"Authorization": f"Bearer {client.token}"}
        )
        assert response.status_code == 200, response.text
        return response

    def calls(self, state):
        """Return the number of function calls for the moves of the seat to act: the same on every machine."""
        calls = 0

        def count(_frame, event, _function):
            nonlocal calls
            calls += event in ("call", "c_call")

        sys.setprofile(count)
        try:
            self.moves(state)
        finally:
            sys.setprofile(None)
        return calls


SEEN_BY = views.seen_by


@pytest.fixture(scope="module")
def tables(empty_sqlite, tmp_path_factory):
    with closing(open_store(empty_sqlite(tmp_path_factory.mktemp("sizes") / "dealt.sqlite3"))) as store:
        yield Table(store)


@pytest.fixture
def table(tables, monkeypatch):
    monkeypatch.setattr(views, "seen_by", tables.seen_by)
    return tables


def attacked():
    """All creatures of seat 0 attack, and seat 1 is to block."""
    duel = full(step="block", priority=-1)
    change_permanents(duel.state, duel.state.ids[:12], attacking=True)
    return duel


MOMENTS = {
    "priority": full,
    "attack": lambda: full(step="attack", priority=-1),
    "block": attacked,
    "mana afloat": lambda: full(pools=((2, 2, 2, 2, 2, 2), (0,) * 6)),
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_moves_of_a_full_board_fit_in_a_short_answer(table, moment):
    response = table.moves(MOMENTS[moment]().state)
    assert len(response.json["moves"]) > 0
    assert len(response.data) <= MOST_OF_MOVES, f"{len(response.data)} bytes"


# --- Large combats ------------------------------------------------------------------------------------------

FIGHTERS = ["Stormglass Drake", "Iron Galloper", "Canopy Netweaver", "Bramble Boar", "Tidewall Crab"]
"""The creatures fly, are daunting, can block fliers, or have no keyword."""


def war(size):
    """Equal numbers of creatures attack and block, and seat 1 is to block."""
    rows = [(FIGHTERS * size)[:size]] * 2
    duel = Duel(board=rows, step="block", priority=-1)
    change_permanents(duel.state, duel.state.ids[:size], attacking=True)
    return duel


def to_order(size):
    """Two creatures block each attacker without flying and daunting, and seat 0 is to order them."""
    duel = war(size)
    plain = [p for p in duel.state.permanents if p.card in (IDS["Bramble Boar"], IDS["Tidewall Crab"])]
    attacked = [p.object for p in plain if p.attacking]
    free = [p.object for p in duel.state.permanents if p.controller == 1]
    pairs = [Blocks(one, attacked[i // 2]) for i, one in enumerate(free[: 2 * len(attacked)])]
    return duel.play(1, DeclareBlockers(tuple(pairs)))


ABLE = ["Powder Kobold", "Bombard Crew", "Bellows Duelist", "Marrow Broker", "Whirlpool Sage"]
"""The creatures with activated abilities: two have targets, one sacrifices another creature."""

SPELLS = ["Twinned Sparks", "Twofold Surge", "Open the Crucible", "Test of Tusks", "Hold the Terrace", "Kindle Dart"]
"""Spells with one target, with two, and with X."""


def active(size, own, hand=(), **fields):
    """Return a board on which equally many of these creatures face each other, and seat 0 has priority and mana."""
    return Duel(hands=(hand, []), board=((own * size)[:size], (FIGHTERS * size)[:size]), lands=(LANDS, ""), **fields)


def able(size):
    """All activated abilities occur."""
    return active(size, ABLE)


def alike(size):
    """All creatures have the same ability."""
    return active(size, ABLE[:1])


def sacrifices(size):
    """Some creatures can sacrifice any other, and some produce mana."""
    return active(size, ["Marrow Broker", "Sprigling"])


def rich(size):
    """The creatures produce mana, and can be targets of spells that they could pay for."""
    return active(size, ["Sprigling", "Mothertree Seedling"], SPELLS)


def able_with_spells(size):
    """Abilities, spells and mana creatures compete for the same mana and targets."""
    return active(size, [*ABLE, "Sprigling"], SPELLS, pools=((2,) * 6, (0,) * 6))


ASKED = [war, to_order, able, alike, sacrifices, rich, able_with_spells]


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize(("size", "most"), [(30, 32_000), (60, 64_000), (240, 200_000)])
def test_move_list_grows_with_the_number_of_creatures_and_not_of_pairs(table, asked, size, most):
    response = table.moves(asked(size).state)
    assert size * 5 < len(response.data) <= most, f"{len(response.data)} bytes"


@pytest.mark.parametrize("asked", ASKED)
def test_work_for_the_moves_grows_with_the_number_of_creatures_and_not_of_pairs(table, asked):
    """On a server, 250,000 calls take about 50 ms."""
    table.moves(asked(30).state)  # the first answer also fills caches
    small, large = (table.calls(asked(size).state) for size in (30, 240))
    assert 0 < large <= min(8 * small, 250_000), f"{small} calls, then {large}"


@pytest.mark.parametrize("seed", range(2))
def test_state_of_a_duel_is_small(seed):
    """All states share the printed cards and the options."""
    largest = max(size_of(moment.after) for i, moment in enumerate(moments(Random(seed))) if i % 20 == 0)
    assert 5_000 < largest <= MOST_OF_A_STATE
    assert size_of(full().state) <= MOST_OF_A_STATE


def size_of(state):
    """Return the size of a state with all its objects in bytes, each counted once."""
    seen, waiting, total = {id(state.rules)}, [state], 0
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, type | FunctionType | ModuleType):
            continue
        seen.add(id(one))
        total += sys.getsizeof(one)
        waiting += gc.get_referents(one)
    return total
