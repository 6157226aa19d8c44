"""Tests that an audit finds any change made in the database, and names the event."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain.core.clock import Clock
from events.log.codec import canonical
from events.log.seals import NO_EVENT, digest, mac, seal, seal_key
from events.operations.audit import audit, report
from events.proof.findings import Report
from events.store.opening import open_store
from events.store.protocol import Store
from events.store.tables import stored_rows, stream_rows
from events.store.tables.stored_rows import Stored
from events.times import write_time
from tests.draws import draws, seeded
from tests.laws.entry import Entry
from tests.laws.games import OF
from tests.service.whole_matches import WholeMatch, resigns
from tests.tampered import other

HEARTS, GIN = OF["hearts"][0], OF["gin_rummy"][0]
GAMES = {
    "hearts": HEARTS,
    "two-handed": OF["two_handed_hearts"][0],
    "eights": OF["crazy_eights"][1],
    "gin": GIN,
    "trio": OF["trio"][0],
}
WAYS = ("over", "on")

Failed = dict[str, int | None]
"""Return the failed checks, and their event."""


def failed(made: Report | None) -> Failed:
    assert made is not None
    assert made.ok == all(check.ok for check in made.checks)
    return {check.name: check.seq for check in made.checks if not check.ok}


# --- Matches to tamper with -----------------------------------------------------------------------------


def played(store: Store, entry: Entry, way: str, seed: str) -> WholeMatch:
    """Return a finished or running match without resignations, with a clock and with nonces."""
    rng = Random(seed)
    chosen = next(iter(entry.blocks.values()))[0]
    common = {"nonce_seconds": 60, "on_resign": "end"} if way == "over" else {}
    kinds = ("me", "open", *["bot"] * (entry.seats - 2))
    life = WholeMatch(
        store, entry, chosen, rng, clock=Clock(per_decision_seconds=86_400), common=common, best_of=1,
        kinds=kinds, haste=True,
    )  # fmt: skip
    life.lived(26)
    if way == "over":
        resigns(life)
    return life


@pytest.fixture(scope="module")
def whole_matches(shared_sqlite: Store) -> dict[tuple[str, str], Stored]:
    found = {}
    for game, entry in GAMES.items():
        for way in WAYS:
            stored = stored_rows.read_stored(shared_sqlite, played(shared_sqlite, entry, way, f"{game} {way}").id)
            assert stored is not None
            found[game, way] = stored
    return found


@pytest.fixture(params=[(game, way) for game in GAMES for way in WAYS], ids=" ".join)
def found(request, whole_matches) -> Stored:
    """Return a match of each game, finished and running, to be changed."""
    chosen: Stored = whole_matches[request.param]
    return deepcopy(chosen)


def test_audit_passes_for_an_unchanged_match(found: Stored):
    assert failed(report(found)) == {}
    assert found.head.version > 30


# --- How to tamper ----------------------------------------------------------------------------------------


def events_of(found: Stored) -> list[list[dict[str, Any]]]:
    return [json.loads(row.events) for row in found.commits]


def secrets_of(found: Stored) -> list[dict[str, Any]]:
    return [json.loads(row.secrets or "{}") for row in found.commits]


def put(found: Stored, i: int, **changed: Any) -> None:
    """Change columns of a commit; values that are not yet text are written as commits are."""
    written: dict[str, Any] = {
        k: x if not isinstance(x, (list, dict)) else canonical(x).decode() for k, x in changed.items()
    }
    found.commits[i] = found.commits[i]._replace(**written)


def rewritten(found: Stored, commits: list[list[dict[str, Any]]], *, coded: bool = False) -> None:
    """Write these events with valid numbers, digests and head; with `coded`, the codes are valid too."""
    before, first, rows = NO_EVENT, 1, list(found.commits)
    assert found.secrets is not None
    found.commits.clear()
    for row, events in zip(rows, commits, strict=True):
        for seq, e in enumerate(events, first):
            answer = {name: e[name] for name in ("cause", "data", "seals", "type", "v")}
            where = {"at": write_time(row.at_ms), "commit": first, "match": found.head.match_id, "seq": seq}
            before = e["digest"] = digest(before, {**answer, **where})
        code = mac(found.secrets[0], first + len(events) - 1, before) if coded else row.mac
        text = canonical(events).decode()
        found.commits.append(row._replace(first=first, n=len(events), events=text, mac=code))
        first += len(events)
    found.head = replace(found.head, version=first - 1, head=bytes.fromhex(before))


def placed(commits: list[list[dict[str, Any]]], seq: int) -> tuple[int, int]:
    """Return the commit of an event, and its position there."""
    for i, events in enumerate(commits):
        if seq <= len(events):
            return i, seq - 1
        seq -= len(events)
    raise LookupError(seq)


def first_of(found: Stored, seq: int) -> int:
    """Return the number of the first event of an event's commit."""
    return found.commits[placed(events_of(found), seq)[0]].first


def numbered(found: Stored, kind: str) -> int:
    """Return the number of the first event of a type."""
    flat = [e["type"] for events in events_of(found) for e in events]
    return flat.index(kind) + 1


def leaves(x: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths of all values that are not lists or objects, and of empty ones."""
    items = x.items() if isinstance(x, dict) else enumerate(x) if isinstance(x, list) else ()
    if not items:
        yield path
    for key, inner in items:
        yield from leaves(inner, (*path, key))


def changed(value: Any, path: tuple[Any, ...]) -> None:
    inner = value
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = other(inner[path[-1]])


# --- Anything at all --------------------------------------------------------------------------------------


def test_changed_event_breaks_the_chain_at_its_position(found: Stored):
    whole = deepcopy(found.commits)
    rng = Random(found.head.match_id)
    for _ in range(draws(6)):
        commits = events_of(found)
        i = rng.randrange(len(commits))
        place = rng.randrange(len(commits[i]))
        changed(commits[i][place], rng.choice(list(leaves(commits[i][place]))))
        put(found, i, events=commits[i])
        first = found.commits[i].first  # named, where the whole commit can no longer be read
        assert failed(report(found))["chain"] in (first, first + place)
        found.commits = list(whole)


def test_rewritten_event_with_correct_digests_has_a_wrong_commit_code(found: Stored):
    whole = deepcopy(found)
    rng = Random(found.head.match_id)
    for _ in range(draws(4)):
        commits = events_of(found)
        i = rng.randrange(len(commits))
        place = rng.randrange(len(commits[i]))
        e = commits[i][place]
        changed(e, rng.choice([path for path in leaves(e) if path[0] != "digest"]))
        rewritten(found, commits)
        made = failed(report(found))
        assert found.commits[i].first == made.get(
            "codes", made.get("chain")
        )  # a commit that cannot be read has no code
        found = deepcopy(whole)


def test_changed_secret_part_does_not_match_its_seal(found: Stored):
    rng = Random(found.head.match_id)
    rows = list(found.commits)
    hidden = [i for i, row in enumerate(rows) if row.secrets]
    for i in rng.sample(hidden, min(draws(4), len(hidden))):
        secrets = secrets_of(found)[i]
        changed(secrets, rng.choice(list(leaves(secrets))))
        put(found, i, secrets=secrets)
        assert rows[i].first <= (failed(report(found))["seals"] or 0) < rows[i].first + rows[i].n
        found.commits = list(rows)


@pytest.mark.parametrize("column", ["first", "n", "at_ms", "events", "secrets", "mac"])
@pytest.mark.parametrize(
    "value",
    [None, 0, -1, 1, 2**70, 0.5, "", "x", "[]", "{}", "null", "[" * 9000, '[{"a":1}]', "\udce9", b"\xff\x00"],
)
def test_audit_names_tampering_with_any_column(whole_matches, column: str, value: Any):
    found = deepcopy(whole_matches["gin", "on"])
    i = 1 if column == "secrets" else 2
    i = next(k for k, row in enumerate(found.commits) if row.secrets) if column == "secrets" else 2
    found.commits[i] = found.commits[i]._replace(**{column: value})
    if found.commits[i] == whole_matches["gin", "on"].commits[i]:
        return  # it is what was there
    check = {"secrets": "seals", "mac": "codes"}.get(column, "chain")
    at = failed(report(found))[check]
    assert at is not None
    original = whole_matches["gin", "on"].commits[i]
    assert original.first <= at < original.first + original.n


@pytest.mark.parametrize("kept", ["match_id", "version", "head", "created_ms", "imported"])
@pytest.mark.parametrize("value", [None, 0, 2**70, "x", b"x"])
def test_audit_detects_a_changed_end_of_the_log(whole_matches, kept: str, value: Any):
    found = deepcopy(whole_matches["gin", "on"])
    if (kept, value) == ("imported", None):
        return  # so it is
    found.head = replace(found.head, **{kept: value})
    check = {"created_ms": "projections", "imported": "seals"}.get(kept, "chain")
    assert check in failed(report(found))


@pytest.mark.parametrize(
    "text",
    [0, b"\xff", "", "[]", "\udce9", "[" * 9000, '{"visibility":"public","signed":' + "[" * 9000,
     '{"visibility":"public","signed":[]}', '{"visibility":"public","signed":{"server":1}}'],
)  # fmt: skip
def test_audit_names_unreadable_import_data(whole_matches, text: Any):
    found = deepcopy(whole_matches["gin", "on"])
    found.head = replace(found.head, imported=text)
    assert failed(report(found))["signatures"] == found.head.version


# --- The log ----------------------------------------------------------------------------------------------

Tamper = Callable[[Stored], Failed]
"""Tampers with a match; returns what must fail, and where."""


def swap_events(found: Stored) -> Failed:
    commits = events_of(found)
    i = next(i for i, events in enumerate(commits) if i and len(events) > 1)
    commits[i][0], commits[i][1] = commits[i][1], commits[i][0]
    put(found, i, events=commits[i])
    return {"chain": found.commits[i].first}


def swap_events_rehashed(found: Stored) -> Failed:
    commits = events_of(found)
    i = next(i for i, events in enumerate(commits) if i and len(events) > 1)
    commits[i][0], commits[i][1] = commits[i][1], commits[i][0]
    rewritten(found, commits, coded=True)
    return {"rules or seals": found.commits[i].first}


def swap_commits(found: Stored) -> Failed:
    a, b = found.commits[5], found.commits[6]
    found.commits[5:7] = [
        b._replace(first=a.first, at_ms=a.at_ms), a._replace(first=a.first + b.n, at_ms=b.at_ms)
    ]  # fmt: skip
    return {"chain": a.first, "codes": a.first}


def drop_event(found: Stored) -> Failed:
    commits = events_of(found)
    i = next(i for i, events in enumerate(commits) if i and len(events) > 1)
    put(found, i, events=commits[i][:-1])
    return {"chain": found.commits[i].first}


def drop_event_and_say_so(found: Stored) -> Failed:
    commits = events_of(found)
    i = next(i for i, events in enumerate(commits) if i and len(events) > 1)
    put(found, i, events=commits[i][:-1], n=len(commits[i]) - 1)
    return {"chain": found.commits[i].first + len(commits[i]) - 1}


def drop_consequence_rehashed(found: Stored) -> Failed:
    commits = events_of(found)
    several = [i for i, events in enumerate(commits) if i > 2 and len(events) > 1]
    i = next((i for i in several if not found.commits[i].secrets), several[0])
    commits[i].pop()
    rewritten(found, commits, coded=True)
    return {"rules or seals or shuffles": found.commits[i].first + len(commits[i]) - 1}


def drop_commit(found: Stored) -> Failed:
    gone = found.commits.pop(6)
    return {"chain": gone.first}


def drop_first_commit(found: Stored) -> Failed:
    found.commits.pop(0)
    return {"chain": 1}


def drop_all(found: Stored) -> Failed:
    found.commits.clear()
    return {"chain": 1}


def truncate(found: Stored) -> Failed:
    found.commits.pop()
    return {"chain": found.commits[-1].first + found.commits[-1].n - 1}


def cut_short(found: Stored) -> None:
    found.commits.pop()
    last = found.commits[-1]
    head = bytes.fromhex(json.loads(last.events)[-1]["digest"])
    found.head = replace(found.head, version=last.first + last.n - 1, head=head)


def end_taken_back(found: Stored) -> Failed:
    """Rows outside the log still show that the match was over."""
    if not found.projections["results"]:
        return {}
    cut_short(found)
    return {"projections": found.head.version}


def double_event(found: Stored) -> Failed:
    commits = events_of(found)
    put(found, 4, events=[commits[4][0], *commits[4]], n=len(commits[4]) + 1)
    return {"chain": found.commits[4].first + 1}


def double_commit(found: Stored) -> Failed:
    last = found.commits[-1]
    found.commits.append(last._replace(first=last.first + last.n))
    found.head = replace(found.head, version=found.head.version + last.n)
    return {"chain": last.first + last.n}


def insert_commit(found: Stored) -> Failed:
    commits = events_of(found)
    at = found.commits[6].first
    found.commits.insert(6, found.commits[6]._replace(secrets=None))
    rewritten(found, [*commits[:6], deepcopy(commits[3][:1]), *commits[6:]], coded=True)
    return {"rules or seals": at}


def swap_secrets(found: Stored) -> Failed:
    i, j = [i for i, row in enumerate(found.commits) if row.secrets][:2] if _hidden(found) > 1 else (0, 0)
    if i == j:
        i = next(i for i, row in enumerate(found.commits) if row.secrets)
        found.commits[i - 1], found.commits[i] = (
            found.commits[i - 1]._replace(secrets=found.commits[i].secrets),
            found.commits[i]._replace(secrets=None),
        )
        return {"seals": found.commits[i - 1].first}
    a, b = found.commits[i].secrets, found.commits[j].secrets
    put(found, i, secrets=b)
    put(found, j, secrets=a)
    return {"seals": found.commits[i].first}


def _hidden(found: Stored) -> int:
    return sum(row.secrets is not None for row in found.commits)


def lose_secrets(found: Stored) -> Failed:
    i = next(i for i, row in enumerate(found.commits) if row.secrets)
    seq = min(map(int, secrets_of(found)[i]))
    put(found, i, secrets=None)
    return {"seals": seq}


def other_hand(found: Stored) -> Failed:
    """Two hands of a deal change owners, resealed with all secrets and correctly encoded."""
    assert found.secrets is not None
    seal_secret = found.secrets[0]
    from domain.core.fairness import Dealer

    i, seq, field = next(
        (i, int(seq), field)
        for i, secrets in enumerate(secrets_of(found))
        for seq, sealed in secrets.items()
        for field, part in sealed["fields"].items()
        if len({json.dumps(x) for x in part.values()}) > 1
    )
    secrets, commits = secrets_of(found)[i], events_of(found)
    part = secrets[str(seq)]["fields"][field]
    readers = sorted(part)
    part.update(dict(zip(readers, [part[r] for r in readers[1:] + readers[:1]], strict=True)))
    hand_key = Dealer("", (), seal_secret).hand_key(secrets[str(seq)]["hand"])
    where = placed(commits, seq)
    for reader, x in part.items():
        key = seal_key(hand_key, seq, field, reader)
        commits[where[0]][where[1]]["seals"][field][reader] = seal(key, seq, field, reader, x)
    put(found, i, secrets=secrets)
    rewritten(found, commits, coded=True)
    return {"shuffles": seq}


def time_column(found: Stored) -> Failed:
    put(found, 5, at_ms=found.commits[5].at_ms + 1)
    return {"chain": found.commits[5].first}


def time_rehashed(found: Stored) -> Failed:
    put(found, 5, at_ms=found.commits[5].at_ms + 1)
    rewritten(found, events_of(found))
    return {"codes": found.commits[5].first}


def time_with_all_secrets(found: Stored) -> Failed:
    """The clock's events show that the time was different."""
    commits = events_of(found)
    i = next(i for i, events in enumerate(commits) if i and any(e["type"] == "DecisionRequested" for e in events))
    put(found, i, at_ms=found.commits[i].at_ms + 1)
    rewritten(found, commits, coded=True)
    place = next(k for k, e in enumerate(commits[i]) if e["type"] == "DecisionRequested")
    return {"rules": found.commits[i].first + place}


def option(found: Stored) -> Failed:
    commits = events_of(found)
    commits[0][0]["data"]["options"]["pause_between_hands"] ^= True
    put(found, 0, events=commits[0])
    return {"chain": 1}


def option_rehashed(found: Stored) -> Failed:
    commits = events_of(found)
    commits[0][0]["data"]["options"]["pause_between_hands"] ^= True
    rewritten(found, commits)
    return {"codes": 1}


def option_with_all_secrets(found: Stored) -> Failed:
    commits = events_of(found)
    commits[0][0]["data"]["options"]["pause_between_hands"] ^= True
    rewritten(found, commits, coded=True)
    return {"rules": numbered(found, "MatchStarted")}


def clock(found: Stored) -> Failed:
    commits = events_of(found)
    commits[0][0]["data"]["clock"]["per_decision_seconds"] += 1
    rewritten(found, commits, coded=True)
    return {"rules": numbered(found, "DecisionRequested")}


def player(found: Stored) -> Failed:
    commits = events_of(found)
    taken = numbered(found, "SeatTaken")
    i, place = placed(commits, taken)
    commits[i][place]["data"]["player"] = "somebody-else-567890"
    rewritten(found, commits, coded=True)
    return {"rules": numbered(found, "MatchStarted")}


def nonce(found: Stored) -> Failed:
    """Chance has not used these nonces."""
    commits = events_of(found)
    started = numbered(found, "MatchStarted")
    i, place = placed(commits, started)
    commits[i][place]["data"]["nonces"][0] = "ab" * 16
    rewritten(found, commits, coded=True)
    return {"rules": started}


def move(found: Stored) -> Failed:
    """Another seat made the move."""
    commits = events_of(found)
    flat = [e for events in commits for e in events]
    started = numbered(found, "MatchStarted")
    seq = next(k for k, e in enumerate(flat, 1) if k > started and e["cause"] in ("move", "bot"))
    changed(flat[seq - 1]["data"], ("by",) if "by" in flat[seq - 1]["data"] else ("seat",))
    rewritten(found, commits)
    return {"codes": first_of(found, seq)}


def root(found: Stored) -> Failed:
    assert found.secrets is not None
    found.secrets = (found.secrets[0], json.dumps(["ab" * 32]))
    return {"shuffles": numbered(found, "FairnessCommitted")}


def no_root(found: Stored) -> Failed:
    assert found.secrets is not None
    found.secrets = (found.secrets[0], "[]")
    return {"shuffles": numbered(found, "FairnessCommitted")}


def strange_roots(found: Stored) -> Failed:
    assert found.secrets is not None
    found.secrets = (found.secrets[0], '{"')
    return {"shuffles": numbered(found, "FairnessCommitted")}


def one_root_more(found: Stored) -> Failed:
    assert found.secrets is not None
    found.secrets = (found.secrets[0], json.dumps([*json.loads(found.secrets[1]), "ab" * 32]))
    return {"shuffles": None}


def seal_secret(found: Stored) -> Failed:
    assert found.secrets is not None
    found.secrets = (b"x" * 32, found.secrets[1])
    return {"codes": 1, "seals": int(min(secrets_of(found)[_first_hidden(found)], key=int))}


def _first_hidden(found: Stored) -> int:
    return next(i for i, row in enumerate(found.commits) if row.secrets)


def no_seal_secret(found: Stored) -> Failed:
    assert found.secrets is not None
    found.secrets = (None, found.secrets[1])
    return {"codes": 1, "shuffles": 2}


def no_secrets(found: Stored) -> Failed:
    found.secrets = None
    return {"codes": 1, "shuffles": 2}


def no_codes(found: Stored) -> Failed:
    for i in range(len(found.commits)):
        put(found, i, mac=None)
    return {"codes": 1}


def one_code(found: Stored) -> Failed:
    found.commits[7] = found.commits[7]._replace(mac=bytes(32))
    return {"codes": found.commits[7].first}


def pretend_it_was_imported(found: Stored) -> Failed:
    found.head = replace(found.head, imported='{"visibility":"public"}')
    return {"seals": int(min(secrets_of(found)[_first_hidden(found)], key=int))}


def spaces(found: Stored) -> Failed:
    put(found, 3, events=found.commits[3].events + " ")
    return {"chain": found.commits[3].first}


def twice_the_same_name(found: Stored) -> Failed:
    """A reader that takes the first of two fields with the same name would see another value."""
    put(found, 3, events=found.commits[3].events.replace('{"cause":', '{"cause":"bot","cause":', 1))
    return {"chain": found.commits[3].first}


TAMPERS: list[Tamper] = [
    swap_events, swap_events_rehashed, swap_commits, drop_event, drop_event_and_say_so, drop_consequence_rehashed,
    drop_commit, drop_first_commit, drop_all, truncate, end_taken_back, double_event, double_commit, insert_commit,
    swap_secrets, lose_secrets, other_hand, time_column, time_rehashed, time_with_all_secrets, option, option_rehashed,
    option_with_all_secrets, clock, player, nonce, move, root, no_root, strange_roots, one_root_more, seal_secret,
    no_seal_secret, no_secrets, no_codes, one_code, pretend_it_was_imported, spaces, twice_the_same_name,
]  # fmt: skip


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("tamper", TAMPERS, ids=lambda tamper: tamper.__name__)
def test_tampering_is_found_and_named(whole_matches, tamper: Tamper, game: str):
    way = WAYS[
        (TAMPERS.index(tamper) + list(GAMES).index(game)) % 2
    ]  # each in two or three games over, and on in others
    found = deepcopy(whole_matches[game, way])
    expected = tamper(found)
    audited = report(found)
    assert audited.game == whole_matches[game, way].projections["matches"][0]["game"]  # whatever the log says about it
    made = failed(audited)
    for names, at in expected.items():
        assert at in [made.get(name, "not found") for name in names.split(" or ")], (names, made)


def test_kept_head_exposes_a_truncated_log(found: Stored):
    kept = [(found.head.version, found.head.head.hex())]
    cut_short(found)
    assert failed(report(found, kept))["chain"] == found.head.version


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("mended", [False, True])
def test_exchanged_tails_of_two_matches_are_found(whole_matches, way: str, mended: bool):
    found, other = (deepcopy(whole_matches[game, way]) for game in ("hearts", "trio"))
    at = 6
    found.commits[at:] = other.commits[at:]
    first = found.commits[at - 1].first + found.commits[at - 1].n
    if mended:
        rewritten(found, events_of(found))
        assert failed(report(found))["codes"] == first
    else:
        assert failed(report(found))["chain"] == first


# --- Beside the log ---------------------------------------------------------------------------------------


def test_changed_projections_are_found(found: Stored):
    """Values of every row, all of them with `--all`; an extra row, a missing row, and the seats to act."""
    whole, rng = deepcopy(found), seeded()
    for table, lines in whole.projections.items():
        for i, line in enumerate(lines):
            for name in rng.sample(sorted(line), min(draws(3), len(line))):
                found.projections[table][i] = {**line, name: other(line[name])}
                assert failed(report(found)) == {"projections": found.head.version}, (table, name)
                if table == "match_options":
                    break
            found.projections[table] = list(lines)
            if table == "match_options" and i:
                break
        for wrong in (lines[:-1], lines + lines[-1:]):
            found.projections[table] = wrong
            assert failed(report(found)) == ({"projections": found.head.version} if lines else {})
        found.projections[table] = list(lines)
    for turns in (
        "",
        None,
        "[{}]",
        '[{"seat":0,"player_id":"x","version":1,"since_ms":1,"deadline_ms":null}]',
    ):
        found.turns = turns
        assert failed(report(found)) == {"projections": found.head.version}


# --- Who holds all the secrets ----------------------------------------------------------------------------


def test_kept_head_exposes_a_match_rewritten_with_its_secrets(
    empty_sqlite: Callable[[Path], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The same match with other moves, as its server could write it: only a kept head reveals this."""
    monkeypatch.setattr("events.service.create.new_id", lambda: "m" * 20)
    monkeypatch.setattr(WholeMatch, "draws", lambda self, n: bytes(n))
    reports = []
    for seed in (1, 2):
        with closing(open_store(empty_sqlite(tmp_path / str(seed)))) as store:
            match_id = WholeMatch(
                store, HEARTS, HEARTS.blocks["hearts 1-1"][0], Random(seed), clock=Clock(), common={}, best_of=1,
                kinds=("me", "bot", "bot", "bot"), haste=True,
            ).lived(30).id  # fmt: skip
            made = audit(store, match_id)
            assert made is not None
            reports.append(made)
            kept = [(reports[0].version, reports[0].head)]
            answer = audit(store, match_id, kept)
    was, forged = reports
    assert was.ok
    assert forged.ok
    assert was.head != forged.head
    assert failed(answer) == {"chain": min(was.version, forged.version)}


# --- In the databases themselves --------------------------------------------------------------------------

BY_SQL = {
    "a card": ("UPDATE commits SET events = replace(events, '\"CardPlayed\"', '\"CardShown\"') WHERE {here}", "chain"),
    "a time": ("UPDATE commits SET at_ms = at_ms + 1 WHERE {here} AND first = {first}", "chain"),
    "a secret": ("UPDATE commits SET secrets = replace(secrets, '\"hand\":1', '\"hand\":2') WHERE {here}", "seals"),
    "no secrets": ("UPDATE commits SET secrets = NULL WHERE {here}", "seals"),
    "a commit less": ("DELETE FROM commits WHERE {here} AND first = {first}", "chain"),
    "no end": ("DELETE FROM commits WHERE {here} AND first >= {first}", "chain"),
    "no codes": ("UPDATE commits SET mac = NULL WHERE {here}", "codes"),
    "the root": ("UPDATE secrets SET roots = '[\"" + "ab" * 32 + "\"]' WHERE {here}", "shuffles"),
    "the secrets": ("DELETE FROM secrets WHERE {here}", "codes"),
    "the version": ("UPDATE stream SET version = version - 1 WHERE {here}", "chain"),
    "the game": ("UPDATE matches SET game = 'trio' WHERE {here}", "projections"),
    "a seat": ("UPDATE seats SET player_id = 'eve' WHERE {here} AND seat = 0", "projections"),
    "who finds it": ("DELETE FROM involved WHERE {here}", "projections"),
    "pending work": ("INSERT INTO due SELECT {no}, 'clock', 1, 1, 0, 0", "projections"),
    "another's number": ("UPDATE commits SET match_no = -{no} WHERE {here}", "chain"),
}  # fmt: skip


@pytest.mark.long
@pytest.mark.both_databases
def test_tampering_in_the_database_is_found(store: Store, owner: Callable[[str], None]):
    begun = {
        name: WholeMatch(
            store, HEARTS, HEARTS.blocks["hearts 1-1"][0], Random(name), clock=Clock(), common={}, best_of=1,
            kinds=("me", "bot", "bot", "bot"), haste=True,
        ).lived(6)
        for name in ("nothing", *BY_SQL)
    }  # fmt: skip
    for name, (statement, _) in BY_SQL.items():
        no = begun[name].no
        first = stream_rows.rows(store, no)[3].first
        owner(statement.format(here=f"match_no = {no}", no=no, first=first))
    made = {name: failed(audit(store, one.id)) for name, one in begun.items()}
    assert made.pop("nothing") == {}
    assert {name: check for name, (_, check) in BY_SQL.items() if check not in made[name]} == {}
    assert all(at is not None for name, found in made.items() for at in found.values() if name != "another's number")
    assert stored_rows.stray(store, -1_000_000, 0) is not None


def test_audit_reports_text_that_is_not_utf8(empty_sqlite: Callable[[Path], str], sqlite_path: Path):
    path = sqlite_path
    with closing(open_store(empty_sqlite(path))) as store:
        one = played(store, GIN, "on", "bytes")
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
                connection.execute(f"DROP TRIGGER {name}")
            connection.execute("UPDATE commits SET events = CAST(x'ff' AS TEXT) WHERE first = 1")
            connection.execute("UPDATE matches SET options = CAST(x'ff' AS TEXT)")
        assert failed(audit(store, one.id))["chain"] == 1
