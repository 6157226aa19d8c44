"""Makes the five changes of CONTRIBUTING in a copy, each in exactly the files listed there."""

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parent.parent
COPIED: Final = ("domain", "events", "workers", "api", "tests")
LEFT: Final = ("__pycache__", "node_modules", "dist", ".venv", "records", "clients", "corpus")

Edit = tuple[str, str]
"""A line, or a part of one, that occurs in a file, and its replacement."""


@dataclass(frozen=True)
class Change:
    """Edits of files, and a program that fails unless they had the intended effect."""

    edits: Mapping[str, tuple[Edit, ...]]
    check: str
    writes: str = ""
    """The module that writes further files, if any."""
    written: frozenset[str] = frozenset()


def after(line: str, added: str) -> Edit:
    """Return the edit that inserts text after a line."""
    return line, f"{line}\n{added}"


OPTION = Change(
    {
        "domain/games/hearts/options.py": (
            after(
                '    """The game ends after the hand in which a seat reaches this total."""',
                '    least_hands: Annotated[int, Range(1, 100), Title("Fewest hands")] = 1\n'
                '    """The game does not end before this hand."""',
            ),
            after("    target: int", "    least_hands: int"),
            after("        target=options.target_score,", "        least_hands=options.least_hands,"),
        ),
        "domain/games/hearts/rules.py": (
            (
                "    if max(s.reached) < s.rules.target or",
                "    is_early = s.hand_no < s.rules.least_hands\n    if is_early or max(s.reached) < s.rules.target or",
            ),
        ),
    },
    """
from domain.games.catalogue import GAMES
from domain.games.hearts.rules import game_ended, start

def ends(hand_no):
    setup = GAMES["hearts"].setup
    s = start(setup.options(**setup.resolve({**vars_of(setup.options()), "least_hands": 3}, 4)), 4, None)
    s.scores = s.reached = (100, 1, 2, 3)
    s.hand_no = hand_no
    return bool(game_ended(s))

from dataclasses import asdict as vars_of
assert [ends(2), ends(3)] == [False, True]
""",
)

GAME_EVENT = Change(
    {
        "domain/games/hearts/events.py": (
            ("@value\nclass TrickTaken:", "@value\nclass QueenTaken:\n    seat: Seat\n\n\n@value\nclass TrickTaken:"),
            after("    | TrickTaken", "    | QueenTaken"),
            after(
                '    TrickTaken: "Seat {winner} took trick {trick_no}: {cards}.",',
                '    QueenTaken: "Seat {seat} took the queen of spades.",',
            ),
        ),
        "domain/games/hearts/rules.py": (
            (
                "        return (events.TrickTaken(played + 1, winner(s.leader, s.trick), s.trick),)",
                (
                    "        taker = winner(s.leader, s.trick)\n"
                    "        queen = (events.QueenTaken(taker),) if QS in s.trick else ()\n"
                    "        return (*queen, events.TrickTaken(played + 1, taker, s.trick))"
                ),
            ),
            ("        case events.CardCut():", "        case events.CardCut() | events.QueenTaken():"),
        ),
    },
    """
from random import Random
from tests.match.table import Table
table = Table(seats=("me", "bot", "bot", "bot"), chosen={"target_score": 1})
table.plays_on(Random(1))
taken = [event for event in table.events if type(event).__name__ == "QueenTaken"]
assert len(taken) == table.kinds().count("HandScored") > 0
assert table.match.game.words.text(taken[0]) == f"Seat {taken[0].seat} took the queen of spades."
""",
)

MATCH_EVENT = Change(
    {
        "domain/match/draws.py": (
            (
                "@value\nclass DrawDeclined:",
                "@value\nclass DrawWithdrawn:\n    seat: Seat\n\n\n@value\nclass DrawDeclined:",
            ),
            (
                "@value\nclass AcceptDraw:",
                '@value\nclass WithdrawDraw:\n    """Take the offer of a draw back."""\n\n\n@value\nclass AcceptDraw:',
            ),
            (
                "def is_offered_draw(",
                (
                    "def has_offered_draw(m: Match, seat: Seat) -> bool:\n"
                    '    """Return whether the seat has offered a draw that is still open."""\n'
                    "    return is_game_on(m) and m.draws.offer == seat\n\n\n"
                    "def is_offered_draw("
                ),
            ),
            (
                "        case DrawDeclined():",
                "        case DrawWithdrawn():\n            draws.offer = None\n        case DrawDeclined():",
            ),
            after(
                '        DrawOffered: "Seat {seat} offered a draw.",',
                '        DrawWithdrawn: "Seat {seat} withdraws the draw.",',
            ),
            after(
                "        AcceptDraw: accept_draw,",
                "        WithdrawDraw: lambda m, seat, c, now: (DrawWithdrawn(seat),),",
            ),
            ('{"offer_draw": OfferDraw,', '{"offer_draw": OfferDraw, "withdraw_draw": WithdrawDraw,'),
            ("{OfferDraw: can_offer_draw,", "{OfferDraw: can_offer_draw, WithdrawDraw: has_offered_draw,"),
            after("        DrawOffered: from_seat(OfferDraw()),", "        DrawWithdrawn: from_seat(WithdrawDraw()),"),
        ),
    },
    """
from domain.match.draws import OfferDraw, WithdrawDraw
from tests.match.table import Table
table = Table("two_handed_hearts", ("me", "bot"))
table.does(0, OfferDraw())
assert table.does(0, WithdrawDraw()) == ["DrawWithdrawn"]
assert table.match.draws.offer is None
assert table.refuses(0, WithdrawDraw()) == "wrong_phase"
""",
)

COLUMN = Change(
    {
        "events/store/records.py": (after("    annulled: str | None = None", "    best_of: int = 1"),),
        "events/service/projections.py": (
            after("        annulled=after.annulled,", "        best_of=after.created.series.best_of,"),
        ),
        "api/resources/match_list_answer.py": (
            (
                "    created_at: Annotated[Timestamp, says(",
                (
                    '    best_of: Annotated[int, says("The most games of the series.")]\n'
                    "    created_at: Annotated[Timestamp, says("
                ),
            ),
            after("        deal_group=row.deal_group,", "        best_of=row.best_of,"),
        ),
    },
    """
client, mine = client_and_token()
body = {"game": "gin_rummy", "seats": [{"kind": "me"}, {"kind": "open"}], "series": {"best_of": 3}}
assert client.post("/v1/matches", json=body, headers=mine).status_code == 201
assert [match["best_of"] for match in client.get("/v1/matches").json["items"]] == [3]
""",
    writes="tests.store.migration_sql",
    written=frozenset(f"events/store/migrations/versions/0001_tables_{name}.sql" for name in ("postgresql", "sqlite")),
)

ENDPOINT = Change(
    {
        "api/resources/motto_routes.py": (
            (
                "",
                '''"""Answers the motto of the server."""

from flask import Response

from api.http.openapi_operations import Answer, Operation, Reply
from api.http.responses import json_answer


class MottoAnswer(Answer):
    motto: str


@Operation(
    tag="service",
    searches=("motto", "slogan"),
    access="public",
    replies={200: Reply("The motto.", MottoAnswer)},
)
def get_motto() -> Response:
    """Get the motto."""
    return json_answer(MottoAnswer("Every deal can be checked."))
''',
            ),
        ),
        "api/route_table.py": (after("ROUTES: Final = (", '    ("GET", "/v1/motto", "motto_routes.get_motto"),'),),
    },
    """
client, _ = client_and_token()
assert client.get("/v1/motto").json == {"motto": "Every deal can be checked."}
from api.http.openapi import describe_api
assert [path for path in describe_api(client.application)["paths"] if path.endswith("/motto")]
""",
)

CHANGES: Final = {
    "A game option": OPTION,
    "A game event": GAME_EVENT,
    "A match event": MATCH_EVENT,
    "A column": COLUMN,
    "An endpoint": ENDPOINT,
}

CLIENT: Final = """
import tempfile
from api.app import create_app
from events.settings import Settings
from events.store.migrate import migrate

def client_and_token():
    url = f"sqlite:///{tempfile.mkdtemp()}/new.sqlite3"
    migrate(url)
    client = create_app(Settings(database_url=url)).test_client()
    token = client.post("/v1/players", json={"name": "Ann"}).json["token"]
    return client, {"Authorization": f"Bearer {token}"}
"""


def listed_changes() -> dict[str, list[str]]:
    """Return the files of each change, as CONTRIBUTING lists them."""
    page = (ROOT / "CONTRIBUTING.md").read_text()
    rows = re.findall(r"^\| ((?:A|An) [a-z ]+) \| (.*) \|$", page, re.MULTILINE)
    return {name: re.findall(r"`([^`]+)`", files) for name, files in rows}


@pytest.mark.long
@pytest.mark.parametrize("name", CHANGES)
def test_change_touches_the_files_that_contributing_lists(name: str, tmp_path: Path) -> None:
    change = CHANGES[name]
    copy_product(tmp_path)
    before = contents(tmp_path)
    for file, edits in change.edits.items():
        edit_file(tmp_path / file, edits)
    if change.writes:
        run(tmp_path, "-m", change.writes)
    touched = {file for file, text in contents(tmp_path).items() if before.get(file) != text}
    assert touched == {*change.edits, *change.written}
    assert sorted(touched) == sorted(listed_changes()[name])
    run(tmp_path, "-c", CLIENT + change.check)


def test_contributing_lists_five_changes() -> None:
    most = {"A game option": 2, "A game event": 3, "A match event": 3, "A column": 5, "An endpoint": 5}
    listed = listed_changes()
    assert listed.keys() == most.keys()
    assert [name for name, files in listed.items() if len(files) > most[name]] == []


def copy_product(folder: Path) -> None:
    for name in COPIED:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns(*LEFT))


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix in (".py", ".sql"))
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def edit_file(path: Path, edits: tuple[Edit, ...]) -> None:
    text = path.read_text() if path.exists() else ""
    for old, new in edits:
        assert old in text, f"{path.name} has no {old!r}"
        text = text.replace(old, new, 1)
    path.write_text(text)


def run(folder: Path, *arguments: str) -> None:
    done = subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
