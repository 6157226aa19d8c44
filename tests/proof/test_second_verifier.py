"""Tests that a second verifier, in another language and written only from docs/proof.md, agrees with ours.

It is the one that the page runs in a browser. Here Node runs it, on the games that have their part of it, `verify.mjs`,
in their folders.
"""

import json
import subprocess
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from itertools import count, cycle
from random import Random
from tempfile import TemporaryFile
from typing import Any
from unittest.mock import patch

import pytest

from domain import match as life
from domain.core.clock import Time
from domain.core.event_versions import later_versions
from domain.core.type_schema import of_record
from domain.core.types import fields_of, key
from domain.games.catalogue import BUILT_IN, folder_of
from domain.games.crazy_eights.events import DrawCard, PassTurn, PlayCard
from domain.games.hearts.options import CODES
from domain.match import match_parts
from domain.match.creation import Common
from domain.match.resignations import Resign
from domain.match.seating import Sit
from domain.tournament import tournament_events
from events import proof
from events.errors import NotFound
from events.log.codec import shapes
from events.proof import record
from events.proof.epochs import fairness
from events.proof.findings import Evidence
from events.proof.signed_heads import KnownKey
from events.proof.verifier import TOO_MUCH, Unverifiable, verify_file
from events.service.access import Caller
from events.service.views import Seen
from events.store.protocol import Store
from tests import built, recorded
from tests.bound import Matches
from tests.core.test_nonces import GUESSABLE
from tests.draws import draws, first_of, is_thorough
from tests.imported_matches import record_of
from tests.laws.entry import Entry
from tests.laws.games import ENTRIES
from tests.recorded import NONCES, Recorded
from tests.service.whole_matches import CALLERS, WholeMatch
from tests.tampered import (
    PRETENDED,
    changed,
    copied,
    of_each_version,
    places,
    pretend,
    relinked,
    resealed,
    with_option,
    without_option,
)

VERIFIER = built.WEB / "dist/verify.mjs"
"""Return the stand-alone program, built with `node`."""
PARTS = {game.name for game in BUILT_IN if (folder_of(game) / "verify.mjs").is_file()}
COMPARED = [entry for entry in ENTRIES if entry.game.name in PARTS]
REVEALS = ("hand_end", "game_end", "match_end", "never", None)
LONG = 90
BOTH = ("chain", "seals", "shuffles", "result", "moves", "signatures")
SAME_WORDS = ("chain", "seals", "shuffles", "result")


@pytest.fixture(scope="module")
def node() -> str:
    return built.node()


def reports(
    node: str,
    made: list[tuple[Any, Any]],
    keys: Sequence[KnownKey] = (),
    added: Mapping[str, Any] | None = None,
) -> list[Any]:
    """Return the second verifier's reports on records, each with its kept heads.

    `keys` are the trusted servers' keys. Later versions of events have `added` these fields.
    """
    lines = [
        json.dumps({
            "record": b64encode(one if isinstance(one, bytes) else json.dumps(one).encode()).decode(),
            "heads": kept,
            "keys": [{"key": known.key, "until": known.until} for known in keys],
        })
        for one, kept in made
    ]  # fmt: skip
    done = subprocess.run(
        [node, VERIFIER, "--batch", "--added", json.dumps(added or {})],
        input="\n".join(lines).encode(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return [json.loads(line) for line in done.stdout.splitlines()]


def ours(made: Any, kept: Any = ()) -> dict[str, Any]:
    return ours_of(json.dumps(made).encode(), kept)


def ours_of(text: bytes, kept: Any = ()) -> dict[str, Any]:
    try:
        read = record.read_record(text)
    except record.Unreadable as error:
        return {"unreadable": str(error)}
    return asdict(proof.verify_match(read.match.id, record.facts(read), record.claims(read, Evidence(kept))))


def found(report: dict[str, Any]) -> Any:
    """Return the findings in which both verifiers must agree."""
    if "unreadable" in report:
        return "unreadable"
    head = [report[name] for name in ("match", "game", "version", "head", "contributed", "unopened", "unvouched")]
    return head, [(c["name"], c["ok"], c["skipped"], c["seq"]) for c in report["checks"] if c["name"] in BOTH]


def worded(report: dict[str, Any]) -> dict[str, str]:
    """Return the texts of the passed checks that both verifiers describe in the same words.

    They name a fault in their own words: each meets the parts of a record in another order.
    """
    passed = (c for c in report.get("checks", ()) if c["ok"] and not c["skipped"])
    return {c["name"]: c["detail"] for c in passed if c["name"] in SAME_WORDS}


def agree(node: str, made: list[tuple[str, Any, Any]], added: Mapping[str, Any] | None = None) -> list[Any]:
    """Check that both verifiers agree on all of these; return their findings."""
    mine = [ours(one, kept) for _, one, kept in made]
    other = reports(node, [(one, kept) for _, one, kept in made], added=added)
    assert len(mine) == len(other)
    both = [(name, found(a), found(b)) for (name, *_), a, b in zip(made, mine, other, strict=True)]
    assert [one for one in both if one[1] != one[2]] == []
    texts = [(name, worded(a), worded(b)) for (name, *_), a, b in zip(made, mine, other, strict=True)]
    assert [one for one in texts if one[1] != one[2]] == []
    return [found(report) for report in mine]


# --- Nonces -------------------------------------------------------------------------------------------


def test_both_verifiers_count_the_same_nonces(node):
    random = Random(11)
    drawn = [f"{random.getrandbits(64):016x}" for _ in range(20)]
    made = []
    for nonce in (*GUESSABLE, *drawn):
        table = Recorded("hearts", ("me", "open", "bot", "bot"), {})
        table.does(1, Sit("ben", nonce=nonce))
        made.append((nonce, table.record("0"), ()))
    contributed = [report[0][4] for report in agree(node, made)]
    assert [1 in seats for seats in contributed] == [False] * len(GUESSABLE) + [True] * len(drawn)


# --- Records ------------------------------------------------------------------------------------------


class Shown:
    """A match at a moment, as in one reader's record."""

    def __init__(self, name: str, table: "Recorded | Served", reader: str) -> None:
        self.name = f"{name}, {table.match.status}, {reader}"
        self.record = table.record(reader)


def of_game(game: str) -> list[Shown]:
    """Return records of a game in every block of its options: running, from a seat and for spectators, and finished."""
    made = []
    numbers = count()
    with patch("domain.match.match_shuffles.LINKS", 2):  # so that a match has several epochs
        for entry in COMPARED:
            for name, block in entry.blocks.items() if entry.game.name == game else ():
                i = next(numbers)
                made += _shown(f"{name} {i}", _table(game, entry.seats, asdict(block[i % len(block)]), i), i)
    return made


def _table(game: str, seats: int, chosen: dict[str, Any], i: int) -> Recorded:
    """Return a table with one person or two, with and without nonces."""
    chosen = chosen | {"fairness_reveal": REVEALS[i % len(REVEALS)], "on_resign": ("end", "bot")[i % 2]}
    people = ("me", "open") if i % 3 else ("me",)
    best_of = 3 if i % 4 == 1 else 1
    table = Recorded(game, people + ("bot",) * (seats - len(people)), chosen, best_of=best_of, seed=i)
    if len(people) == 2:
        eaten_at = Time(900_000) if game == "trio" else None
        table.does(1, Sit("ben", nonce=NONCES[1] * (1 + i % 4), entry=eaten_at))
    return table


def _shown(name: str, table: Recorded, i: int) -> list[Shown]:
    table.plays_on(until=lambda m: len(table.said) > LONG // 2)
    made = [Shown(name, table, "0")]
    table.plays_on(until=lambda m: len(table.said) > LONG)
    made.append(Shown(name, table, "spectators"))
    if not table.match.over:
        table.does(0, Resign(whole_match=True))
        table.plays_on(until=lambda m: len(table.said) > 2 * LONG)
    made.append(Shown(name, table, ("spectators", "0")[i % 2]))
    return made


def pool() -> Recorded:
    """Return some hands of Hearts in a variant that passes to the dealer."""
    code = next(code for code in CODES if code.startswith("4"))
    table = Recorded("hearts", ("bot",) * 4, {"variant": code, "target_score": 30})
    table.plays_on(until=lambda m: len(m.shuffles.disclosed) == 2)
    return table


def restocked(packs: int) -> Recorded:
    """Return a game of Crazy Eights in which every seat draws before it plays, until the stock has been restocked
    twice.
    """
    chosen = {
        "packs": packs, "restock": True, "draw_limit": 1, "hand_size": (5, 8)[packs - 1], "on_resign": "end",
    }  # fmt: skip
    table = Recorded("crazy_eights", ("me", *["bot"] * (2 + 3 * packs)), chosen, seed=packs)
    while not table.match.over and table.kinds().count("Restocked") < 2:
        (seat,) = life.to_act(table.match)
        choices = {choice.make: choice for choice in table.match.game.legal(table.match.table, seat)}
        move = (choices.get(DrawCard) or choices.get(PlayCard) or choices[PassTurn]).sample(Random(len(table.said)))
        table.does(seat, move, "move" if seat == 0 else "bot")
    table.does(0, Resign())
    table.plays_on()
    return table


def gin(seats: int) -> Recorded:
    """Return three hands of Gin Rummy in two epochs."""
    with patch("domain.match.match_shuffles.LINKS", 2):
        table = Recorded("gin_rummy", ("bot",) * seats, {"stock_floor": 10, "target_score": 1000}, seed=seats)
        table.plays_on(until=lambda m: len(m.shuffles.disclosed) == 3)
    return table


def buried() -> Recorded:
    """Return a game of Crazy Eights in which an eight was turned up as the starter."""
    tables = (Recorded("crazy_eights", ("bot",) * 2, {"target_score": 1}, seed=seed) for seed in count())
    table = next(table for table in tables if "EightBuried" in table.kinds())
    table.plays_on()
    return table


def drawn(game: str, seats: int, **chosen: Any) -> Recorded:
    """Return a match of bots, up to the first disclosed deal."""
    table = Recorded(game, ("bot",) * seats, chosen, seed=seats)
    table.plays_on(until=lambda m: bool(m.shuffles.disclosed))
    return table


DEALS = {
    "pool": pool,
    "restocked": lambda: restocked(1),
    "restocked, two packs": lambda: restocked(2),
    "an eight buried": buried,
    "gin, two": lambda: gin(2),
    "gin, three": lambda: gin(3),
    "gin, four": lambda: gin(4),
    "hearts, random": lambda: drawn("hearts", 4, first_dealer="random", variant="1-1-1-1"),
    "hearts, cut": lambda: drawn("hearts", 4),
    "two-handed": lambda: drawn("two_handed_hearts", 2),
    "seven each": lambda: drawn("crazy_eights", 2, two_player_seven=True),
    "trio, random": lambda: drawn("trio", 5, first_player="random", max_turns=5),
    "trio, teams": lambda: drawn("trio", 6, teams=True, max_turns=5),
}


def eaten() -> Recorded:
    """Return a series of Trio with a pause. A player enters an avocado time, which belongs to no hand."""
    table = Recorded("trio", ("me", "open", "bot"), {"pause_between_hands": True, "max_turns": 12}, best_of=3)
    table.does(1, Sit("ben"))
    table.plays_on(until=life.is_paused)
    table.does(0, Sit("ann", entry=Time(900_000)))
    return table


GAMES = sorted({entry.game.name for entry in COMPARED})


def others() -> list[Shown]:
    """Yield records of other situations in the life of a match."""
    made = [Shown(name, make(), "spectators") for name, make in recorded.FINISHED.items()]
    made += [Shown(name, make(), reader) for name, (make, reader) in recorded.OTHERS.items()]
    between = eaten()
    made += [Shown("avocado in a pause", between, "0")]
    between.plays_on()
    made += [Shown("avocado in a pause", between, "1")]
    return [one for one in made if one.record["match"]["game"] in PARTS]


def lived(store: Store, entry: Entry, i: int) -> Iterator[Shown]:
    """Return the service's records of a match that was played on a store, during it and later."""
    block = list(entry.blocks.values())[-1]
    match = WholeMatch(store, entry, block[i % len(block)], Random(i))
    for commits in (15, 45):
        match.lived(commits)
        for caller in (CALLERS[0], Caller()):
            with suppress(NotFound):  # a private match
                yield Shown(f"lived {i}", Served(match.matches, match.matches.see(match.id, caller)), "")


@dataclass
class Served:
    """Return a match as the service shows it."""

    matches: Matches
    seen: Seen

    @property
    def match(self) -> life.Match:
        return self.seen.match

    def record(self, reader: str) -> dict[str, Any]:
        made: dict[str, Any] = json.loads(record_of(self.matches, self.seen))
        return made


# --- Tampering ------------------------------------------------------------------------------------------


def tampered(one: dict[str, Any], rng: Random) -> Iterator[tuple[str, Any]]:
    """Yield a record with a random change: as it is, with new digests, and with new seals too."""
    there = list(places(one))
    for again in (lambda made: made, relinked, resealed):
        path, how = rng.choice(there)
        twin = changed(one, path, how)
        try:
            yield f"{how} {path} {again.__name__}", again(twin)
        except (KeyError, TypeError, AttributeError):  # something that is not a record cannot be rebuilt
            yield f"{how} {path}", twin


def reordered(one: dict[str, Any], rng: Random) -> Iterator[tuple[str, Any]]:
    """Yield a record with an event dropped, duplicated or moved, and all events renumbered and rechained."""
    n = len(one["events"])
    for how in ("drop", "double", "swap"):
        twin = copied(one)
        at = rng.randrange(1, n)
        events = twin["events"]
        if how == "drop":
            del events[at]
        elif how == "double":
            events.insert(at, copied(events[at]))
        else:
            events[at - 1], events[at] = events[at], events[at - 1]
        for seq, e in enumerate(events, 1):
            e["seq"] = e["commit"] = seq
        twin["match"]["version"] = len(events)
        twin["fairness"] = fairness([record.fact(item) for item in _items(twin)])
        yield f"{how} event {at}", relinked(twin)


def _items(made: Any) -> Any:
    return record.read_record(json.dumps(made).encode()).events


DRAWN = (
    "HandDealt", "CardCut", "FirstDealerChosen", "FirstPlayerChosen", "PassReceived", "PassChosen", "EightBuried",
    "StarterTurned", "Restocked", "UpcardTurned", "HandStarted", "SeedRevealed", "NonceSubmitted", "AvocadoStated",
    "FairnessCommitted", "PoolRedealt", "CardPlayed", "MatchStarted",
)  # fmt: skip


def dealt_otherwise(one: dict[str, Any], rng: Random) -> Iterator[tuple[str, Any]]:
    """Yield a record with a changed random result, or a change in its source, resealed and rechained."""
    at = [i for i, e in enumerate(one["events"]) if e["type"] in DRAWN]
    there = [
        (("events", i, part, *path), how)
        for i in at
        for part in ("data", "disclosed")
        for path, how in places(one["events"][i].get(part, {}))
    ]
    for path, how in rng.sample(there, min(3, len(there))):
        twin = changed(one, path, how)
        yield f"{how} {path} dealt", resealed(twin)


def claimed(one: dict[str, Any], rng: Random) -> Iterator[tuple[str, Any]]:
    """Return a record with claims about its match or its shuffles that contradict the events."""
    for part in ("match", "fairness"):
        path, how = rng.choice(list(places(one[part])))
        yield f"{how} {part} {path}", changed(one, (part, *path), how)


def badly(shown: list[Shown], rng: Random) -> list[tuple[str, Any, Any]]:
    ways = cycle((tampered, reordered, dealt_otherwise, claimed))
    return [
        (f"{one.name}: {how}", made, ())
        for one in shown
        for _ in range(draws(1))
        for how, made in rng.sample(list(next(ways)(one.record, rng)), 2)
    ]


# --- They agree -------------------------------------------------------------------------------------------


def both(node: str, shown: list[Shown], rng: Random) -> list[Any]:
    """Check that both accept honest records and agree on changed ones; return their findings about those."""
    for report in agree(node, [(one.name, one.record, ()) for one in shown]):
        assert [(name, ok) for name, ok, _, _ in report[1]] == [(name, True) for name in BOTH]
    return agree(node, badly(shown, rng))


@pytest.mark.parametrize("game", first_of(GAMES))
def test_both_verifiers_agree_on_records_of_every_game(node, game):
    shown = of_game(game)
    assert len(shown) >= 6
    found = both(node, shown, Random(game))
    failing = {name for report in found if report != "unreadable" for name, ok, _, _ in report[1] if not ok}
    assert {"seals", "shuffles"} <= failing


def test_both_verifiers_report_an_unknown_option_as_unverifiable(node):
    plays = {game: with_option(recorded.FINISHED[game]().record(), "scoring_cards", "none") for game in GAMES}
    agree(node, [(game, one, ()) for game, one in plays.items()])
    for report in reports(node, [(one, ()) for one in plays.values()]):
        assert report["verdict"] == "unverifiable"
        assert "The option scoring_cards is unknown here." in [check["detail"] for check in report["checks"]]


def test_both_verifiers_report_a_missing_option_as_unverifiable(node):
    own = {game.name: key(next(iter(fields_of(game.setup.options)))) for game in BUILT_IN if game.name in GAMES}
    plays = {game: recorded.FINISHED[game]().record() for game in GAMES}
    without = [(name, without_option(plays[game], name)) for game in GAMES for name in ("rated", own[game])]
    for (name, one), report in zip(without, reports(node, [(one, ()) for _, one in without]), strict=True):
        assert found(report) == found(ours(one))
        rules = next(check for check in report["checks"] if check["name"] == "rules")
        assert (report["verdict"], rules["detail"]) == ("unverifiable", f"The record has no option {name}.")


def test_both_verifiers_report_an_unknown_game_as_unverifiable(node):
    made = recorded.FINISHED["trio"]().record()
    made["match"]["game"] = made["events"][0]["data"]["game"] = "whist"
    made = relinked(made)
    (theirs,) = reports(node, [(made, ())])
    for report, reason in [
        (ours(made), "The game is not installed."),
        (theirs, "This verifier does not know the game."),
    ]:
        skipped = {check["name"]: check["detail"] for check in report["checks"] if check["skipped"]}
        assert (report["verdict"], report["game"], skipped["rules"]) == ("unverifiable", None, reason)


def test_both_verifiers_agree_on_first_events_and_dealt_hands(node):
    """Forgeries that random draws rarely produce: a first event of an unknown type, and hands of unusual sizes."""
    hearts = drawn("two_handed_hearts", 2).record()
    duel = Recorded("fivewells", ("bot",) * 2, {})
    duel.plays_on(until=lambda m: "HandDealt" in duel.kinds())
    fivewells = duel.record()
    at = duel.kinds().index("HandDealt")
    made = [changed(hearts, ("events", 0, "type"), "change"), copied(fivewells), copied(fivewells), copied(fivewells)]
    for twin, counts in zip(made[1:], ([7, 7, 7], [7, "7"], 7), strict=True):
        twin["events"][at]["data"]["counts"] = counts
    found = agree(node, [(str(i), resealed(one), ()) for i, one in enumerate(made)])
    assert [("shuffles", False) in {(name, ok) for name, ok, _, _ in checks} for _, checks in found] == [
        False,
        *[True] * 3,
    ]


def test_field_may_have_a_name_reserved_in_javascript(node):
    one = copied(recorded.FINISHED["gin_rummy"]().record())
    one["events"][-1]["data"]["__proto__"] = {"constructor": 1}
    [(_, checks)] = agree(node, [("named so", relinked(one), ())])
    assert checks[0] == ("chain", True, False, None)


@pytest.mark.long
def test_both_verifiers_agree_on_every_course_of_a_match(node):
    both(node, others(), Random(0))


@pytest.mark.long
def test_both_verifiers_agree_on_matches_from_a_store(node, shared_sqlite):
    entries = COMPARED if is_thorough() else [next(e for e in COMPARED if e.game.name == game) for game in GAMES]
    both(node, [one for i, entry in enumerate(entries) for one in lived(shared_sqlite, entry, i)], Random(1))


def test_both_verifiers_accept_the_hand_history_scheme_only_for_poker(node):
    made = {name: recorded.FINISHED[name]().record() for name in ("hearts", "holdem")}
    for one in made.values():
        one["events"][0]["data"]["rules"] = one["match"]["rules"] = "phh"
        relinked(one)
    told = dict(zip(made, agree(node, [(name, one, ()) for name, one in made.items()]), strict=True))
    assert told["hearts"][1][2] == ("shuffles", False, False, 1)
    assert told["holdem"][1][2] == ("shuffles", False, False, 2)


def test_both_verifiers_find_fields_later_than_the_event_version(node, monkeypatch):
    names = [name for name in ("timed out", "nonces", "hearts") if recorded.FINISHED[name]().game in PARTS]
    for name in names:
        pretend(monkeypatch, shapes(recorded.FINISHED[name]().game), PRETENDED)
    made = [twin for name in names for twin in of_each_version(recorded.FINISHED[name]().record())]
    told = agree(node, [(what, one, ()) for what, _, one, _ in made], PRETENDED)
    for (what, seq, _, honest), (_, checks) in zip(made, told, strict=True):
        assert (("seals", False, False, seq) in checks) is not honest, what


def test_tables_of_later_fields_are_the_same_in_both_verifiers(node):
    done = subprocess.run([node, VERIFIER, "--tables", *sorted(PARTS)], capture_output=True, check=True)
    mine = {"match": events_of(match_parts.EVENTS), "tournament": events_of(tournament_events.EVENTS)}
    mine |= {game.name: events_of(game.events) for game in BUILT_IN if game.name in PARTS}
    assert json.loads(done.stdout) == mine


def test_options_and_their_values_are_the_same_in_both_verifiers(node):
    done = subprocess.run([node, VERIFIER, "--options", *sorted(PARTS)], capture_output=True, check=True)
    classes = {"match": Common} | {game.name: game.setup.options for game in BUILT_IN if game.name in PARTS}
    assert json.loads(done.stdout) == {name: values_of(cls) for name, cls in classes.items()}


def test_fields_of_events_are_the_same_in_both_verifiers(node):
    done = subprocess.run([node, VERIFIER, "--fields", *sorted(PARTS)], capture_output=True, check=True)
    mine = {"match": match_parts.EVENTS} | {game.name: game.events for game in BUILT_IN if game.name in PARTS}
    assert json.loads(done.stdout) == {name: fields_in(classes) for name, classes in mine.items()}


def test_objects_in_events_are_the_same_in_both_verifiers(node):
    done = subprocess.run([node, VERIFIER, "--records", *sorted(PARTS)], capture_output=True, check=True)
    mine = {"match": match_parts.EVENTS} | {game.name: game.events for game in BUILT_IN if game.name in PARTS}
    assert json.loads(done.stdout) == {name: records_in(classes) for name, classes in mine.items()}


def fields_in(classes):
    """Return the fields of events of these classes, as the second verifier lists them."""
    return {cls.__name__: " ".join(map(_named, fields_of(cls).items())) for cls in classes}


def records_in(classes):
    """Return the structures in these classes with their fields; a `?` marks a field that is omitted if it is null."""
    found = {}
    for cls in filter(None, (record_in(t) for one in classes for t in fields_of(one).values())):
        given = {f.name: "?" * (f.default is None) for f in fields(cls)}
        row = {cls.__name__: " ".join(f"{_named(pair)}{given[pair[0]]}" for pair in fields_of(cls).items())}
        for name, said in (row | records_in([cls])).items():
            assert found.setdefault(name, said) == said, f"two records of one game are called {name}"
    return found


def _named(pair):
    name, t = pair
    cls = record_in(t)
    return f"{key(name)}:{cls.__name__}" if cls else key(name)


def record_in(t):
    """Return the structure that a field of this type contains, directly or in a list; None for other types."""
    if t.kind in ("row", "fixed", "either"):
        kinds = {record_in(kind) for kind in ([t.of] if t.kind == "row" else t.of)}
        assert len(kinds) == 1, t
        return kinds.pop()
    return t.of if t.kind == "record" else None


def values_of(cls):
    """Return the options of a class as `name:values`: a range, choices or `bool`; for others only the name.

    A `?` follows if the option can be null.
    """
    described = of_record(cls)["properties"].items()
    return " ".join(f"{name}{_values(schema)}{'?' * _can_be_null(schema)}" for name, schema in described)


def _can_be_null(schema):
    kinds = [one.get("type") for one in schema.get("anyOf", [schema])]
    return any("null" in (kind if isinstance(kind, list) else [kind]) for kind in kinds)


def _values(schema):
    (kind, *_) = [one for one in schema.get("anyOf", [schema]) if one.get("type") != "null"]
    if choices := kind.get("enum", [kind["const"]] if "const" in kind else None):
        return ":" + "|".join(choice for choice in choices if choice is not None)
    names = kind["type"] if isinstance(kind["type"], list) else [kind["type"]]
    if "boolean" in names:
        return ":bool"
    return f":{kind['minimum']}-{kind['maximum']}" if "integer" in names else ""


def events_of(classes):
    """Return the fields that later versions of these events added."""
    return {cls.__name__: list(later_versions(cls)) for cls in classes if later_versions(cls)}


@pytest.mark.long
def test_both_verifiers_skip_the_deals_of_an_unknown_game(node):
    made = [changed(make().record(), ("events", 0, "data", "game"), "change") for make in DEALS.values()]
    for _, checks in agree(node, [("of no game", relinked(one), ()) for one in made]):
        assert checks[2] == ("shuffles", True, True, None)


def test_kept_head_exposes_another_history_in_both_verifiers(node):
    one = recorded.FINISHED["gin_rummy"]().record()
    end = one["match"]["version"]
    heads = [(n, one["events"][n - 1]["digest"]) for n in (1, 9, end)]
    beyond, wrong = [(end + 1, "0" * 64)], [heads[0], (9, "f" * 64)]
    good, *bad = agree(node, [("kept", one, heads), ("beyond", one, beyond), ("wrong", one, wrong)])
    assert good[1][0] == ("chain", True, False, None)
    assert [report[1][0] for report in bad] == [("chain", False, False, end), ("chain", False, False, 9)]


NO_RECORDS = {
    "not UTF-8": lambda text: text[:-1] + b"\xff}",
    "cut off": lambda text: text[:-1],
    "a name twice": lambda text: text.replace(b'"seq": 1,', b'"seq": 1, "seq": 1,', 1),
    "a fraction": lambda text: text.replace(b'"seq": 1,', b'"seq": 1.0,', 1),
    "an exponent": lambda text: text.replace(b'"seq": 1,', b'"seq": 1e0,', 1),
    "beyond 2^53": lambda text: text.replace(b'"seq": 1,', b'"seq": 9007199254740992,', 1),
    "a name beyond ASCII": lambda text: text.replace(b'"trick_no"', '"trück_no"'.encode(), 1),
    "half a character": lambda text: text.replace(b'"QS"', b'"\\ud800"', 1),
    "too deep": lambda text: text.replace(b'"scheme"', b'"x": ' + b"[" * 40 + b"]" * 40 + b', "scheme"'),
    "another format": lambda text: text.replace(b"dealt-record/1", b"dealt-record/2"),
    "nobody's record": lambda text: text.replace(b'"reader": "spectators"', b'"reader": "table"'),
    "no events": lambda text: json.dumps(json.loads(text) | {"events": []}).encode(),
    "no object": lambda text: b"[" + text + b"]",
}


def test_both_verifiers_refuse_files_that_are_not_records(node):
    text = json.dumps(recorded.FINISHED["hearts"]().record()).encode()
    made = [text, *(spoil(text) for spoil in NO_RECORDS.values())]
    assert len(set(made)) == len(made)
    said = (
        [found(ours_of(one)) for one in made],
        [found(one) for one in reports(node, [(one, ()) for one in made])],
    )
    for first, *rest in said:
        assert first != "unreadable"
        assert dict(zip(NO_RECORDS, rest, strict=True)) == dict.fromkeys(NO_RECORDS, "unreadable")


NEARLY_TOO_LARGE = {
    "one text": lambda n: "a" * n,
    "escapes": lambda n: "\n" * (n // 2),
    "numbers": lambda n: [1] * (n // 3),
}
"""Fillers that bring a record to its size limit; each returns JSON of at most n bytes."""


@pytest.mark.long
@pytest.mark.parametrize("what", NEARLY_TOO_LARGE)
def test_all_verifiers_agree_on_records_near_the_limit(node, what):
    """The command and the second verifier are run, and the process that serves HTTP, with its limits of memory and
    time."""
    made = recorded.FINISHED["four resigned, end"]().record()
    bare = json.dumps(made).encode()
    room = record.MOST_BYTES - len(bare) - len(', "padding": ""')
    made["padding"] = NEARLY_TOO_LARGE[what](room)
    most = json.dumps(made).encode()
    most += b" " * (record.MOST_BYTES - len(most))
    told = [found(one) for one in reports(node, [(most, ()), (most + b" ", ())])]
    assert told == [found(ours_of(most)), "unreadable"] == [found(served(most)), found(served(most + b" "))]
    assert told[0] != "unreadable"


def served(text: bytes) -> dict[str, Any]:
    """Return the report that POST /v1/records/verify would give."""
    with TemporaryFile() as file:
        file.write(text)
        file.seek(0)
        try:
            return verify_file(file)
        except Unverifiable as error:
            return {"too much" if str(error) == TOO_MUCH else "unreadable": str(error)}


GIVEN = {
    "HandDealt": ("cards", "stock", "middle"), "CardCut": ("card", "seat"), "FirstDealerChosen": ("seat",),
    "FirstPlayerChosen": ("seat",), "PassReceived": ("cards",), "EightBuried": ("card", "depth"),
    "StarterTurned": ("card",), "Restocked": ("stock",), "UpcardTurned": ("card",),
}  # fmt: skip


def dealt_wrong(one: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield a record with one random result changed, resealed and rechained: the first of each kind."""
    seen = set()
    for i, e in enumerate(one["events"]):
        chosen = e["type"] in ("FirstDealerChosen", "FirstPlayerChosen") and e["data"]["how"] not in (
            "cut",
            "random",
        )
        if chosen or (e["type"] == "PassReceived" and e["data"]["from"] != "pool"):
            continue
        for name in GIVEN.get(e["type"], ()):
            kind = (e["type"], name, e["data"].get("table"))
            if kind in seen:
                continue
            twin = copied(one)
            inside = twin["events"][i]
            parts = inside.get("disclosed", {}).get(name) if name in inside["seals"] else inside["data"]
            if parts is None:
                continue
            key = name if parts is inside["data"] else next(iter(parts))
            x = parts.get(key)
            if x in ([], None):
                continue
            parts[key] = x[::-1] if isinstance(x, list) else x + 1 if isinstance(x, int) else ("2C", "3D")[x == "2C"]
            if parts[key] != x:
                seen.add(kind)
                yield f"{kind}", resealed(twin)


@pytest.mark.long
def test_both_verifiers_accept_every_deal_and_find_every_change(node):
    shown = {name: make().record() for name, make in DEALS.items()}
    for _, checks in agree(node, [(name, one, ()) for name, one in shown.items()]):
        assert checks[2] == ("shuffles", True, False, None)
    wrong = [(f"{name}: {how}", twin, ()) for name, one in shown.items() for how, twin in dealt_wrong(one)]
    found = agree(node, wrong)
    assert [name for (name, _, _), (_, checks) in zip(wrong, found, strict=True) if checks[2][1]] == []
    assert {kind for name, _, _ in wrong for kind in GIVEN if kind in name} == set(GIVEN)
