"""Tournaments in FIDE's Tournament Report File: what is written is what was played, and other programs accept it."""

import json
import subprocess
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from api.cli.main import main
from domain.tournament.played_rounds import BOT, PlayedRound, TableResult
from domain.tournament.tournament_commands import CloseEntries, Enter, RuleTable, Withdraw
from domain.tournament.tournament_plan import TournamentPlan
from events.formats import trf
from events.service.tournament_rounds import ranking
from tests.draws import draws
from tests.tournament.evenings import ORGANISER, Evening

CHECKERS = Path(__file__).parents[1] / "clients" / ".venv" / "bin" / "python"
"""An interpreter that has the checkers, which `.ci/run` installs."""

PLANS = [
    TournamentPlan("swiss", 2, 2, rounds=4, late=2),
    TournamentPlan("swiss", 2, 2, rounds=5, fill="bots"),
    TournamentPlan("round_robin", 2, 2, most=8),
    TournamentPlan("league", 2, 2, legs=2, most=8),
]


def lived(plan: TournamentPlan, entrants: int = 7) -> Evening:
    """A tournament with everything that a file has a sign for: byes, forfeits, draws, who leaves and who comes late."""
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
    return trf.written(one.state, names(one), "2026-11-23")


# --- Writing ------------------------------------------------------------------------------------------------


def test_a_line_has_its_columns_where_the_format_has_them() -> None:
    one = Evening(TournamentPlan("swiss", 2, 2, rounds=1))
    for name in ("Ann", "Ben", "Zoë\nthe\x1b[1m long " + "n" * 40):
        one.told(Enter(name))
    one.told(CloseEntries(ORGANISER))
    one.finish(0, (1, 2))
    lines = text(one).splitlines()
    assert lines[:6] == [
        "012 Evening",
        "042 2026/11/23",
        "062 3",
        "092 Individual: swiss",
        "XXR 1",
        "XXS W=3.0 D=1.0 L=0.0 FW=3.0 FL=0.0 PAB=3.0 FPB=3.0 HPB=1.0 ZPB=0.0",
    ]
    players = lines[6:]
    assert [line[:8] for line in players] == ["001    1", "001    2", "001    3"]
    assert sorted(line[14:47].strip() for line in players) == ["Ann", "Ben", "Zoë the [1m long nnnnnnnnnnnnnnnn"]
    assert sorted(line[80:84] for line in players) == [" 0.0", " 3.0", " 3.0"]
    assert sorted(line[85:89] for line in players) == ["   1", "   2", "   3"]
    rounds = {line[:8]: line[91:] for line in players}
    assert sorted(line[5:] for line in rounds.values()) == ["- U", "b 0", "w 1"]


def unbeaten() -> Evening:
    """A league of 36 rounds in which the lower number wins."""
    one = Evening(TournamentPlan("league", 2, 2, legs=4, most=10))
    one.begun(10)
    while not one.state.ended:
        table = one.waiting()[0]
        white, black = one.state.tables[table]
        one.finish(table, (1, 2) if white < black else (2, 1))
    return one


def test_points_for_which_there_are_no_columns_are_written_as_tenths() -> None:
    one = unbeaten()
    lines = text(one).splitlines()
    assert lines[5] == "XXS W=0.3 D=0.1 L=0.0 FW=0.3 FL=0.0 PAB=0.3 FPB=0.3 HPB=0.1 ZPB=0.0"
    best = next(line for line in lines[6:] if "player 0" in line)
    assert (best[80:84], best[85:89], len(best)) == ("10.8", "   1", 91 + 36 * trf.WIDTH - 2)
    assert trf.read(text(one).encode()).standings()[0].points == 108


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: f"{plan.format} {plan.fill}")
def test_what_is_written_is_read_as_it_was_played(plan: TournamentPlan) -> None:
    one = lived(plan)
    t, read = one.state, trf.read(text(one).encode())
    number = {who: n for n, who in enumerate(t.order, 1)}
    assert read.name == t.name
    assert read.players == {number[who]: t.players[who] for who in t.order}
    ours = {number[row.entrant]: (row.points, row.byes) for _, row in ranking(t)}
    if plan.fill == "bye":  # a bot is no player there, and its table becomes a bye
        assert {row.entrant: (row.points, row.byes) for row in read.standings()} == ours
        assert [row.entrant for row in read.standings()] == [number[who] for who in t.ranked]
    assert {row.entrant: row.points for row in read.standings()} == {who: points for who, (points, _) in ours.items()}


def test_a_league_is_written_as_its_table_counts_and_who_is_left_out_comes_last() -> None:
    one = Evening(TournamentPlan("league", 2, 2, most=8)).begun(4)
    one.told(Withdraw("player 0"))
    one.play(Random(3))
    number = {who: n for n, who in enumerate(one.state.order, 1)}
    ours = [(number[row.entrant], place, row.points) for place, row in ranking(one.state)]
    lines = {int(line[4:8]): line for line in text(one).splitlines() if line.startswith("001 ")}
    assert [(n, int(lines[n][85:89]), float(lines[n][80:84])) for n, _, _ in ours] == ours
    assert [(row.entrant, row.place, row.points) for row in trf.read(text(one).encode()).standings()] == ours
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
def test_what_the_format_cannot_say_is_not_written(plan: TournamentPlan) -> None:
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
"""A file as other programs write it: titles, ratings, rounds left out at the end."""


def test_a_file_of_another_program_is_a_crosstable_with_standings_by_our_rules() -> None:
    read = trf.read(CLUB.encode())
    assert read.players == {1: "Ann", 2: "Ben", 3: "Cid", 4: "Dora"}
    assert read.rounds == (
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


def test_signs_of_older_files_and_a_mark_of_the_encoding_are_read_as_well() -> None:
    old = CLUB.replace("0000 - U", "0000 - +").replace("0000 - H", "0000 - =").replace("0000 - Z", "0000 - -")
    for sent in (old, "\ufeff" + CLUB, "\ufeff" + CLUB[CLUB.index("001") :]):
        assert trf.read(sent.encode()).rounds == trf.read(CLUB.encode()).rounds


def test_both_may_have_lost_the_game_that_they_played() -> None:
    read = trf.read(CLUB.replace("3 w 1", "3 w 0").encode())
    assert read.rounds[0].tables[0] == TableResult((1, 3), (2, 2), (0, 0), 1, 0)
    assert {row.entrant: row.points for row in read.standings()} == {1: 2, 2: 4, 3: 3, 4: 0}


@pytest.mark.parametrize(
    ("was", "becomes", "why"),
    [
        ("3 w 1", "3 w =", "Line 3: in round 1 it does not fit"),
        ("3 w 1", "3 b 1", "Line 3: in round 1 it does not fit"),
        ("3 w 1", "1 w 1", "Line 3: in round 1 it does not fit"),
        ("3 w 1", "9 w 1", "Line 3: in round 1 it does not fit"),
        ("3 w 1", "3 x 1", "Line 3: a round is written"),
        ("3 w 1", "3 w 7", "Line 3: a round is written"),
        ("001    2", "001    1", "Line 4: a starting number stands twice"),
        ("001    2", "001    0", "Line 4: the starting number"),
        ("001    2", "001   ab", "Line 4: the starting number"),
        ("001 ", "002 ", "no line 001"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_line(was: str, becomes: str, why: str) -> None:
    with pytest.raises(trf.NotTrf, match=why):
        trf.read(CLUB.replace(was, becomes, -1 if was == "001 " else 1).encode())


def test_nobody_can_send_too_much() -> None:
    for sent in (b"0" * (trf.MOST_BYTES + 1), CLUB.replace("    2 b =", "    2 b =" * 200).encode(), b"\xff" * 100):
        with pytest.raises(trf.NotTrf):
            trf.read(sent)


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
"""What may be read as a digit, a space or the end of a line, or is wider than its column."""


def test_whatever_a_file_holds_it_is_read_or_refused_with_a_sentence() -> None:
    rng, refusals = Random(20261126), list[str]()
    tries = draws(600)
    for _ in range(tries):
        text = CLUB
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(text))
            kept = text[at + rng.choice((0, 1, 10, 100)) :]
            text = text[:at] + rng.choice([*STRANGE, text[at : at + 20], rng.choice("019=+-wbHUFZ ")]) + kept
        try:
            trf.read(text.encode("utf-8", errors="surrogateescape")).standings()
        except trf.NotTrf as refused:
            refusals.append(str(refused))
    assert 0 < len(refusals) < tries
    assert [why for why in refusals if not (why.isprintable() and why.endswith("."))] == []


def test_a_command_shows_the_standings(tmp_path: Path) -> None:
    file = tmp_path / "club.trf"
    file.write_text(CLUB)
    shown = CliRunner().invoke(main, ["crosstable", str(file)])
    assert (shown.exit_code, shown.output.splitlines()[:2]) == (
        0,
        ["Club evening, 3 rounds", f"   1. {'Ann':<33}    5"],
    )
    items = json.loads(CliRunner().invoke(main, ["crosstable", "--json", str(file)]).output)["items"]
    assert [(item["place"], item["name"]) for item in items] == [(1, "Ann"), (2, "Ben"), (3, "Cid"), (4, "Dora")]
    file.write_text("nothing")
    refused = CliRunner().invoke(main, ["crosstable", str(file)])
    assert (refused.exit_code, "no line 001" in refused.output) == (1, True)


# --- Other programs -----------------------------------------------------------------------------------------

CHECK = """
import sys
from pathlib import Path
from caissify_pairings.trf import TRFParser
from py4swiss.trf import TrfParser

for name in sys.argv[1:]:
    players = TrfParser.parse(Path(name), strict=True).player_sections  # points, results and colours must agree
    other = TRFParser(Path(name).read_text()).parse()["players"]
    assert [p.starting_number for p in players] == [p["starting_number"] for p in other]
    assert [len(p.results) for p in players] == [len(p["results"]) for p in other]
    assert [p.points_times_ten for p in players] == [round(10 * p["score"]) for p in other]
    print(len(players))
"""


@pytest.mark.long
def test_independent_checkers_accept_what_is_written(tmp_path: Path) -> None:
    if (
        not CHECKERS.exists()
        or subprocess.run([CHECKERS, "-c", "import py4swiss, caissify_pairings"], check=False).returncode
    ):
        pytest.skip("py4swiss is not installed: .ci/run does it")
    files, entrants = [], 7
    for n, plan in enumerate(PLANS):
        files.append(tmp_path / f"{n}.trf")
        files[-1].write_text(text(lived(plan, entrants)))
    files.append(tmp_path / "tenths.trf")
    files[-1].write_text(text(unbeaten()))
    done = subprocess.run([CHECKERS, "-c", CHECK, *files], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split() == [*(str(entrants + bool(plan.late)) for plan in PLANS), "10"]
