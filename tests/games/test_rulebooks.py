"""The rulebooks for players, and the rules of a table in a few sentences: nothing that can be chosen is missing."""

import re
from dataclasses import fields
from itertools import product
from pathlib import Path
from typing import Annotated, Literal, get_args, get_origin, get_type_hints

import pytest

from domain.core.clock import Clock
from domain.games.catalogue import GAMES
from domain.match.events import SEAT_COMMANDS, Common

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "domain" / "games"
COMMON = (ROOT / "docs" / "rules.md").read_text()
SENTENCE = re.compile(r"[^.]+\.(?: |$)")


def page(game):
    return (PAGES / game / "rulebook.md").read_text()


def values(option):
    """The values that a type of option lists, or a few of its kind."""
    if get_origin(option) is Literal:
        return get_args(option)
    if option is bool:
        return False, True
    inner = [part for part in get_args(option) if part is not type(None)]
    return () if get_origin(option) is Annotated or len(inner) != 1 else values(inner[0])


def listed(game):
    """Each option of the game, and those of its values that are words."""
    hints = get_type_hints(GAMES[game].setup.options, include_extras=True)
    return {name: [v for v in values(hint) if isinstance(v, str)] for name, hint in hints.items()}


@pytest.mark.parametrize("game", GAMES)
def test_the_rulebook_names_every_option_with_its_values_and_every_move(game):
    named = set(re.findall(r"`([^`]+)`", page(game)))
    options = listed(game)
    assert named >= set(options) | {value for row in options.values() for value in row}
    assert named >= set(GAMES[game].moves)
    assert named >= set(GAMES[game].setup.presets)


@pytest.mark.parametrize("game", GAMES)
def test_the_table_of_options_gives_their_defaults(game):
    for option in fields(GAMES[game].setup.options):
        said = {"True": "on", "False": "off", "None": "–"}.get(str(option.default), str(option.default))
        row = next(line for line in page(game).splitlines() if line.startswith(f"| `{option.name}` "))
        assert row.split("|")[3].strip().strip("`") == said, row


def test_the_rulebooks_have_a_page_for_each_game_and_no_other():
    assert {path.parent.name for path in PAGES.glob("*/rulebook.md")} == {*GAMES}
    assert all(f"/{game}/rulebook.md)" in COMMON for game in GAMES)


def test_the_common_page_names_what_every_game_has():
    named = set(re.findall(r"`([^`]+)`", COMMON))
    assert named >= {option.name for option in fields(Common)}
    assert named >= {f"clock.{option.name}" for option in fields(Clock)}
    assert named >= set(SEAT_COMMANDS)


def tables(game):
    """The options of tables that may be made: each value that is listed, each number of seats."""
    rules = GAMES[game]
    hints = get_type_hints(rules.setup.options, include_extras=True)
    for seats, (name, hint) in product(rules.setup.seats, hints.items()):
        for value in values(hint):
            options = rules.setup.options(**rules.setup.resolve({name: value}, seats))
            if not rules.setup.bad_options(options, seats):
                yield options, seats


@pytest.mark.parametrize("game", GAMES)
def test_a_few_sentences_tell_the_rules_of_any_table(game):
    for options, seats in tables(game):
        told = GAMES[game].words.about(options, seats)
        assert "".join(SENTENCE.findall(told)) == told, told
        assert 3 <= len(SENTENCE.findall(told)) <= 7, told
        assert "None" not in told, told
        assert len(told) < 500, told


@pytest.mark.parametrize(
    ("game", "seats", "options", "told"),
    [
        ("hearts", 4, {"variant": "1-1-1-1"}, "Nobody passes."),
        ("hearts", 4, {"variant": "2-2-2-1"}, "Who takes all hearts has 0 points, each other seat 26."),
        ("hearts", 4, {"moon_jack": "bonus"}, "Who takes all hearts and QS has 0 points, each other seat 26; JD"),
        ("hearts", 4, {"moon_style": "shooter_minus"}, "has -26 points, each other seat 0."),
        ("hearts", 4, {"tie_break": "extra_hand", "target_score": 50}, "Once somebody has 50, "),
        ("two_handed_hearts", 2, {"mode": "replenish"}, "26 tricks."),
        ("two_handed_hearts", 2, {"jack_of_diamonds": False}, "Hearts cost 1, QS 13. "),
        ("two_handed_hearts", 2, {"max_hands": 7}, "After 7 hands the game ends"),
        ("two_handed_hearts", 2, {"revoke_mode": "honour", "revoke_detection": "claim"}, "if the other claims it."),
        ("crazy_eights", 2, {"two_player_seven": True}, "2 seats get 7 cards each of one pack."),
        ("crazy_eights", 3, {"two_player_seven": True}, "3 seats get 5 cards each of one pack."),
        ("crazy_eights", 4, {"draw_limit": 3}, "You may draw 3 a turn at most while"),
        ("crazy_eights", 4, {"target_score": 100}, "Once somebody has 100, the highest total wins."),
        ("gin_rummy", 2, {"knock_limit": 0}, "Lay down all or nothing."),
        ("gin_rummy", 4, {}, "The first to reach 125 wins."),
        ("gin_rummy", 2, {"undercut_bonus": 10}, "scores the difference and 10."),
        ("gin_rummy", 2, {"big_gin_bonus": 31}, "big gin 31"),
        ("trio", 4, {"teams": True}, "4 players hold 9 cards each, none lie in the middle."),
        ("trio", 5, {"mode": "spicy"}, "add up to 7 or differ by 7"),
        ("five_card_draw", 4, {}, "Bets are 2, after the draw 4; at most 4 a round."),
        ("five_card_draw", 4, {"structure": "no_limit"}, "Bet 2 or more."),
        ("five_card_draw", 4, {}, "Nobody sees folded and mucked hands before the shuffles are disclosed."),
        ("holdem", 6, {}, "Nobody sees folded and mucked hands before the shuffles are disclosed."),
        ("holdem", 6, {"rebuy": "never"}, "Whoever has nothing left sits out"),
        ("holdem", 9, {"format": "sng"}, "All begin with 1500 chips; the blinds rise every 10 hands."),
    ],
)  # fmt: skip
def test_what_is_chosen_is_told(game, seats, options, told):
    rules = GAMES[game]
    assert told in rules.words.about(rules.setup.options(**rules.setup.resolve(options, seats)), seats)
