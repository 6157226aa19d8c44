"""Hands that documents in the format PHH tell: played again by the rules here, or refused with the reason."""

import tomllib
from random import Random
from typing import Any

import pytest

from domain.core.clock import Time
from domain.core.visibility import SPECTATORS
from domain.poker import betting_events
from events.formats.phh import reader as phh_read
from events.formats.phh import writer as phh
from events.formats.phh.reader import BadHandHistory
from events.log import commits as log
from events.operations import phh_imports as phh_import
from tests.draws import draws, first_of
from tests.formats.test_phh import document, played
from tests.games.five_card_draw.law import drawn_options as drawn_draw
from tests.games.holdem.law import drawn_options as drawn_holdem

ID = "0" * 20
GAMES = {"holdem": drawn_holdem, "five_card_draw": drawn_draw}


def exported(game, seeds, reader=SPECTATORS):
    """Give hands of many matches as they are written here."""
    for seed in seeds:
        table = played(game, seed, GAMES[game], fairness_reveal=("match_end", "never")[seed % 2])
        yield from tomllib.loads(document(table, reader)).values()


def imported(fields):
    """Give a hand as it is taken: the match at its end, and its commits. Raises `BadHandHistory`."""
    return phh_import._match(ID, phh_read.read_hand(fields), "public")


def written_again(fields):
    """Give the document of the match that a hand has become."""
    m, commits = imported(fields)
    _, rows = phh_import._written(m, commits, Time(0), "public")
    feed = log.feed(rows, SPECTATORS, 0, lambda hand: b"", m)
    seat = {"player": None, "kind": "open", "level": None}
    about = {"id": ID, "game": m.game.name, "reader": SPECTATORS, "seats": [seat] * len(m.seats)}
    return tomllib.loads(b"".join(phh.write(about, feed)).decode())["1"]


SAME = (
    "variant", "antes", "blinds_or_straddles", "min_bet", "small_bet", "big_bet", "starting_stacks", "finishing_stacks",
    "winnings",
)  # fmt: skip


def spoken(fields):
    """Give the actions without remarks."""
    lines = [line.partition("#")[0].strip() for line in fields["actions"]]
    return [line for line in lines if line]


@pytest.mark.parametrize("reader", first_of([SPECTATORS, "0"]))
@pytest.mark.parametrize("game", GAMES)
def test_what_is_written_here_can_be_taken_here_and_is_written_again_the_same(game, reader):
    hands = 0
    for fields in exported(game, range(draws(20)), reader):
        again = written_again(fields)
        assert {name: again.get(name) for name in SAME} == {name: fields.get(name) for name in SAME}
        dealt, rest = spoken(again), spoken(fields)
        n = len(fields["starting_stacks"])
        assert dealt[n:] == rest[n:]
        if game == "five_card_draw":
            assert dealt[:n] == rest[:n]
        hands += 1
    assert hands > 50


@pytest.mark.parametrize("game", GAMES)
def test_a_garbled_hand_is_refused_or_keeps_its_chips(game):
    """Whatever a document says, it is refused in words, or no chip comes or goes."""
    rng, taken, refused = Random(game), 0, 0
    for fields in exported(game, range(12)):
        for _ in range(draws(8)):
            garbled = mangled(fields, rng)
            try:
                m, commits = imported(garbled)
            except BadHandHistory:
                refused += 1
                continue
            taken += 1
            assert sum(m.table.stacks) == sum(garbled["starting_stacks"])
            assert sum(m.result.scores) == 0
            phh_import._written(m, commits, Time(0), "public")
    assert min(taken, refused) > 20


def mangled(fields, rng):
    actions = list(fields["actions"])
    more = {name: x for name, x in fields.items() if name != "finishing_stacks"}
    for _ in range(min(len(actions) - 1, rng.randint(1, 3))):
        i, j = rng.randrange(len(actions)), rng.randrange(len(actions))
        words = actions[i].split()
        match rng.randrange(7):
            case 0:
                del actions[i : i + 1]
            case 1:
                actions.insert(i, actions[j])
            case 2:
                actions[i], actions[j] = actions[j], actions[i]
            case 3:
                at = rng.randrange(max(len(words), 1))
                word = rng.choice(
                    ["p1", "p9", "f", "cc", "sm", "sd", "d", "dh", "db", "-", "", "??", "AsKd", "pp", "p"]
                )
                words[at : at + 1] = [word]
                actions[i] = " ".join(words)
            case 4:
                actions[i] = f"p{rng.randint(1, 10)} cbr {rng.choice([0, 1, 2, 5, 40, 10**9])}"
            case 5:
                actions[i] = rng.choice(
                    ["p1 sm", "p2 sm -", "p1 cc", "p2 f", "# nothing", "", "p1 sd ????", "d db ??????"]
                )
            case 6:
                stacks = list(more["starting_stacks"])
                stacks[rng.randrange(len(stacks))] = rng.choice([1, 2, 3, 1000])
                more["starting_stacks"] = stacks
    return {**more, "actions": actions}


# --- What is refused ----------------------------------------------------------------------------------------

HAND: dict[str, Any] = {
    "variant": "NT",
    "antes": [0, 0, 0],
    "blinds_or_straddles": [1, 2, 0],
    "min_bet": 2,
    "starting_stacks": [100, 100, 100],
    "actions": ["d dh p1 AsKs", "d dh p2 ????", "d dh p3 7c2d", "p3 f", "p1 cc", "p2 cc"],
}
BOARD = ["d db 2c3c4c", "p1 cc", "p2 cc", "d db 5d", "p1 cc", "p2 cc", "d db Th", "p1 cc", "p2 cc"]
WHOLE = [*HAND["actions"], *BOARD, "p1 sm -", "p2 sm AcKc"]
DRAW: dict[str, Any] = {
    "variant": "F5D",
    "antes": [1, 1],
    "small_bet": 2,
    "big_bet": 4,
    "starting_stacks": [20, 20],
    "actions": ["d dh p1 AsKsQsJs9s", "d dh p2 ??????????", "p1 cc", "p2 cc"],
}
DRAWN = [
    *DRAW["actions"],
    "p1 sd 9s",
    "p2 sd ??",
    "d dh p1 Ts",
    "d dh p2 ??",
    "p1 cc",
    "p2 cc",
    "p1 sm -",
    "p2 sm",
]


def test_these_hands_are_sound():
    m, _ = imported({**HAND, "actions": WHOLE})
    assert m.table.stacks == (98, 102, 100)
    m, _ = imported({**DRAW, "actions": DRAWN})
    assert m.table.stacks == (21, 19)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"variant": "PO"}, "The variant 'PO' is not played here"),
        ({"variant": 7}, "The variant 7 is not played here"),
        ({"antes": [0, 0]}, "`antes` must be a list with a number for each player"),
        ({"antes": [1, 0, 1]}, "Antes are the same for all"),
        ({"blinds_or_straddles": [1, 2, 4]}, "no straddles"),
        ({"blinds_or_straddles": [0, 0, 0]}, "A small and a big blind"),
        ({"blinds_or_straddles": [-1, 2, 0]}, "whole chips"),
        ({"min_bet": 4}, "The least bet is the big blind here"),
        ({"min_bet": None}, "`min_bet` must be in whole chips"),
        ({"starting_stacks": [100, 0.5, 100]}, "`starting_stacks` must be in whole chips"),
        ({"starting_stacks": [100, float("inf"), 100]}, "`starting_stacks` must be in whole chips"),
        ({"starting_stacks": [100, float("nan"), 100]}, "`starting_stacks` must be in whole chips"),
        ({"starting_stacks": [100, True, 100]}, "`starting_stacks` must be in whole chips"),
        ({"starting_stacks": [100, 0, 100]}, "Somebody has no chips"),
        ({"starting_stacks": [100]}, "It is not played by 1 here"),
        ({"starting_stacks": None}, "`starting_stacks` must be a list"),
        ({"actions": "p1 f"}, "`actions` must be a list of texts"),
        ({"actions": [1]}, "`actions` must be a list of texts"),
        ({"actions": ["p1 cc"] * 1001}, "at most 1000 actions"),
        ({"players": ["Ann"]}, "`players` must be a list"),
        (
            {"finishing_stacks": [100, 100, 100], "actions": [*HAND["actions"][:4], "p1 f"]},
            "It is said to end with stacks of 100, 100, 100; by the rules here they are 99, 101, 100",
        ),
    ],
)
def test_a_hand_that_cannot_be_read_is_refused_in_words(change, why):
    with pytest.raises(BadHandHistory) as refused:
        imported({**HAND, **change})
    assert why in str(refused.value)


@pytest.mark.parametrize(
    ("start", "line", "why"),
    [
        (3, "p1 cc", "It is the turn of p3."),
        (3, "p3 cbr 3", "The rules here refuse it: below_minimum."),
        (3, "p3 cbr 101", "The rules here refuse it: not_enough_chips."),
        (3, "p3 cbr all", "A bet is a whole number of chips."),
        (3, "p3 raises", "A bet, call, check or fold of p3 must come here."),
        (3, "d db 2c3c4c", "There is no player 'd'."),
        (3, "p11 f", "There is no player 'p11'."),
        (2, "d dh p3 As2d", "A card is there twice."),
        (2, "d dh p3 1s2d", "is not a card"),
        (2, "d dh p3 5s2d3d", "These are more cards than are dealt."),
        (2, "d dh p3", "Cards are dealt as in"),
        (6, "p1 f", "The flop must come here."),
        (6, "d db 2c3c", "The flop is 3 cards that all can see."),
        (6, "d db 2c3c??", "The flop is 3 cards that all can see."),
        (6, "d db 2c3cAs", "A card is there twice."),
        (15, "p3 sm 7c2d", "This hand cannot be shown now."),
        (16, "p2 sm AsKc", "A card is there twice."),
        (15, "p1 sm AsQd", "This is not the hand that it has."),
        (16, "p2 sm Ac??", "A hand is shown whole, or not at all."),
        (17, "p1 f", "The hand is over."),
    ],
)  # fmt: skip
def test_an_action_that_cannot_be_is_refused_with_its_number(start, line, why):
    with pytest.raises(BadHandHistory) as refused:
        imported({**HAND, "actions": [*WHOLE[:start], line, *WHOLE[start + 1 :]]})
    assert why in str(refused.value)
    assert refused.value.action == start


@pytest.mark.parametrize(
    ("start", "line", "why"),
    [
        (4, "p2 sd", "The discard of p1 must come here."),
        (4, "p1 sd 8s", "These are not cards that it has."),
        (7, "d dh p1 ??", "p2 is dealt more cards than it has discarded."),
        (2, "p1 cbr 4", "The rules here refuse it: wrong_bet_size."),
    ],
)  # fmt: skip
def test_so_it_is_in_five_card_draw(start, line, why):
    actions = [*DRAWN[:start], line, *DRAWN[start + 1 :]]
    with pytest.raises(BadHandHistory) as refused:
        imported({**DRAW, "actions": [*actions[:7], "d dh p2 ????", *actions[8:]] if start == 7 else actions})
    assert why in str(refused.value)


@pytest.mark.parametrize("end", range(3, len(WHOLE)))
def test_a_hand_is_played_to_its_end(end):
    with pytest.raises(BadHandHistory, match=r"is missing|not told whether"):
        imported({**HAND, "actions": [line for line in WHOLE[:end] if line != "p2 sm AcKc"]})


def test_nobody_wins_a_pot_without_a_hand():
    with pytest.raises(BadHandHistory, match="Nobody shows"):
        imported({**HAND, "actions": [*WHOLE[:-2], "p1 sm", "p2 sm"]})


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"\xff", "no TOML"),
        (b"variant = ", "no TOML"),
        (b"variant = " + b"9" * 5_000, "more digits"),
        (b"", "no hand history"),
        (b"[1]\nx = 1\n", "no hand history"),
        (b"x = " + b"[" * 5000, "no TOML"),
        (b'variant = "NT"\n' + b"#" * 2**24, "at most 16777216 bytes"),
        (b"".join(b'[%d]\nvariant = "NT"\n' % i for i in range(1001)), "at most 1000 hands"),
    ],
)
def test_a_document_that_is_none_is_refused(text, why):
    with pytest.raises(BadHandHistory, match=why):
        phh_read.documents(text)


# --- What others write --------------------------------------------------------------------------------------


def test_a_check_that_nobody_asks_for_is_let_pass():
    """Others let the big blind check though everybody else is all-in."""
    hand = {**HAND, "starting_stacks": [100, 100, 2]}
    actions = [
        "d dh p3 AcAd",
        "p3 cc",
        "p1 f",
        "p2 cc",
        "p2 sm 7c2d",
        "p3 sm -",
        *["d db KsQsJs", "d db 3d", "d db 4d"],
    ]
    m, _ = imported({**hand, "actions": actions})
    assert m.table.stacks == (99, 98, 5)


def test_nobody_posts_a_dead_small_blind():
    m, commits = imported({**HAND, "blinds_or_straddles": [2, 0, 0], "actions": ["p2 f", "p3 f"]})
    started = next(h.event for commit in commits for h in commit if isinstance(h.event, betting_events.HandStarted))
    assert (started.small_blind, started.big_blind, m.table.stacks) == (None, 0, (100, 100, 100))


def test_the_time_is_that_of_the_hand_where_it_is_in_utc():
    def when(**fields):
        at = phh_read.read_hand({**HAND, "year": 1970, "month": 1, "day": 2, **fields}).at
        return at and at // 1000

    assert when() == 24 * 3600
    assert when(time=tomllib.loads("x = 01:00:05")["x"]) == 24 * 3600 + 3605
    assert when(time_zone="America/Toronto") is None
    assert when(day=31, month=2) is None
    assert when(year="1970") is None


def test_nobody_shows_a_card_that_another_holds():
    actions = [*DRAWN[:10], "p1 sm -", "p2 sm AsKdQdJd9d"]
    with pytest.raises(BadHandHistory, match="A card is there twice"):
        imported({**DRAW, "actions": actions})


def test_a_stock_that_has_run_out_is_made_anew():
    """Six discard five cards each; the stock has 22."""
    seats = [f"p{seat}" for seat in range(1, 7)]
    actions = [f"{p} cc" for p in seats] + [f"{p} sd ??????????" for p in seats]
    hand = {**DRAW, "antes": [1] * 6, "starting_stacks": [20] * 6}
    m, commits = imported({**hand, "actions": [*actions, "p1 cbr 4", *(f"{p} f" for p in seats[1:])]})
    kinds = [type(h.event).__name__ for commit in commits for h in commit]
    assert kinds.count("StockRanOut") == kinds.count("StockRebuilt") == 1
    rebuilt = next(h.event for commit in commits for h in commit if isinstance(h.event, betting_events.StockRebuilt))
    assert (rebuilt.count, len(m.table.deck)) == (20, 2 + 20 - 10)
