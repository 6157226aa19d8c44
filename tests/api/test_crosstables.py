"""Tests reading other organisers' tournaments from FIDE's Tournament Report File over HTTP, without storing
anything."""

import pytest

from api.app import create_app
from domain.tournament.tournament_plan import TournamentPlan
from events.settings import Settings
from tests.api.client import Client, code
from tests.api.test_poker_rank import Nowhere
from tests.formats.test_trf import CLUB, TWO, lived, text

PATH = "/v1/tournaments/crosstable"
PLAIN = "text/plain; charset=utf-8"


@pytest.fixture
def stranger():
    return Client(create_app(Settings(dealt_rate_per_second=0), store=Nowhere()))


def reads(client, sent, form=PLAIN):
    return client.send("POST", PATH, data=sent, content_type=form)


def test_tournament_file_is_read_without_token_or_database(stranger):
    answered = reads(stranger, CLUB)
    assert answered.status_code == 200
    assert (answered.json["name"], answered.json["encoding"]) == ("Club evening", "utf-8")
    assert "played on another server" in answered.json["not_verified"]
    assert [(row["place"], row["name"], row["points"]) for row in answered.json["items"]] == [
        (1, "Ann", 5),
        (2, "Ben", 4),
        (3, "Cid", 3),
        (4, "Dora", 0),
    ]
    assert answered.json["rounds"] == [
        {
            "round": 1,
            "tables": [
                {"players": [1, 3], "places": [1, 2], "played": True},
                {"players": [4, 2], "places": [2, 1], "played": False},
            ],
            "byes": [],
        },
        {"round": 2, "tables": [{"players": [2, 1], "places": [1, 1], "played": True}], "byes": [3]},
        {"round": 3, "tables": [{"players": [1, None], "places": [1, 1], "played": True}], "byes": []},
    ]


def test_points_that_contradict_the_results_are_named(stranger):
    assert "Points in" not in reads(stranger, TWO.format("2 w", "1 b")).json["not_verified"]
    answered = reads(stranger, TWO.format("2 w 1", "1 b 0"))
    assert answered.json["not_verified"].endswith(" Points in line 2: player 1 has 0 points, but the results give 1.")


def test_unfinished_round_shows_its_pairings(stranger):
    answered = reads(stranger, TWO.format("2 b", "1 w"))
    assert answered.json["rounds"] == [
        {"round": 1, "tables": [{"players": [2, 1], "places": None, "played": False}], "byes": []}
    ]


def test_guessed_file_encoding_is_reported(stranger):
    answered = reads(stranger, TWO.format("2 w 1", "1 b 0").replace("Ann", "Änn").encode("latin-1"), "text/plain")
    assert (answered.json["encoding"], answered.json["items"][0]["name"]) == ("windows-1252", "Änn")


def test_exported_file_can_be_read_back(stranger):
    one = lived(TournamentPlan("swiss", 2, 2, rounds=4, late=2))
    items = reads(stranger, text(one)).json["items"]
    assert [row["name"] for row in items] == [one.state.players[who] for who in one.state.ranked]


@pytest.mark.parametrize(
    ("was", "becomes", "why"),
    [
        ("3 w 1", "3 w 7", "Line 3: a round is written like"),
        ("3 w 1", "3 w =", "Line 3: in round 1 player 1 has `3 w =`, but player 3 in line 5 has `1 b 0`"),
        ("     1 b 0", "    99 b 0", "Line 3: in round 1 player 1 has `3 w 1`, but player 3 in line 5 has `99 b 0`"),
        ("001    2", "001   ab", "Line 4: the starting number"),
        ("001 ", "002 ", "There is no line 001"),
    ],
)
def test_unreadable_line_is_refused_with_its_number(stranger, was, becomes, why):
    answered = reads(stranger, CLUB.replace(was, becomes))
    assert code(answered) == (422, "bad_arguments")
    assert why in answered.json["errors"]["_schema"][0]


def test_report_must_be_text_within_the_size_limit(stranger):
    assert code(reads(stranger, CLUB, "application/json")) == (415, "unsupported_media_type")
    assert reads(stranger, CLUB + "\n" * 700_000).json["items"]  # a thousand players have 60 rounds
    assert code(reads(stranger, CLUB + "\n" * 800_000)) == (413, "content_too_large")
    assert code(reads(stranger, b"\xff\x00" * 100)) == (422, "bad_arguments")
