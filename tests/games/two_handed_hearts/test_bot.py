"""Tests how well the bots of Two-Handed Hearts play."""

from random import Random

import pytest

from domain.core.cards import card, hand
from domain.core.game import is_admitted
from domain.core.tricks import Trick
from domain.games.two_handed_hearts import GAME
from domain.games.two_handed_hearts.bot import choose
from domain.games.two_handed_hearts.events import ClaimRevoke, KeepCard, RejectCard
from domain.games.two_handed_hearts.options import Options
from tests.acceptance.reading import pile
from tests.games.tournament import outcome, wins
from tests.games.two_handed_hearts.examples import dealt, in_play, start

MODES = [
    Options(target_score=50, max_hands=40),
    Options(mode="replenish"),
    Options(mode="replenish", revoke_mode="honour", revoke_detection="claim"),
]


@pytest.mark.long
@pytest.mark.parametrize("options", MODES)
@pytest.mark.parametrize(("other", "least"), [("random", 18), ("easy", 15)])
def test_steady_plays_clearly_better_than_random(options, other, least):
    won, _ = wins(GAME, choose, options, ["steady", other], 20, Random(1))
    assert won >= least


@pytest.mark.parametrize("level", ["random", "easy", "steady", "strong"])
@pytest.mark.parametrize("jack", [True, False])
@pytest.mark.parametrize("mode", ["draw", "replenish"])
@pytest.mark.parametrize("honour", [{}, {"revoke_mode": "honour"}])
def test_every_level_plays_a_game_without_revokes(level, jack, mode, honour):
    options = Options(mode=mode, jack_of_diamonds=jack, target_score=20, max_hands=5, **honour)
    assert outcome(GAME, choose, options, [level, level], Random(2)) is not None


def played(case, level="steady"):
    state = in_play({"options": {"mode": "replenish"}} | case)
    move = choose(level, state, 0, (), Random(0))
    assert is_admitted(GAME.legal(state, 0), move)
    return move.card


def test_bot_discards_the_queen_on_the_opponents_trick():
    assert played({"hand": ["QS", "3H", "9D"], "trick": ["5C"]}) == card("QS")


def test_bot_takes_the_jack():
    assert played({"hand": ["2D", "AD"], "trick": ["JD"]}) == card("AD")


def test_bot_ducks_a_heart():
    assert played({"hand": ["2H", "AH"], "trick": ["9H"]}) == card("2H")


def drawn(name, held, level="steady"):
    state = dealt({"options": {}}, {0: hand(held)}, stock=pile([name]))
    state.phase, state.drawn = "drawing", card(name)
    return choose(level, state, 0, (), Random(0))


LOW = "2C 3C 4C 2D 3D 4D 5D 2S 3S 4S 5S 6S"


def test_bot_rejects_a_heart_and_keeps_the_jack():
    assert drawn("AH", f"{LOW} 7S") == RejectCard()
    assert drawn("JD", f"{LOW} QS") == KeepCard(card("QS"))


@pytest.mark.parametrize(("later", "claim"), [("3C", ClaimRevoke(1, 1)), ("3H", None)])
def test_bot_claims_a_revoke_once_it_is_visible(later, claim):
    tricks = (Trick(0, pile(["5C", "2D"]), 0), Trick(0, pile(["9C", later]), 0))
    claims = {"revoke_mode": "honour", "revoke_detection": "claim"}
    state = start(claims, phase="claiming", tricks=tricks)
    move = choose("steady", state, 0, (), Random(0))
    assert move == claim or claim is None
    assert isinstance(move, ClaimRevoke) == (claim is not None)


def test_card_that_may_have_been_drawn_later_proves_no_revoke():
    tricks = (Trick(0, pile(["5C", "2D"]), 0), Trick(0, pile(["9C", "3C"]), 0))
    claims = {"revoke_mode": "honour", "revoke_detection": "claim"}
    state = start(claims, phase="claiming", tricks=tricks, draws=((), pile(["7S"])))
    assert not isinstance(choose("steady", state, 0, (), Random(0)), ClaimRevoke)


def test_easy_bot_throws_hearts_and_forgets_the_queen():
    assert drawn("AH", f"{LOW} 7S", level="easy") == RejectCard()
    assert drawn("5H", f"{LOW} AH", level="easy") == KeepCard(card("AH"))
    assert drawn("KD", f"{LOW} QS", level="easy") == RejectCard()
    assert drawn("KD", f"{LOW} 5H", level="easy") == KeepCard(card("5H"))
    assert played({"hand": ["QS", "3H"], "trick": ["9D"]}, level="easy") == card("3H")
    assert played({"hand": ["2D", "8D"], "trick": ["9D"]}, level="easy") == card("2D")
