"""What docs/proof.md says can be computed again from the page itself.

Its tables, and those of each game's page, are the code's.
"""

import hmac
import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from domain.core.cards import NAMES, PACK
from domain.core.event_versions import adds, later_versions
from domain.core.fairness import chain as links
from domain.core.fairness import draw_below, shuffle_items, words
from domain.core.game import AnyGame
from domain.core.types import fields_of, key
from domain.core.visibility import Secrecy, seat_field, secret_fields
from domain.games.catalogue import BUILT_IN, folder_of
from domain.games.trio.options import PACK as TRIO_PACK
from domain.match import events as match_events
from domain.match.creation import Common
from domain.tournament import tournament_events
from events import proof
from events.log.codec import canonical
from events.log.seals import digest, seal, seal_key
from events.proof import record

PAGE = (Path(__file__).parents[2] / "docs" / "proof.md").read_text()

READERS = {
    Secrecy.OWN: "the seat in `seat`",
    Secrecy.EACH: "each seat, its own value",
    Secrecy.NOBODY: "`table`",
    Secrecy.FADING: "each seat and `spectators`, the same value",
}


def read(page: Path) -> str:
    """Read a page, empty where it is missing: a test of the games' folders names it then."""
    return page.read_text() if page.is_file() else ""


PAGES = {game.name: read(folder_of(game) / "proof.md") for game in BUILT_IN}
GAMES = pytest.mark.parametrize("game", BUILT_IN, ids=PAGES)


def text(name: str) -> str:
    """Give the block of the page with this name."""
    (found,) = re.findall(rf"^```json {name}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return str(found)


def vector(name: str) -> Any:
    return json.loads(text(name))


RECORD = vector("record")


def test_the_links_are_hashed_from_the_root():
    said = vector("links")
    root = bytes.fromhex(said[-1])
    assert root == bytes(range(32))
    assert [s.hex() for s in links(root, 4)] == said


@pytest.mark.parametrize("said", vector("shuffles"), ids=lambda said: said["name"])
def test_the_shuffles_follow_from_their_links(said):
    key = hmac.digest(bytes.fromhex(vector("links")[said["link"]]), said["context"].encode(), "sha256")
    assert key.hex() == said["key"]
    assert hmac.digest(key, bytes(4), "sha256").hex() == said["block0"]
    stream = words(key)
    match said:
        case {"shuffle": "pack"}:
            gives = [NAMES[c] for c in shuffle_items(stream, PACK)]
        case {"shuffle": "trio"}:
            gives = [str(number) for number in shuffle_items(stream, TRIO_PACK)]
        case _:
            gives = [str(draw_below(stream, said["below"])) for _ in range(12)]
    assert " ".join(gives) == said["gives"]


def test_the_chain_begins_as_it_says():
    before = "0" * 64
    for item, said in zip(RECORD["events"], vector("chain"), strict=False):
        envelope = json.loads(said["canonical"])
        assert canonical(envelope).decode() == said["canonical"]
        assert envelope == {name: item[name] for name in envelope if name != "match"} | {"match": "m-1"}
        assert sha256((before + said["canonical"]).encode()).hexdigest() == said["digest"] == item["digest"]
        before = digest(before, envelope)
        assert before == said["digest"]


def test_the_seal_is_made_as_it_says():
    said = vector("seal")
    hand_key = hmac.digest(bytes.fromhex(said["seal_secret"]), f"hand|{said['hand']}".encode(), "sha256")
    assert hand_key.hex() == said["hand_key"]
    message = json.loads(said["message"])
    assert said["key_message"] == f"seal|{message['seq']}|{message['field']}|{message['reader']}"
    key = seal_key(hand_key, message["seq"], message["field"], message["reader"])
    assert key.hex() == said["key"]
    assert hmac.digest(key, said["message"].encode(), "sha256").hex() == said["seal"]
    assert seal(key, message["seq"], message["field"], message["reader"], message["value"]) == said["seal"]
    item = RECORD["events"][message["seq"] - 1]
    assert item["seals"][message["field"]][message["reader"]] == said["seal"]
    assert item["unseal"][message["field"]][message["reader"]] == said["key"]


def test_the_record_is_a_good_one():
    read = record.read_record(text("record").encode())
    report = proof.verify_match(read.match.id, record.facts(read), record.claims(read))
    assert [(check.name, check.ok, check.skipped) for check in report.checks] == [
        *((name, True, False) for name in ("chain", "seals", "shuffles", "rules", "result", "moves")),
        ("signatures", True, True),
    ]


def seals(page: str) -> list[tuple[str, ...]]:
    """Give the table of seals of a page: event, field, readers."""
    return re.findall(r"^\| `(\w+)` \| `(\w+)` \| (.+) \|$", page, re.MULTILINE)


def listed(page: str, heading: str) -> list[str]:
    """Give the names that a page lists below a heading."""
    (said,) = re.findall(rf"^## {heading}$[^`]*^(`\w+`(?:, `\w+`)+)$", page, re.MULTILINE)
    return re.findall(r"\w+", said)


def types(page: str) -> list[str]:
    """Give the types of events that a page lists."""
    return listed(page, "Types of events")


def readers(event: type, mark: Secrecy) -> str:
    """Say who reads a secret field, as a page says it."""
    return READERS[mark].replace("`seat`", f"`{seat_field(event)}`")


def sealed(classes: tuple[type, ...]) -> list[tuple[str, ...]]:
    """Give the seals of the code."""
    return [
        (event.__name__, name.rstrip("_"), readers(event, mark))
        for event in classes
        for name, mark in secret_fields(event).items()
    ]


def test_the_page_has_the_seals_and_the_types_of_every_match():
    assert seals(PAGE) == sealed(match_events.EVENTS)
    assert types(PAGE) == [event.__name__ for event in match_events.EVENTS]


@GAMES
def test_a_games_page_has_its_seals_and_its_types(game: AnyGame):
    page = PAGES[game.name]
    assert seals(page) == sealed(game.events)
    assert types(page) == [event.__name__ for event in game.events]


def versions(page: str) -> list[tuple[str, int, str, Any]]:
    """Give the table of later versions of a page: event, version, field, value of earlier events."""
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| `(\w+)` \| `(.+)` \|$", page, re.MULTILINE)
    return [(event, int(v), field, json.loads(before)) for event, v, field, before in rows]


def added(classes: tuple[type, ...]) -> list[tuple[str, int, str, Any]]:
    """Give what later versions of events added, as the code declares it."""
    return [
        (event.__name__, v, key(name), before)
        for event in classes
        for v, fields in enumerate(later_versions(event), 2)
        for name, before in fields.items()
    ]


@adds({"by": None}, {"late": 0})
class Rung:
    """A synthetic event of version 3."""


def test_row_of_the_table_of_versions_is_read_as_the_code_declares_it():
    page = "| `Rung` | 2 | `by` | `null` |\n| `Rung` | 3 | `late` | `0` |\n"
    assert versions(page) == added((Rung,)) == [("Rung", 2, "by", None), ("Rung", 3, "late", 0)]


def test_the_page_has_the_later_versions_of_events_of_matches_and_tournaments():
    assert versions(PAGE) == added((*match_events.EVENTS, *tournament_events.EVENTS))


@GAMES
def test_a_games_page_has_the_later_versions_of_its_events(game: AnyGame):
    assert versions(PAGES[game.name]) == added(game.events)


def test_the_page_has_the_options_of_every_match():
    assert listed(PAGE, "Options") == [key(name) for name in fields_of(Common)]


@GAMES
def test_a_games_page_has_its_options(game: AnyGame):
    assert listed(PAGES[game.name], "Options") == [key(name) for name in fields_of(game.setup.options)]


@GAMES
def test_a_games_page_says_by_how_many_it_is_played_and_when_its_hands_are_opened(game: AnyGame):
    seats = "–".join(str(n) for n in dict.fromkeys((game.setup.seats[0], game.setup.seats[-1])))
    said = f"Seats: {seats}. If `fairness_reveal` is null, `{game.setup.reveal}` applies."
    assert said in " ".join(PAGES[game.name].split())


@GAMES
def test_a_games_page_names_what_begins_and_ends_its_games_and_hands(game: AnyGame):
    names = game.lifecycle
    own = (names.game_starts.__name__, names.game_ends.__name__, names.hand_starts.__name__, names.hand_no)
    usual = ("GameStarted", "GameEnded", "HandStarted", "hand_no")
    page = " ".join(PAGES[game.name].split())
    for name, instead_of in zip(own, usual, strict=True):
        assert name == instead_of or f"`{name}` is its `{instead_of}`" in page
