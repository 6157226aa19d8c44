"""Tests how well the bots of Crazy Eights play."""

from random import Random

import pytest

from domain.core.cards import card
from domain.games.crazy_eights import GAME
from domain.games.crazy_eights.bot import choose
from domain.games.crazy_eights.events import DrawCard, PlayCard
from domain.games.crazy_eights.options import Options
from tests.games.crazy_eights.examples import in_turn
from tests.games.tournament import outcome, wins


@pytest.mark.parametrize(
    ("options", "seats", "other", "least"),
    [
        pytest.param(Options(), 2, "random", 160, marks=pytest.mark.long),
        (Options(), 2, "easy", 115),
        pytest.param(Options(), 4, "random", 100, marks=pytest.mark.long),
        pytest.param(Options(two_player_seven=True, restock=True), 2, "random", 180, marks=pytest.mark.long),
        pytest.param(Options(draw_limit=3), 4, "random", 110, marks=pytest.mark.long),
    ],
)
def test_steady_plays_clearly_better_than_random(options, seats, other, least):
    won, _ = wins(GAME, choose, options, ["steady"] + [other] * (seats - 1), 200, Random(1))
    assert won >= least


@pytest.mark.parametrize("level", ["random", "easy", "steady", "strong"])
@pytest.mark.parametrize("options", [Options(), Options(restock=True), Options(draw_limit=1)])
def test_every_level_plays_a_game(level, options):
    for seats in (2, 5, 7):
        assert outcome(GAME, choose, options, [level] * seats, Random(3)) is not None


def played(cards, top="QC", others=5, level="steady", **given):
    state = in_turn({"top": top, "hand": cards.split(), "options": {}} | given)
    state.hands = (state.hands[0], state.hands[1][:others])
    return choose(level, state, 0, (), Random(0))


def test_bot_holds_back_an_eight():
    assert played("8D 2C 7D 7S") == PlayCard(card("2C"))


def test_bot_plays_an_eight_when_the_opponent_is_close_to_winning():
    assert played("8D 2C 7D 4D", others=1) == PlayCard(card("8D"), "D")


def test_bot_plays_a_suit_that_it_can_continue():
    assert played("KC QH 2H 3H 5H") == PlayCard(card("QH"))


def test_bot_draws_only_without_a_playable_card():
    assert played("2C 7D") == PlayCard(card("2C"))
    assert played("7D") == DrawCard()


def test_easy_bot_wastes_its_eights_and_high_cards():
    assert played("8D 2C 7D 7S", level="easy") == PlayCard(card("8D"), "D")
    assert played("KC QH 2H 3H 5H", level="easy") == PlayCard(card("QH"))
    assert played("KC 2C 3D 4D", others=1, level="easy") == PlayCard(card("2C"))
