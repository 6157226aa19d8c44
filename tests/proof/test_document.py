"""Tests that the values in docs/proof.md can be computed from the page itself, and that its tables and those of each
game's page match the code."""

import hmac
import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from domain.core.cards import NAMES, PACK
from domain.core.event_versions import adds, later_versions
from domain.core.fairness import NONCE, draw_below, is_guessable, shuffle_items, words
from domain.core.fairness import chain as links
from domain.core.game import AnyGame
from domain.core.types import fields_of, key
from domain.core.visibility import Secrecy, seat_field, secret_fields
from domain.games.catalogue import BUILT_IN, folder_of
from domain.games.trio.options import PACK as TRIO_PACK
from domain.match import match_parts
from domain.match.creation import Common
from domain.tournament import tournament_events
from events import proof
from events.log.codec import canonical
from events.log.seals import digest, seal, seal_key
from events.proof import record

PROJECT = Path(__file__).parents[2]
PAGE = (PROJECT / "docs" / "proof.md").read_text()

READERS = {
    Secrecy.OWN: "the seat in `seat`",
    Secrecy.EACH: "each seat, its own value",
    Secrecy.NOBODY: "`table`",
    Secrecy.FADING: "each seat and `spectators`, the same value",
}


def read(page: Path) -> str:
    """Return the text of a page, or an empty text if it is missing, which a test of the games' folders reports."""
    return page.read_text() if page.is_file() else ""


PAGES = {game.name: read(folder_of(game) / "proof.md") for game in BUILT_IN}
GAMES = pytest.mark.parametrize("game", BUILT_IN, ids=PAGES)


def text(name: str) -> str:
    """Return the block with this name on the page."""
    (found,) = re.findall(rf"^```json {name}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return str(found)


def vector(name: str) -> Any:
    return json.loads(text(name))


RECORD = vector("record")


def test_documented_links_are_hashed_from_the_root():
    said = vector("links")
    root = bytes.fromhex(said[-1])
    assert root == bytes(range(32))
    assert [s.hex() for s in links(root, 4)] == said


@pytest.mark.parametrize("said", vector("shuffles"), ids=lambda said: said["name"])
def test_documented_shuffles_follow_from_their_seeds(said):
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


def test_documented_chain_begins_as_specified():
    before = "0" * 64
    for item, said in zip(RECORD["events"], vector("chain"), strict=False):
        envelope = json.loads(said["canonical"])
        assert canonical(envelope).decode() == said["canonical"]
        assert envelope == {name: item[name] for name in envelope if name != "match"} | {"match": "m-1"}
        assert sha256((before + said["canonical"]).encode()).hexdigest() == said["digest"] == item["digest"]
        before = digest(before, envelope)
        assert before == said["digest"]


def test_documented_seal_is_made_as_specified():
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


def test_documented_record_verifies():
    read = record.read_record(text("record").encode())
    report = proof.verify_match(read.match.id, record.facts(read), record.claims(read))
    assert [(check.name, check.ok, check.skipped) for check in report.checks] == [
        *((name, True, False) for name in ("chain", "seals", "shuffles", "rules", "result", "moves")),
        ("signatures", True, True),
    ]


def seals(page: str) -> list[tuple[str, ...]]:
    """Return a page's table of seals: event, field, readers."""
    return re.findall(r"^\| `(\w+)` \| `(\w+)` \| (.+) \|$", page, re.MULTILINE)


def listed(page: str, heading: str) -> list[str]:
    """Return the names that a page lists below a heading."""
    (said,) = re.findall(rf"^## {heading}$[^`]*^(`\w+`(?:, `\w+`)+)$", page, re.MULTILINE)
    return re.findall(r"\w+", said)


def types(page: str) -> dict[str, list[str]]:
    """Return the event types that a page lists, each with its fields."""
    (_, said) = page.split("\n## Types of events\n")
    rows = re.findall(r"`([A-Z]\w+)\{([\w, ]*)\}`", said)
    return {name: re.findall(r"\w+", fields) for name, fields in rows}


def declared(classes: tuple[type, ...]) -> dict[str, list[str]]:
    """Return the event types of the code, each with its fields."""
    return {event.__name__: [key(name) for name in fields_of(event)] for event in classes}


def readers(event: type, mark: Secrecy) -> str:
    """Return the readers of a secret field, in the words of the page."""
    return READERS[mark].replace("`seat`", f"`{seat_field(event)}`")


def sealed(classes: tuple[type, ...]) -> list[tuple[str, ...]]:
    """Return the seals of the code."""
    return [
        (event.__name__, name.rstrip("_"), readers(event, mark))
        for event in classes
        for name, mark in secret_fields(event).items()
    ]


def test_proof_page_lists_the_seals_and_event_types_of_every_match():
    assert seals(PAGE) == sealed(match_parts.EVENTS)
    assert types(PAGE) == declared(match_parts.EVENTS)


@GAMES
def test_proof_page_of_a_game_lists_its_seals_and_event_types(game: AnyGame):
    page = PAGES[game.name]
    assert seals(page) == sealed(game.events)
    assert types(page) == declared(game.events)


def versions(page: str) -> list[tuple[str, int, str, Any]]:
    """Return a page's table of later versions: event, version, field, value in earlier events."""
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| `(\w+)` \| `(.+)` \|$", page, re.MULTILINE)
    return [(event, int(v), field, json.loads(before)) for event, v, field, before in rows]


def added(classes: tuple[type, ...]) -> list[tuple[str, int, str, Any]]:
    """Return what later versions of events added, as the code declares it."""
    return [
        (event.__name__, v, key(name), before)
        for event in classes
        for v, fields in enumerate(later_versions(event), 2)
        for name, before in fields.items()
    ]


@adds({"by": None}, {"late": 0})
class Rung:
    """A synthetic event of version 3."""


def test_table_of_event_versions_matches_the_code():
    page = "| `Rung` | 2 | `by` | `null` |\n| `Rung` | 3 | `late` | `0` |\n"
    assert versions(page) == added((Rung,)) == [("Rung", 2, "by", None), ("Rung", 3, "late", 0)]


def test_proof_page_lists_later_event_versions_of_matches_and_tournaments():
    assert versions(PAGE) == added((*match_parts.EVENTS, *tournament_events.EVENTS))


@GAMES
def test_proof_page_of_a_game_lists_later_event_versions(game: AnyGame):
    assert versions(PAGES[game.name]) == added(game.events)


def test_proof_page_lists_the_options_of_every_match():
    assert listed(PAGE, "Options") == [key(name) for name in fields_of(Common)]


@GAMES
def test_proof_page_of_a_game_lists_its_options(game: AnyGame):
    assert listed(PAGES[game.name], "Options") == [key(name) for name in fields_of(game.setup.options)]


@GAMES
def test_proof_page_of_a_game_has_its_seats_and_disclosure(game: AnyGame):
    seats = "–".join(str(n) for n in dict.fromkeys((game.setup.seats[0], game.setup.seats[-1])))
    said = f"Seats: {seats}. If `fairness_reveal` is null, `{game.setup.reveal}` applies."
    assert said in " ".join(PAGES[game.name].split())


@GAMES
def test_proof_page_of_a_game_names_its_lifecycle_events(game: AnyGame):
    names = game.lifecycle
    own = (names.game_starts.__name__, names.game_ends.__name__, names.hand_starts.__name__, names.hand_no)
    usual = ("GameStarted", "GameEnded", "HandStarted", "hand_no")
    page = " ".join(PAGES[game.name].split())
    for name, instead_of in zip(own, usual, strict=True):
        assert name == instead_of or f"`{name}` is its `{instead_of}`" in page


GUIDES = [path for folder in ("docs", "domain") for path in (PROJECT / folder).rglob("*.md")] + [PROJECT / "README.md"]


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: str(path.relative_to(PROJECT)))
def test_guide_shows_no_acceptable_nonce(guide: Path):
    """A nonce copied from a guide is known to the server before it commits to its seeds."""
    shown = re.findall(r'"nonces?": ?(?:"|\[)[^\]}]*|ct1\|[^"`]*', guide.read_text())
    assert [nonce for found in shown for nonce in NONCE.findall(found) if not is_guessable(nonce)] == []


def test_example_record_contains_no_nonce():
    assert {nonce for epoch in RECORD["fairness"]["epochs"] for nonce in epoch["nonces"]} == {""}
