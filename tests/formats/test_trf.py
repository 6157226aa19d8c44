"""Tests FIDE's Tournament Report File: written files match the play, and other programs accept them."""

import json
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from api.cli.main import main
from domain.tournament.entrants import CloseEntries, Enter, Withdraw
from domain.tournament.round_tables import RuleTable
from domain.tournament.rounds import BOT, PlayedRound, TableResult
from domain.tournament.tournament_plan import TournamentPlan
from events.formats import trf
from events.formats.trf_reader import ReportedRound, read_report
from events.formats.trf_writer import write_report
from events.service.tournament_rounds import ranked_entrants
from tests.draws import draws
from tests.formats.other_programs import run_with
from tests.formats.pairing_rules import NotAccepted, check_accepted
from tests.tournament.evenings import ORGANISER, Evening

PLANS = [
    TournamentPlan("swiss", 2, 2, rounds=4, late=2),
    TournamentPlan("swiss", 2, 2, rounds=5, fill="bots"),
    TournamentPlan("round_robin", 2, 2, most=8),
    TournamentPlan("league", 2, 2, legs=2, most=8),
]


def lived(plan: TournamentPlan, entrants: int = 7) -> Evening:
    """Play a tournament with everything that the format can express: byes, forfeits, draws, withdrawals and late
    entries."""
    one = Evening(plan)
    for n in range(entrants):
        one.told(Enter(f"player {n}"))
    one.told(CloseEntries(ORGANISER))
    one.told(RuleTable(ORGANISER, 0, (2, 1), "The first did not come."))
    one.told(RuleTable(ORGANISER, 1, (2, 2), "Neither came."))
    one.told(Withdraw(f"player {one.state.tables[2][0]}"))
    if plan.late:
        one.told(Enter("late"))
    one.play(Random(5), draws=0.4)
    return one


def names(one: Evening) -> dict[int, str]:
    return dict(enumerate(one.state.players))


def text(one: Evening) -> str:
    return write_report(one.state, names(one), "2026-11-23")


# --- Writing ------------------------------------------------------------------------------------------------


def test_line_has_the_columns_of_the_format() -> None:
    one = Evening(TournamentPlan("swiss", 2, 2, rounds=1))
    for name in ("Ann", "Ben", "Zoë\nthe\x1b[1m long " + "n" * 40):
        one.told(Enter(name))
    one.told(CloseEntries(ORGANISER))
    one.finish(0, (1, 2))
    lines = text(one).splitlines()
    assert lines[:14] == [
        "012 Evening",
        "042 2026/11/23",
        "062 3",
        "092 Individual: swiss",
        "142 1",
        "XXR 1",
        "162  W 3.0    D 1.0    P 3.0",
        "XXS W=3.0 D=1.0 FW=3.0 FL=0.0 PAB=3.0 FPB=3.0 HPB=1.0 ZPB=0.0",
        "BBW  3.0",
        "BBD  1.0",
        "BBL  0.0",
        "BBZ  0.0",
        "BBF  0.0",
        "BBU  3.0",
    ]
    players = lines[14:]
    assert [line[:8] for line in players] == ["001    1", "001    2", "001    3"]
    assert sorted(line[14:47].strip() for line in players) == ["Ann", "Ben", "Zoë the [1m long nnnnnnnnnnnnnnnn"]
    assert sorted(line[80:84] for line in players) == [" 0.0", " 3.0", " 3.0"]
    assert sorted(line[85:89] for line in players) == ["   1", "   2", "   3"]
    rounds = {line[:8]: line[91:] for line in players}
    assert sorted(line[5:] for line in rounds.values()) == ["- U", "b 0", "w 1"]


def unbeaten() -> Evening:
    """Return a league of 36 rounds in which the lower number wins."""
    one = Evening(TournamentPlan("league", 2, 2, legs=4, most=10))
    one.begun(10)
    while not one.state.ended:
        table = one.waiting()[0]
        white, black = one.state.tables[table]
        one.finish(table, (1, 2) if white < black else (2, 1))
    return one


def test_initial_colour_is_written_until_a_table_shows_it() -> None:
    one = Evening(TournamentPlan("swiss", 2, 2, rounds=2)).begun(2)
    assert {"152 W", "XXC white1"} <= set(text(one).splitlines())
    one.finish(0, (1, 2))
    assert not {"152 W", "XXC white1"} & set(text(one).splitlines())


def test_points_that_exceed_their_columns_are_written_as_tenths() -> None:
    one = unbeaten()
    lines = text(one).splitlines()
    assert {
        "162  W 0.3    D 0.1    P 0.3",
        "XXS W=0.3 D=0.1 FW=0.3 FL=0.0 PAB=0.3 FPB=0.3 HPB=0.1 ZPB=0.0",
        "BBW  0.3",
        "BBD  0.1",
        "BBU  0.3",
    } <= set(lines)
    best = next(line for line in lines if "player 0" in line)
    assert (best[80:84], best[85:89], len(best)) == ("10.8", "   1", 91 + 36 * trf.WIDTH - 2)
    assert read_report(text(one).encode()).standings()[0].points == 108


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: f"{plan.format} {plan.fill}")
def test_written_report_is_read_back_unchanged(plan: TournamentPlan) -> None:
    one = lived(plan)
    t, read = one.state, read_report(text(one).encode())
    number = {who: n for n, who in enumerate(t.order, 1)}
    assert read.name == t.name
    assert read.players == {number[who]: t.players[who] for who in t.order}
    ours = {number[row.entrant]: (row.points, row.byes) for _, row in ranked_entrants(t)}
    if plan.fill == "bye":  # a bot is no player there, and its table becomes a bye
        assert {row.entrant: (row.points, row.byes) for row in read.standings()} == ours
        assert [row.entrant for row in read.standings()] == [number[who] for who in t.ranked]
    assert {row.entrant: row.points for row in read.standings()} == {who: points for who, (points, _) in ours.items()}


def test_league_report_has_the_league_points_and_excluded_players_last() -> None:
    one = Evening(TournamentPlan("league", 2, 2, most=8)).begun(4)
    one.told(Withdraw("player 0"))
    one.play(Random(3))
    number = {who: n for n, who in enumerate(one.state.order, 1)}
    ours = [(number[row.entrant], place, row.points) for place, row in ranked_entrants(one.state)]
    lines = {int(line[4:8]): line for line in text(one).splitlines() if line.startswith("001 ")}
    assert [(n, int(lines[n][85:89]), float(lines[n][80:84])) for n, _, _ in ours] == ours
    assert [(row.entrant, row.place, row.points) for row in read_report(text(one).encode()).standings()] == ours
    assert ours[-1] == (number[0], 4, 0)
    assert lines[number[0]][91:].split() == ["0000", "-", "Z"] * 3


@pytest.mark.parametrize(
    "plan",
    [
        TournamentPlan("swiss", 4, 4, fill="bots"),
        TournamentPlan("single_elimination", 2, 2),
        TournamentPlan("swiss", 2, 2, cut=4),
    ],
)
def test_results_unknown_to_the_format_are_omitted(plan: TournamentPlan) -> None:
    with pytest.raises(trf.NotTrf, match="at tables of two"):
        text(Evening(plan).begun(4))


# --- Reading ------------------------------------------------------------------------------------------------

CLUB = """\
012 Club evening
XXR 3
001    1 m    Ann                               2400 GER     4610011 1990/01/01  2.0    1     3 w 1     2 b =  0000 - H
001    2 w WGMBen                               2300 GER     4610012 1991/02/03  1.5    2     4 b +     1 w =  0000 - Z
001    3      Cid                                                                1.0    3     1 b 0  0000 - U
001    4      Dora                                                               0.0    4     2 w -
"""
"""Return a file as other programs write it: titles, ratings, missing rounds at the end."""


def test_report_of_another_program_is_ranked_by_our_rules() -> None:
    read = read_report(CLUB.encode())
    assert read.players == {1: "Ann", 2: "Ben", 3: "Cid", 4: "Dora"}
    assert tuple(each.played for each in read.rounds) == (
        PlayedRound(
            (TableResult((1, 3), (1, 2), (1, 0), 1, 0), TableResult((4, 2), (2, 1), (0, 0), 0, 0)),
            (),
        ),
        PlayedRound((TableResult((2, 1), (1, 1), (0, 0), 1, 1),), (3,)),
        PlayedRound((TableResult((1, BOT), (1, 1), (0, 0), 1, 1),), ()),
    )
    assert [(row.place, row.entrant, row.points) for row in read.standings()] == [
        (1, 1, 5),
        (2, 2, 4),
        (3, 3, 3),
        (4, 4, 0),
    ]


def test_older_result_codes_and_a_byte_order_mark_are_accepted() -> None:
    old = CLUB.replace("0000 - U", "0000 - +").replace("0000 - H", "0000 - =").replace("0000 - Z", "0000 - -")
    for sent in (old, "\ufeff" + CLUB, "\ufeff" + CLUB[CLUB.index("001") :]):
        assert read_report(sent.encode()).rounds == read_report(CLUB.encode()).rounds


def test_double_loss_of_a_played_game_is_accepted() -> None:
    read = read_report(CLUB.replace("3 w 1", "3 w 0").encode())
    assert read.rounds[0].played.tables[0] == TableResult((1, 3), (2, 2), (0, 0), 1, 0)
    assert {row.entrant: row.points for row in read.standings()} == {1: 2, 2: 4, 3: 3, 4: 0}


@pytest.mark.parametrize(
    ("was", "becomes", "why"),
    [
        (
            "3 w 1",
            "3 w =",
            r"Line 3: in round 1 player 1 has `3 w =`, but player 3 in line 5 has `1 b 0`: these results",
        ),
        (
            "3 w 1",
            "3 b 1",
            r"Line 3: in round 1 player 1 has `3 b 1`, but player 3 in line 5 has `1 b 0`: one player must be white",
        ),
        (
            "3 w 1",
            "3 - 1",
            r"Line 3: in round 1 player 1 has `3 - 1`, but player 3 in line 5 has `1 b 0`: one player must be white",
        ),
        ("3 w 1", "1 w 1", "Line 3: in round 1 player 1 has `1 w 1`, but that does not name an opponent"),
        ("3 w 1", "9 w 1", "Line 3: in round 1 player 1 has `9 w 1`, but there is no player 9"),
        (
            "3 w 1",
            "2 w 1",
            r"Line 3: in round 1 player 1 has `2 w 1`, but player 2 in line 4 has `4 b \+`, which is not a game",
        ),
        ("3 w 1", "3 w  ", r"Line 3: in round 1 player 1 has `3 w`, but player 3 in line 5 has `1 b 0`: only one of"),
        ("3 w 1", "3 w H", r"Line 5: in round 1 player 3 has `1 b 0`, but player 1 in line 3 has `3 w H`"),
        ("3 w 1", "3 x 1", "Line 3: a round is written"),
        ("3 w 1", "3 w 7", "Line 3: a round is written"),
        ("001    2", "001    1", "Line 4: a starting number is repeated"),
        ("001    2", "001    0", "Line 4: the starting number"),
        ("001    2", "001   ab", "Line 4: the starting number"),
        ("001 ", "002 ", "no line 001"),
    ],
)
def test_invalid_line_is_refused_with_its_number(was: str, becomes: str, why: str) -> None:
    with pytest.raises(trf.NotTrf, match=why):
        read_report(CLUB.replace(was, becomes, -1 if was == "001 " else 1).encode())


def test_file_size_is_limited() -> None:
    for sent in (b"0" * (trf.MOST_BYTES + 1), CLUB.replace("    2 b =", "    2 b =" * 200).encode(), b"\xff" * 100):
        with pytest.raises(trf.NotTrf):
            read_report(sent)


TWO = """\
012 Two players
001    1      Ann                                                                0.0    1     {0}
001    2      Ben                                                                0.0    2     {1}
"""
"""Return a file with a pairing of two players and the result code of each."""


def two(ann: str, ben: str) -> ReportedRound:
    """Read the only round of a file with two players."""
    (only,) = read_report(TWO.format(ann, ben).encode()).rounds
    return only


@pytest.mark.parametrize(
    ("ann", "ben", "seats", "places"),
    [
        ("2 - +", "1 - -", (1, 2), (1, 2)),
        ("2 - -", "1 - +", (1, 2), (2, 1)),
        ("2 - -", "1 - -", (1, 2), (2, 2)),
        ("2   +", "1   -", (1, 2), (1, 2)),
        ("2 b +", "1 - -", (2, 1), (2, 1)),
        ("2 - +", "1 w -", (2, 1), (2, 1)),
        ("2 w +", "1 b Z", (1, 2), (1, 2)),
        ("2 w Z", "1 b +", (1, 2), (2, 1)),
    ],
)
def test_forfeit_without_colours_and_absence_as_a_forfeit_are_read(
    ann: str, ben: str, seats: tuple[int, int], places: tuple[int, int]
) -> None:
    assert two(ann, ben) == ReportedRound(PlayedRound((TableResult(seats, places, (0, 0), 0, 0),), ()))


@pytest.mark.parametrize(
    ("ann", "ben", "pair"),
    [("2 w  ", "1 b  ", (1, 2)), ("2 b", "1 w", (2, 1)), ("2 -", "1 -", (1, 2)), ("2", "1", (1, 2))],
)
def test_pairing_without_a_result_counts_as_not_played(ann: str, ben: str, pair: tuple[int, int]) -> None:
    assert two(ann, ben) == ReportedRound(PlayedRound((), ()), (pair,))


@pytest.mark.parametrize(("ann", "ben"), [("2 w 1", "1 b  "), ("2 w  ", "1 b  0"), ("2 w  ", ""), ("2 w", "0000 - Z")])
def test_one_sided_results_and_pairings_are_refused(ann: str, ben: str) -> None:
    with pytest.raises(trf.NotTrf, match=r"Line [23]: "):
        two(ann, ben)


GERMAN = TWO.format("2 w 1", "1 b 0").replace("Two players", "Köln").replace("Ben", "Jör")


@pytest.mark.parametrize(
    ("encoding", "found"),
    [("utf-8", "utf-8"), ("utf-8-sig", "utf-8"), ("utf-16", "utf-16"), ("latin-1", "windows-1252")],
)
def test_text_is_decoded_with_the_encoding_of_the_file(encoding: str, found: str) -> None:
    read = read_report(GERMAN.encode(encoding))
    assert (read.name, read.players[2], read.encoding) == ("Köln", "Jör", found)


def test_bytes_that_windows_1252_lacks_are_read_as_latin_1() -> None:
    read = read_report(GERMAN.encode("latin-1") + b"012 \x81\n")
    assert (read.players[2], read.encoding) == ("Jör", "latin-1")


def test_unicode_line_separator_does_not_end_a_line() -> None:
    """In Python, U+0085 (an ellipsis in Windows-1252) and U+2028 end a line; in a file they do not."""
    for sent in (GERMAN.replace("ö", "\x85").encode("latin-1"), GERMAN.replace("ö", "\u2028").encode()):
        read = read_report(sent)
        assert (len(read.players), len(read.rounds[0].played.tables)) == (2, 1)


STRANGE = [
    "\0",
    "\u0663",
    "\u00b2",
    "\ufeff",
    "\u2028",
    "\r",
    "\x0b",
    "\x1c",
    "\udcff",
    "9" * 5,
    "-1",
    " " * 12,
    "001    1",
    "\t",
    "é" * 40,
]
"""Characters that could be read as a digit, a space or a line end, or that are wider than their column."""


def test_any_file_is_read_or_refused_with_a_sentence() -> None:
    rng, refusals = Random(20261126), list[str]()
    tries = draws(600)
    for _ in range(tries):
        text = CLUB
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(text))
            kept = text[at + rng.choice((0, 1, 10, 100)) :]
            text = text[:at] + rng.choice([*STRANGE, text[at : at + 20], rng.choice("019=+-wbHUFZ ")]) + kept
        try:
            read_report(text.encode("utf-8", errors="surrogateescape")).standings()
        except trf.NotTrf as refused:
            refusals.append(str(refused))
    assert 0 < len(refusals) < tries
    assert [why for why in refusals if not (why.isprintable() and why.endswith("."))] == []


SCORED = """\
001    1      Ann                                                               {}    1     2 w 1     3 b =  0000 - U
001    2      Ben                                                               {}    2     1 b 0  0000 - H     3 w -
001    3      Cid                                                               {}    3  0000 - Z     1 w =     2 b +
"""
"""A file of three rounds, without the points."""

WRONG = "line {}: player {} has {} points, but the results give {}"


@pytest.mark.parametrize(
    ("system", "points"),
    [
        ("", "2.5 0.5 1.5"),
        ("", "7.0 1.0 4.0"),
        ("", "5.0 1.0 3.0"),
        ("", "2,5 .. 1½"),
        ("XXS W=3.0 D=1.0 PAB=2.0 FW=2.5", "6.0 1.0 3.5"),
        ("XXS WW=3.0 BD=0.0", "4.0 0.5 1.5"),
        ("BBW  3.0\nBBD  1.0\nBBF  0.5", "7.0 1.5 4.0"),
        ("162  W 2.0    D 1.0    L 0.5    P 1.0", "4.0 1.5 3.0"),
        ("162  W 1.0    D 0.5    A 0.2", "2.5 0.7 1.7"),
        ("XXA    1  1.0  1.0  0.5", "3.5 0.5 1.5"),
        ("250        1.0   1   2    1    1", "3.5 0.5 1.5"),
        ("240 F   4    2", "2.5 1.5 1.5"),
        ("299 anything", "9.0 9.0 9.0"),
        (f"XXA    1  {'9' * 400}.0", "2.5 0.5 1.5"),
    ],
)
def test_points_in_the_system_of_the_file_are_accepted(system: str, points: str) -> None:
    read = read_report((f"{system}\n" + SCORED.format(*(f"{one:>4}" for one in points.split()))).encode())
    assert [*map(str, read.contradictions)] == []


@pytest.mark.parametrize(
    ("system", "points", "wrong"),
    [
        ("012 Club", "2.5 1.5 1.5", [WRONG.format(3, 2, 1.5, 0.5)]),
        ("012 Club", "2.5 0.5 0.0", [WRONG.format(4, 3, 0, 1.5)]),
        ("BBW  1.0", "3.5 0.5 2.5", [WRONG.format(2, 1, 3.5, 2.5), WRONG.format(4, 3, 2.5, 1.5)]),
        ("XXS W=3.0 D=1.0", "2.5 1.0 4.0", [WRONG.format(2, 1, 2.5, 5)]),
    ],
)
def test_points_that_contradict_the_results_are_reported(system: str, points: str, wrong: list[str]) -> None:
    read = read_report((f"{system}\n" + SCORED.format(*(f"{one:>4}" for one in points.split()))).encode())
    assert [*map(str, read.contradictions)] == wrong


def test_points_may_lack_a_bye_of_the_last_round() -> None:
    byes = SCORED.replace("     3 w -", "  0000 - H").replace("     2 b +", "          ")
    for points in ((" 2.5", " 1.0", " 0.5"), (" 1.5", " 0.5", " 0.5")):
        assert read_report(byes.format(*points).encode()).contradictions == ()


def test_crosstable_command_warns_of_contradicting_points(tmp_path: Path) -> None:
    file = tmp_path / "club.trf"
    file.write_text(SCORED.format(" 2.5", " 1.5", " 1.5"))
    shown = CliRunner().invoke(main, ["crosstable", str(file)])
    assert shown.exit_code == 0
    assert shown.stderr.splitlines() == [f"Points in {WRONG.format(2, 2, 1.5, 0.5)}."]
    as_json = json.loads(CliRunner().invoke(main, ["crosstable", "--json", str(file)]).stdout)
    assert as_json["contradictions"] == [WRONG.format(2, 2, 1.5, 0.5)]


def test_crosstable_command_prints_the_standings(tmp_path: Path) -> None:
    file = tmp_path / "club.trf"
    file.write_text(CLUB)
    shown = CliRunner().invoke(main, ["crosstable", str(file)])
    assert (shown.exit_code, shown.output.splitlines()[:2]) == (
        0,
        ["Club evening, 3 rounds", f"   1. {'Ann':<33}    5"],
    )
    items = json.loads(CliRunner().invoke(main, ["crosstable", "--json", str(file)]).output)["items"]
    assert [(item["place"], item["name"]) for item in items] == [(1, "Ann"), (2, "Ben"), (3, "Cid"), (4, "Dora")]
    assert "without a result" not in shown.output
    file.write_bytes(TWO.format("2 w", "1 b").replace("Ann", "Änn").encode("latin-1"))
    guessed = CliRunner().invoke(main, ["crosstable", str(file)])
    assert "1. Änn" in guessed.stdout
    assert "Tables without a result: 1." in guessed.stdout
    assert "read as windows-1252" in guessed.stderr
    told = json.loads(CliRunner().invoke(main, ["crosstable", "--json", str(file)]).stdout)
    assert (told["encoding"], told["unplayed"]) == ("windows-1252", 1)
    file.write_text("nothing")
    refused = CliRunner().invoke(main, ["crosstable", str(file)])
    assert (refused.exit_code, "no line 001" in refused.output) == (1, True)


# --- Other programs -----------------------------------------------------------------------------------------


def exports() -> list[tuple[str, bool]]:
    """Yield reports from before the first round to the end, with whether another round follows."""
    files = [(text(lived(plan)), False) for plan in PLANS] + [(text(unbeaten()), False)]
    for entrants in (7, 8):
        one = Evening(TournamentPlan("swiss", 2, 2, rounds=4)).begun(entrants)
        rng = Random(entrants)
        while not one.state.ended:
            files.append((text(one), True))
            now = one.state.round
            while one.state.round == now and not one.state.ended:
                table = one.waiting()[0]
                if rng.random() < 0.2:
                    one.told(RuleTable(ORGANISER, table, rng.choice([(1, 2), (2, 2), (1, 1)]), "It was ruled."))
                else:
                    one.finish(table, rng.choice([(1, 2), (2, 1), (1, 1), (2, 2)]))
        files.append((text(one), False))
    return files


def test_bbp_pairings_accepts_the_report_and_pairs_the_next_round() -> None:
    files = exports()
    rounds = [check_accepted(file, pairs_next=goes_on) for file, goes_on in files]
    assert [read_report(file.encode()).contradictions for file, _ in files] == [()] * len(files)
    assert max(rounds) == 36
    assert {n for n, (_, goes_on) in zip(rounds, files, strict=True) if goes_on} == {0, 1, 2, 3}


def test_withdrawn_entrants_are_absent_from_the_next_round() -> None:
    one = Evening(TournamentPlan("swiss", 2, 2, rounds=3)).begun(6)
    one.told(Withdraw(f"player {one.state.tables[0][0]}"))
    gone = next(iter(one.state.left))
    for upto in (1, 2):
        while one.state.round == upto:
            one.finish(one.waiting()[0], (1, 2))
        rounds = {int(line[4:8]): line[89:] for line in text(one).splitlines() if line.startswith("001 ")}
        left = one.state.order.index(gone) + 1
        assert {n: len(row) // trf.WIDTH for n, row in rounds.items()} == {n: upto + (n == left) for n in range(1, 7)}
        assert rounds[left].endswith("  0000 - Z")
        assert check_accepted(text(one), pairs_next=True) == len(read_report(text(one).encode()).rounds) == upto
    one.play(Random(1))
    assert check_accepted(text(one), pairs_next=False) == 3


@pytest.mark.parametrize("left_out", ["BB", "XXR 4\n142 4", "XXC|152"])
def test_bbp_pairings_refuses_a_report_without_its_special_lines(left_out: str) -> None:
    one = Evening(TournamentPlan("swiss", 2, 2, rounds=4)).begun(4)
    if left_out == "BB":
        one.finish(0, (1, 2))
        one.finish(1, (1, 2))
    codes = {"BB": ("BB", "162"), "XXC|152": ("XXC", "152")}.get(left_out, ("XXR", "142"))
    kept = "\n".join(line for line in text(one).splitlines() if not line.startswith(codes))
    with pytest.raises(NotAccepted):
        check_accepted(kept, pairs_next=True)


CHECK = """
import sys
from pathlib import Path
from caissify_pairings.trf import TRFParser
from py4swiss.engines import DutchEngine
from py4swiss.trf import TrfParser

for name in sys.argv[1:]:
    parsed = TrfParser.parse(Path(name))  # points, results, colours and the number of rounds must agree
    players = parsed.player_sections
    other = TRFParser(Path(name).read_text()).parse()["players"]
    assert [p.starting_number for p in players] == [p["starting_number"] for p in other]
    assert [len(p.results) for p in players] == [len(p["results"]) for p in other]
    absent = {p.starting_number for p in players if len(p.results) > min(len(p.results) for p in players)}
    assert [p.points_times_ten for p in players] == [round(10 * p["score"]) for p in other]
    if "-goes-on" in name:
        paired = {n for pair in DutchEngine.generate_pairings(parsed) for n in (pair.white, pair.black)}
        assert paired - {0} == {p.starting_number for p in players} - absent
    print(len(players))
"""


@pytest.mark.long
def test_independent_checkers_accept_the_report_and_pair_the_next_round(tmp_path: Path) -> None:
    files = []
    for n, (file, goes_on) in enumerate(exports()):
        files.append(tmp_path / f"{n}{'-goes-on' * goes_on}.trf")
        files[-1].write_text(file)
    assert len(run_with("py4swiss, caissify_pairings", CHECK, *files).split()) == len(files)
