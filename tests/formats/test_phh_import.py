"""Tests hands in the PHH format: replayed by the rules, or refused with the reason."""

import codecs
import datetime as dt
import re
import tomllib
import warnings
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from pokerkit import HandHistory

from domain.core.clock import Time
from domain.core.visibility import SPECTATORS
from domain.poker import betting_events
from events.formats.phh import reader as phh_read
from events.formats.phh import writer as phh
from events.formats.phh.chip_amounts import Unit, read_unit
from events.formats.phh.phh_faults import BadHandHistory, UnsupportedHand
from events.log import commits as log
from events.operations import phh_imports as phh_import
from events.times import write_time
from tests.draws import draws, first_of
from tests.formats.test_phh import document, played
from tests.games.five_card_draw.law import drawn_options as drawn_draw
from tests.games.holdem.law import drawn_options as drawn_holdem

ID = "0" * 20
GAMES = {"holdem": drawn_holdem, "five_card_draw": drawn_draw}


def exported(game, seeds, reader=SPECTATORS):
    """Yield exported hands of many matches."""
    for seed in seeds:
        table = played(game, seed, GAMES[game], fairness_reveal=("match_end", "never")[seed % 2])
        yield from tomllib.loads(document(table, reader)).values()


def imported(fields):
    """Import a hand; return the match at its end and its commits. Raises `BadHandHistory`."""
    return phh_import._match(ID, phh_read.read_hand(fields), "public")


def written_again(fields):
    """Return the document exported from the match of an imported hand."""
    m, commits = imported(fields)
    _, rows = phh_import._written(m, commits, Time(0), "public")
    feed = log.serve_match_events(rows, SPECTATORS, 0, lambda hand: b"", m)
    seat = {"player": None, "kind": "open", "level": None}
    about = {"id": ID, "game": m.game.name, "reader": SPECTATORS, "seats": [seat] * len(m.seats)}
    return tomllib.loads(b"".join(phh.write_hands(about, feed)).decode())["1"]


SAME = (
    "variant", "antes", "blinds_or_straddles", "min_bet", "small_bet", "big_bet", "starting_stacks", "finishing_stacks",
    "winnings",
)  # fmt: skip


def spoken(fields):
    """Return the actions without comments."""
    lines = [line.partition("#")[0].strip() for line in fields["actions"]]
    return [line for line in lines if line]


@pytest.mark.parametrize("reader", first_of([SPECTATORS, "0"]))
@pytest.mark.parametrize("game", GAMES)
def test_exported_hand_can_be_imported_and_exported_unchanged(game, reader):
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


def test_byte_order_mark_before_a_hand_is_skipped():
    text = document(played("holdem", 0, drawn_holdem), SPECTATORS).encode()
    plain, marked = ([*phh_import.replay_hands(mark + text)] for mark in (b"", codecs.BOM_UTF8))
    assert [each.match for each in marked] == [each.match for each in plain] != []


@pytest.mark.parametrize("game", GAMES)
def test_garbled_hand_is_refused_or_conserves_chips(game):
    """Any document is refused in words, or conserves all chips."""
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


def test_example_hands_are_accepted():
    m, _ = imported({**HAND, "actions": WHOLE})
    assert m.table.stacks == (98, 102, 100)
    m, _ = imported({**DRAW, "actions": DRAWN})
    assert m.table.stacks == (21, 19)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"variant": "PO"}, "The variant 'PO' is not supported"),
        ({"variant": 7}, "The variant 7 is not supported"),
        ({"antes": [0, 0]}, "`antes` must be a list with a number for each player"),
        ({"antes": [1, 0, 1]}, "Antes must be equal for all"),
        ({"blinds_or_straddles": [1, 2, 4]}, "no straddles"),
        ({"blinds_or_straddles": [0, 0, 0]}, "a small and a big blind"),
        ({"blinds_or_straddles": [-1, 2, 0]}, "`blinds_or_straddles` must be from 0 to 1000000000000"),
        ({"min_bet": 4}, "The minimum bet must equal the big blind"),
        ({"min_bet": None}, "`min_bet` must be an amount of chips"),
        ({"starting_stacks": [100, Decimal("0.5"), 100]}, "`starting_stacks`: 0.5 is not a whole number of chips"),
        ({"starting_stacks": [100, Decimal("1e-10"), 100]}, "with up to 9 decimals"),
        ({"starting_stacks": [100, Decimal("1e-99999"), 100]}, "with up to 9 decimals"),
        ({"starting_stacks": [100, Decimal("1e99999"), 100]}, "`starting_stacks` must be from 0 to 1000000000000"),
        ({"starting_stacks": [100, Decimal("inf"), 100]}, "`starting_stacks` must be an amount of chips"),
        ({"starting_stacks": [100, Decimal("nan"), 100]}, "`starting_stacks` must be an amount of chips"),
        ({"starting_stacks": [100, True, 100]}, "`starting_stacks` must be an amount of chips"),
        ({"starting_stacks": [100, 0, 100]}, "A player has no chips"),
        ({"starting_stacks": [100]}, "The game is not available for 1 players"),
        ({"starting_stacks": None}, "`starting_stacks` must be a list"),
        ({"actions": "p1 f"}, "`actions` must be a list of texts"),
        ({"actions": [1]}, "`actions` must be a list of texts"),
        ({"actions": ["p1 cc"] * 1001}, "at most 1000 actions"),
        ({"players": ["Ann"]}, "`players` must be a list"),
        (
            {"finishing_stacks": [100, 100, 100], "actions": [*HAND["actions"][:4], "p1 f"]},
            "The document ends with stacks of 100, 100, 100, but the rules give 99, 101, 100",
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
        (3, "p3 cbr 3", "The rules refuse it: below_minimum."),
        (3, "p3 cbr 101", "The rules refuse it: not_enough_chips."),
        (3, "p3 cbr all", "A bet is a number of chips."),
        (3, "p3 raises", "A bet, call, check or fold of p3 must come here."),
        (3, "d db 2c3c4c", "There is no player 'd'."),
        (3, "p11 f", "There is no player 'p11'."),
        (2, "d dh p3 As2d", "A card appears twice."),
        (2, "d dh p3 1s2d", "is not a card"),
        (2, "d dh p3 5s2d3d", "These are more cards than were dealt."),
        (2, "d dh p3", "Cards are dealt as in"),
        (6, "p1 f", "The flop must come here."),
        (6, "p1", "The flop must come here."),
        (6, "d db 2c3c", "The flop is 3 cards that all can see."),
        (6, "d db 2c3c??", "The flop is 3 cards that all can see."),
        (6, "d db 2c3cAs", "A card appears twice."),
        (15, "p3 sm 7c2d", "This hand cannot be shown now."),
        (16, "p2 sm AsKc", "A card appears twice."),
        (15, "p1 sm AsQd", "This is not the player's hand."),
        (16, "p2 sm Ac??", "A hand must be shown completely or not at all."),
        (17, "p1 f", "The hand is over."),
    ],
)  # fmt: skip
def test_impossible_action_is_refused_with_its_number(start, line, why):
    with pytest.raises(BadHandHistory) as refused:
        imported({**HAND, "actions": [*WHOLE[:start], line, *WHOLE[start + 1 :]]})
    assert why in str(refused.value)
    assert refused.value.action == start


@pytest.mark.parametrize(
    ("start", "line", "why"),
    [
        (4, "p2 sd", "The discard of p1 must come here."),
        (4, "p1 sd 8s", "The player does not have these cards."),
        (7, "d dh p1 ??", "p2 is dealt more cards than it has discarded."),
        (2, "p1 cbr 4", "The rules refuse it: wrong_bet_size."),
    ],
)  # fmt: skip
def test_impossible_action_in_five_card_draw_is_refused_with_its_number(start, line, why):
    actions = [*DRAWN[:start], line, *DRAWN[start + 1 :]]
    with pytest.raises(BadHandHistory) as refused:
        imported({**DRAW, "actions": [*actions[:7], "d dh p2 ????", *actions[8:]] if start == 7 else actions})
    assert why in str(refused.value)


@pytest.mark.parametrize("end", range(3, len(WHOLE)))
def test_imported_hand_is_replayed_to_its_end(end):
    with pytest.raises(BadHandHistory, match=r"is missing"):
        imported({**HAND, "actions": [line for line in WHOLE[:end] if line != "p2 sm AcKc"]})


def test_pot_winner_must_have_a_hand():
    with pytest.raises(BadHandHistory, match="No player who can win"):
        imported({**HAND, "actions": [*WHOLE[:-2], "p1 sm", "p2 sm"]})


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"\xff", "not TOML"),
        (b"variant = ", "not TOML"),
        (b"variant = " + b"9" * 5_000, "too many digits"),
        (b"", "not a hand history"),
        (b"[1]\nx = 1\n", "not a hand history"),
        (b"x = " + b"[" * 5000, "not TOML"),
        (b'variant = "NT"\n' + b"#" * 2**24, "at most 16777216 bytes"),
        (b"".join(b'[%d]\nvariant = "NT"\n' % i for i in range(10_001)), "at most 10000 hands"),
        (b"".join(b'[%d]\nvariant = "NT"\n' % i for i in range(10_001)) + b"[x]\n=", "at most 10000 hands"),
    ],
)
def test_invalid_document_is_refused(text, why):
    with pytest.raises(BadHandHistory, match=why):
        phh_read.documents(text)


# --- What others write --------------------------------------------------------------------------------------


def test_redundant_check_is_accepted():
    """Other sources let the big blind check even though all other players are all-in."""
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


def test_dead_small_blind_is_not_posted():
    m, commits = imported({**HAND, "blinds_or_straddles": [2, 0, 0], "actions": ["p2 f", "p3 f"]})
    started = next(h.event for commit in commits for h in commit if isinstance(h.event, betting_events.HandStarted))
    assert (started.small_blind, started.big_blind, m.table.stacks) == (None, 0, (100, 100, 100))


DAY = {"year": 2009, "month": 7, "day": 1}


def when(**fields):
    """Parse the time of a hand; return it as text, and what was assumed."""
    hand = phh_read.read_hand({**HAND, **tomllib.loads("time = 00:03:45"), **DAY, **fields})
    return hand.at and write_time(hand.at), hand.assumed


@pytest.mark.parametrize(
    ("zone", "at"),
    [
        ({"time_zone": "UTC"}, "2009-07-01T00:03:45.000Z"),
        ({"time_zone": "America/New_York"}, "2009-07-01T04:03:45.000Z"),
        ({"time_zone": "America/New_York", "month": 1}, "2009-01-01T05:03:45.000Z"),
        ({"time_zone": "Asia/Kolkata"}, "2009-06-30T18:33:45.000Z"),
        ({"time_zone": "UTC", "time_zone_abbreviation": "IST"}, "2009-07-01T00:03:45.000Z"),
        ({"time_zone_abbreviation": "ET"}, "2009-07-01T04:03:45.000Z"),
        ({"time_zone_abbreviation": "ET", "month": 1}, "2009-01-01T05:03:45.000Z"),
        ({"time_zone_abbreviation": "EST"}, "2009-07-01T05:03:45.000Z"),
        ({"time_zone_abbreviation": "CEST"}, "2009-06-30T22:03:45.000Z"),
        ({"time_zone_abbreviation": "GMT"}, "2009-07-01T00:03:45.000Z"),
    ],
)
def test_the_time_of_a_hand_is_converted_from_its_zone(zone, at):
    assert when(**zone) == (at, ())


@pytest.mark.parametrize(
    ("fields", "at", "assumed"),
    [
        ({"time": dt.time(12), "year": None}, None, "has no date"),
        ({"time": dt.time(12), "time_zone": "UTC", "year": 1951}, None, "before 1970"),
        ({"time_zone": "Europe/Berlin", "month": 10, "day": 25, "time": dt.time(2, 30)}, "2009-10-25T00:30", "changed"),
        ({"time_zone": "Europe/Berlin", "month": 3, "day": 29, "time": dt.time(2, 30)}, "2009-03-29T01:30", "changed"),
    ],
)
def test_assumed_time_is_reported(fields, at, assumed):
    found, notes = when(**fields)
    assert (found and found[:16]) == at
    assert assumed in notes[0]


def test_date_without_a_time_means_noon():
    day = phh_read.read_hand({**HAND, **DAY})
    assert (write_time(day.at), "Noon is used" in day.assumed[0]) == ("2009-07-01T12:00:00.000Z", True)
    there = phh_read.read_hand({**HAND, **DAY, "time_zone": "America/New_York"})
    assert write_time(there.at) == "2009-07-01T16:00:00.000Z"


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({}, "`time` is local, but there is no time zone. Add `time_zone`"),
        ({"city": "Las Vegas", "region": "Nevada"}, "`time` is local"),
        ({"time_zone": "Mars/Olympus"}, "The time zone 'Mars/Olympus' is not known"),
        ({"time_zone": "../../etc/passwd"}, "The time zone '../../etc/passwd' is not known"),
        ({"time_zone": "Europe"}, "The time zone 'Europe' is not known"),
        ({"time_zone": "\0"}, "is not known"),
        ({"time_zone": ""}, "is not known"),
        ({"time_zone": 2}, "The time zone 2 is not known"),
        ({"time_zone_abbreviation": "IST"}, "'IST' is not the abbreviation of one time zone"),
        ({"time_zone_abbreviation": ["ET"]}, "is not the abbreviation of one time zone"),
    ],
)
def test_time_in_an_unknown_zone_is_unsupported(fields, why):
    with pytest.raises(UnsupportedHand, match=re.escape(why)):
        when(**fields)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"day": 31, "month": 6, "time_zone": "UTC"}, "There is no day 2009-6-31"),
        ({"year": "2009", "time_zone": "UTC"}, "There is no day 2009-7-1"),
        ({"year": 10**9, "time_zone": "UTC"}, "There is no day 1000000000-7-1"),
        ({"time": "00:03:45", "time_zone": "UTC"}, "`time` is written as in"),
    ],
)
def test_impossible_time_is_malformed(fields, why):
    with pytest.raises(BadHandHistory, match=re.escape(why)) as refused:
        when(**fields)
    assert not isinstance(refused.value, UnsupportedHand)


# --- What converters and other programs write ----------------------------------------------------------------

SHORT: dict[str, Any] = {
    **HAND,
    "blinds_or_straddles": [50, 100, 0],
    "min_bet": 100,
    "starting_stacks": [1000, 60, 1000],
}


def test_a_call_of_a_short_big_blind_is_unsupported():
    """PokerKit's result is 940, 180 and 940; by the rules here, each player could call the full blind."""
    hand = {**SHORT, "actions": ["p3 cc", "p1 cc", "d db 3h8h5s"]}
    why = "A call is of 100 here, and of 60 in this format; `cbr 100` says that 100 were put in."
    with pytest.raises(UnsupportedHand, match=re.escape(why)) as refused:
        imported(hand)
    assert refused.value.action == 0


@pytest.mark.parametrize(
    ("stacks", "actions"), [([1000, 60, 1000], ["p3 f", "p1 cc"]), ([60, 60, 1000], ["p3 cc", "p1 cc", "p3 sm 7c2d"])]
)
def test_call_of_a_short_big_blind_is_accepted_if_no_one_else_can_call_more(stacks, actions):
    whole = [*actions, "p1 sm KsKd", "p2 sm AsAd", "d db 3h8h5s", "d db 9c", "d db Jd"]
    hand = {**SHORT, "starting_stacks": stacks}
    m, _ = imported({**hand, "actions": whole})
    dealt = ["d dh p1 KsKd", "d dh p2 AsAd", "d dh p3 7c2d"]
    assert sum(m.table.stacks) == sum(stacks)
    *_, end = HandHistory(ante_trimming_status=True, **{**hand, "actions": [*dealt, *whole]})
    assert tuple(end.stacks) == m.table.stacks


ANTES = {"antes": [10, 10, 10], "starting_stacks": [100, 100, 8]}
FOR_ALL = {"antes": [0, 5, 0]}


def bet_to_the_end(change):
    """Return a hand that no one folds, or only the player without chips for more than the ante."""
    is_all_in = change.get("starting_stacks", HAND["starting_stacks"])[2] < 10
    dealt, bets = ["d dh p1 AsKs", "d dh p2 AcKc", "d dh p3 7c2d"], ["p1 cc", "p2 cc"]
    shown = ["p1 sm AsKs", "p2 sm AcKc", *(["p3 sm 7c2d"] if is_all_in else [])]
    if change.get("starting_stacks", [0, 100])[1] < 10:
        bets, board = ["p3 f", "p1 cc"], [line for line in BOARD if line.startswith("d ")]
        shown = [*shown[:2]]
        return {**HAND, **change, "actions": [*dealt, *bets, *shown, *board]}
    return {**HAND, **change, "actions": [*dealt, *([] if is_all_in else ["p3 f"]), *bets, *BOARD, *shown]}


def by_pokerkit(hand):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        *_, end = HandHistory(**hand)
    return tuple(end.stacks)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (ANTES, "A player cannot pay the whole ante"),
        (ANTES | {"ante_trimming_status": False}, "as with `ante_trimming_status = true`"),
        (FOR_ALL | {"ante_trimming_status": True}, "The big blind's ante stays in the pot here"),
        (FOR_ALL | {"starting_stacks": [100, 6, 100]}, "The big blind cannot post its blind and its ante"),
    ],
)
def test_hand_with_antes_divided_by_another_rule_is_unsupported(change, why):
    with pytest.raises(UnsupportedHand, match=re.escape(why)):
        imported(bet_to_the_end(change))


@pytest.mark.parametrize("change", [ANTES | {"ante_trimming_status": True}, FOR_ALL])
def test_antes_divided_by_the_rules_here_are_accepted(change):
    hand = bet_to_the_end(change)
    m, _ = imported(hand)
    assert m.table.stacks == by_pokerkit(hand)


def test_antes_that_may_be_divided_differently_are_accepted_with_equal_final_stacks():
    hand = {**HAND, **FOR_ALL, "ante_trimming_status": True, "actions": [*HAND["actions"][:3], "p3 f", "p1 f"]}
    ended = by_pokerkit(hand)
    m, _ = imported(hand | {"finishing_stacks": list(ended)})
    assert m.table.stacks == ended
    with pytest.raises(UnsupportedHand):
        imported(hand)


def test_status_of_antes_is_true_or_false():
    with pytest.raises(BadHandHistory, match="`ante_trimming_status` is `true` or `false`"):
        imported({**HAND, **FOR_ALL, "ante_trimming_status": 1})


def test_shown_hand_with_unknown_cards_wins_nothing():
    shown = [*WHOLE[:-2], "p1 sm -", "p2 sm ????"]
    m, commits = imported({**HAND, "actions": shown})
    assert m.table.stacks == (102, 98, 100)
    assert any(isinstance(h.event, betting_events.HandMucked) for commit in commits for h in commit)
    with pytest.raises(BadHandHistory, match="No player who can win"):
        imported({**HAND, "actions": [*WHOLE[:-2], "p1 sm ????", "p2 sm ????"]})
    with pytest.raises(BadHandHistory, match="shown completely or not at all"):
        imported({**HAND, "actions": [*WHOLE[:-2], "p1 sm -", "p2 sm ??"]})


def test_unknown_cards_before_an_all_in_board_are_shown_at_its_end():
    run_out = ["d dh p1 ????", "d dh p2 ????", "p2 cbr 1000", "p1 cc", "p2 sm ????", "p1 sm ????"]
    board = ["d db 2c3d4h", "d db 5s", "d db 9c"]
    heads_up = {**HAND, "antes": [0, 0], "blinds_or_straddles": [5, 10], "min_bet": 10, "starting_stacks": [1000, 1000]}
    for first, second, stacks in (
        ("AsAd", "KsKd", (0, 2000)),
        ("AsAd", "????", (0, 2000)),
        ("????", "KsKd", (2000, 0)),
    ):
        whole = [*run_out, *board, f"p2 sm {first}", f"p1 sm {second}"]
        m, _ = imported({**heads_up, "actions": whole})
        *_, end = HandHistory(**{**heads_up, "actions": whole})
        assert m.table.stacks == tuple(end.stacks) == stacks


def test_raise_over_a_short_blind_below_the_full_blind_is_unsupported():
    short = {**HAND, "blinds_or_straddles": [50, 100, 0], "min_bet": 100, "starting_stacks": [1000, 60, 1000]}
    raised = ["d dh p1 ????", "d dh p2 ????", "d dh p3 ????", "p3 cbr 160"]
    with pytest.raises(UnsupportedHand, match="could pay 60 of 100"):
        imported({**short, "actions": raised})


def test_last_player_may_show_unknown_cards():
    m, _ = imported({**HAND, "actions": ["d dh p1 ????", "p3 f", "p1 f", "p2 sm ????"]})
    assert m.table.stacks == (99, 101, 100)


FOLDS = {**HAND, "actions": ["p3 f", "p1 f"]}


@pytest.mark.parametrize("winnings", [[0, 2, 0], [0, 3, 0]])
def test_winnings_may_include_the_uncalled_bet(winnings):
    assert imported({**FOLDS, "winnings": winnings})[0].table.stacks == (99, 101, 100)


@pytest.mark.parametrize(
    ("winnings", "kind", "why"),
    [
        ([0, 999, 0], BadHandHistory, "The document has `winnings` of 0, 999, 0, but the rules give 0, 2, 0."),
        ([2, 0, 0], BadHandHistory, "has `winnings` of 2, 0, 0"),
        ([0, 0, 0], BadHandHistory, "has `winnings` of 0, 0, 0"),
        ([0, 1, 0], UnsupportedHand, "There is no rake here"),
        ([0, 2], BadHandHistory, "`winnings` must be a list"),
    ],
)
def test_winnings_that_contradict_the_hand_are_refused(winnings, kind, why):
    with pytest.raises(BadHandHistory, match=re.escape(why)) as refused:
        imported({**FOLDS, "winnings": winnings})
    assert type(refused.value) is kind


def scaled(by, hand):
    """Return a hand with its amounts in another unit."""
    said = {
        name: [by * x for x in row] if isinstance(row, list) else by * row
        for name in (
            "antes",
            "blinds_or_straddles",
            "min_bet",
            "small_bet",
            "big_bet",
            "starting_stacks",
            "finishing_stacks",
            "winnings",
        )
        if (row := hand.get(name)) is not None
    }
    lines = [re.sub(r"(?<=cbr )[0-9]+", lambda n: str(by * int(n[0])), line) for line in hand["actions"]]
    return {**hand, **said, "actions": lines}


@pytest.mark.parametrize("game", GAMES)
def test_hand_in_currency_units_equals_the_hand_in_chips(game):
    for n, fields in enumerate(exported(game, range(draws(4)))):
        worth = Decimal(("0.01", "0.5", "25")[n % 3])
        written, hand = scaled(worth, fields), phh_read.read_hand(fields)
        read = phh_read.read_hand(written, Unit(worth))
        assert (read.options, read.stacks, read.finishing) == (hand.options, hand.stacks, hand.finishing)
        assert phh_import._match(ID, read, "public")[0].table.stacks == imported(fields)[0].table.stacks


def test_whole_floats_are_whole_chips():
    text = 'variant = "NT"\nantes = [0.0, 0]\nblinds_or_straddles = [2.00, 4.0]\nmin_bet = 4.0\n'
    text += 'starting_stacks = [110.0, 420]\nactions = ["p2 cbr 12.0", "p1 f"]\n'
    (hand,) = phh_import.replay_hands(text.encode())
    assert hand.match.table.stacks == (106, 424)


def outcomes(text, worth=None):
    """Return the outcome of each hand of a document: its name, and the stacks or the refusal."""
    return [
        (each.hand, each.status, each.detail)
        if isinstance(each, phh_import.RefusedHand)
        else (each.hand, "replayed", each.match.table.stacks)
        for each in phh_import.replay_hands(text.encode(), worth)
    ]


BAD_UNITS = ["0", "-1", "x", "", "1e-2", "0.0000000001", "1" * 14, "inf", "nan"]


@pytest.mark.parametrize("text", BAD_UNITS)
def test_unit_must_be_a_number_above_zero(text):
    with pytest.raises(ValueError, match="A unit must be a number above 0"):
        read_unit(text)


CENTS = """\
[{0}]
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [0.50, 1]
min_bet = 1
starting_stacks = [{1}, 20]
actions = ["d dh p1 ????", "d dh p2 ????", "p2 f"]
"""


def test_fractions_without_a_unit_are_refused_with_a_fitting_unit():
    text = CENTS.format(1, "10") + CENTS.format(2, "10.25") + CENTS.format(3, "10.250")
    why = "is not a whole number of chips. Set the value of a chip: `--unit 0.01`, in the API `?unit=0.01`, fits"
    assert [(name, status, why in detail) for name, status, detail in outcomes(text)] == [
        ("1", "unsupported", True),
        ("2", "unsupported", True),
        ("3", "unsupported", True),
    ]
    assert [end for _, _, end in outcomes(text, Decimal("0.01"))] == [(1050, 1950), (1075, 1950), (1075, 1950)]
    half = outcomes(text, Decimal("0.5"))
    assert [status for _, status, _ in half] == ["replayed", "unsupported", "unsupported"]
    assert "10.25 is not a whole number of chips of 0.5. Set the value of a chip: `--unit 0.01`" in half[1][2]


@pytest.mark.parametrize("x", ["1e9999999", "-1e-9999999", "nan", "-inf", "[[1.5]]", "1" * 4_000])
def test_ignored_field_may_contain_any_number(x):
    assert outcomes(f"{CENTS.format('a', 10)}x = {x}", Decimal("0.5"))[0][1] == "replayed"
    assert outcomes(CENTS.format("a", x), Decimal("0.5"))[0][1] == "malformed"


def test_fault_in_one_hand_does_not_affect_the_others():
    good = CENTS.format("good", 10)
    text = good + CENTS.format("toml", "?") + CENTS.format("good too", 10).replace("[good too]", '["good too"] # !')
    text += (
        "[empty]\n"
        + CENTS.format("cards", 10).replace("p1 ????", "p1 AsAs")
        + CENTS.format("omaha", 10).replace("NT", "PO")
    )
    found = outcomes(text, Decimal("0.5"))
    assert [(name, status) for name, status, _ in found] == [
        ("good", "replayed"),
        ("toml", "malformed"),
        ("good too", "replayed"),
        ("empty", "malformed"),
        ("cards", "malformed"),
        ("omaha", "unsupported"),
    ]
    lines = text.splitlines()
    assert f"at line {1 + lines.index('starting_stacks = [?, 20]')}, column" in found[1][2]
    assert f"line {1 + next(n for n, line in enumerate(lines) if 'AsAs' in line)}: 'd dh p1 AsAs'" in found[4][2]
    assert found[3][2] == "It has no `variant`."


def test_imported_hand_ends_with_a_result():
    won, commits = imported({**HAND, "actions": WHOLE})
    assert [type(h.event).__name__ for h in commits[-1][-3:]] == ["GameEnded", "GameWon", "MatchEnded"]
    assert (won.series.winners, won.result.wins, won.result.winners) == ((1,), (0, 1, 0), (1,))
    split = [*WHOLE[:-2], "p1 sm AsKs", "p2 sm AdKd"]
    shared, _ = imported({**HAND, "actions": split})
    assert (shared.series.winners, shared.result.wins, shared.result.winners) == ((None,), (0, 0, 0), (0, 1, 2))


def test_player_cannot_show_another_players_card():
    actions = [*DRAWN[:10], "p1 sm -", "p2 sm AsKdQdJd9d"]
    with pytest.raises(BadHandHistory, match="A card appears twice"):
        imported({**DRAW, "actions": actions})


def test_empty_stock_is_rebuilt():
    """Six players discard five cards each; the stock has 22."""
    seats = [f"p{seat}" for seat in range(1, 7)]
    actions = [f"{p} cc" for p in seats] + [f"{p} sd ??????????" for p in seats]
    hand = {**DRAW, "antes": [1] * 6, "starting_stacks": [20] * 6}
    m, commits = imported({**hand, "actions": [*actions, "p1 cbr 4", *(f"{p} f" for p in seats[1:])]})
    kinds = [type(h.event).__name__ for commit in commits for h in commit]
    assert kinds.count("StockRanOut") == kinds.count("StockRebuilt") == 1
    rebuilt = next(h.event for commit in commits for h in commit if isinstance(h.event, betting_events.StockRebuilt))
    assert (rebuilt.count, len(m.table.deck)) == (20, 2 + 20 - 10)
