"""Tests that an audit of a stored match passes, however it was played, and that its report names no cards."""

from contextlib import closing
from copy import deepcopy
from dataclasses import asdict, replace
from random import Random
from threading import Thread
from typing import Any

import pytest

from api.cli import audit_all
from domain.core.clock import Clock
from domain.games.catalogue import GAMES
from domain.match.state import RULES
from events.operations.audit import audit, audit_to_output, report
from events.proof.findings import Report, good, make_report, skip_check
from events.proof.limited_process import kept_head
from events.store.opening import open_store
from events.store.protocol import Store
from events.store.tables import pending_rows, stored_rows
from tests.draws import first_of, is_thorough
from tests.laws.games import ENTRIES, OF
from tests.service.whole_matches import CALLERS, CLOCKS, COMMON, DAY_MS, WholeMatch, resigns

HEARTS, GIN, EIGHTS, TRIO = (OF[name][0] for name in ("hearts", "gin_rummy", "crazy_eights", "trio"))
BLOCKS = [(entry, name) for entry in ENTRIES for name in list(entry.blocks)[: None if is_thorough() else 2]]


@pytest.fixture
def shared_store(shared_sqlite: Store) -> Store:
    """Return a store for the matches of this file."""
    return shared_sqlite


def holds(store: Store, match_id: str, verdict: str = "verified") -> Report:
    made = audit(store, match_id)
    assert made is not None
    assert [check for check in made.checks if not check.ok] == []
    assert (made.verdict, made.ok) == (verdict, verdict == "verified")
    return made


# --- Law: what was played holds -----------------------------------------------------------------------------


@pytest.mark.parametrize(("entry", "block"), BLOCKS, ids=[f"{e.game.name} {e.seats} {name}" for e, name in BLOCKS])
def test_audit_passes_for_every_set_of_options(shared_store: Store, entry, block: str):
    rng = Random(f"{entry.seats}{block}")
    one = WholeMatch(shared_store, entry, rng.choice(entry.blocks[block]), rng).lived(40)
    made = holds(shared_store, one.id)
    assert [c.name for c in made.checks] == [
        "chain",
        "seals",
        "shuffles",
        "rules",
        "result",
        "moves",
        "codes",
        "projections",
    ]
    assert [c.name for c in made.checks if c.skipped] == []


@pytest.mark.parametrize("turned", first_of([0, 1]))
@pytest.mark.parametrize("common", COMMON, ids=str)
def test_audit_passes_for_every_course_of_a_match(shared_store: Store, common, turned: int):
    """Matches have nonces in each mode, pauses, disclosures and expired clocks. Players resign and return."""
    games = [entries[0] for entries in OF.values()]
    i = COMMON.index(common) + turned
    entry, clock = games[i % len(games)], CLOCKS[i % len(CLOCKS)]
    chosen = next(iter(entry.blocks.values()))[0]
    one = WholeMatch(shared_store, entry, chosen, Random(f"{common}{turned}"), common=common, clock=clock).lived(70)
    holds(shared_store, one.id)


@pytest.mark.parametrize("seed", [0, 1])
def test_audit_passes_for_a_series(shared_store: Store, seed: int):
    chosen = GIN.blocks[next(iter(GIN.blocks))][0]
    one = WholeMatch(
        shared_store, GIN, chosen, Random(seed), best_of=3, kinds=("me", "open"), clock=CLOCKS[seed]
    ).lived(120)
    resigns(one)
    assert one.now.over
    assert holds(shared_store, one.id).checks[4].detail.startswith("The match ended")


@pytest.mark.long
def test_audit_passes_for_several_epochs(shared_store: Store, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("domain.match.match_shuffles.links_needed", lambda *_: 1)
    for common in ({}, {"nonce_commit": True}, {"nonce_seconds": 60}):
        one = WholeMatch(
            shared_store, EIGHTS, EIGHTS.blocks[next(iter(EIGHTS.blocks))][0], Random(str(common)),
            common=common, clock=Clock(), best_of=3, haste=True,
        ).lived(200)  # fmt: skip
        assert one.now.shuffles.epoch > 1
        holds(shared_store, one.id)


def test_audit_passes_for_lobbies_that_never_start(shared_store: Store):
    entry, chosen = HEARTS, HEARTS.blocks["hearts 1-1"][0]

    def lobby(seed: int, **common: object) -> WholeMatch:
        return WholeMatch(shared_store, entry, chosen, Random(seed), common=common, kinds=("me", "open", "open", "bot"))

    waiting, cancelled, expired, left = (lobby(seed) for seed in range(4))
    cancelled.matches.cancel(cancelled.id, CALLERS[0])
    expired.at += 31 * DAY_MS
    expired.matches.settle(expired.id)
    left.matches.sit(left.id, CALLERS[1], 1)
    left.matches.leave(left.id, CALLERS[1], 1)
    left.matches.sit(left.id, CALLERS[2], 1)
    assert [one.now.status for one in (waiting, cancelled, expired, left)] == [
        "lobby",
        "cancelled",
        "expired",
        "lobby",
    ]
    for one in (waiting, cancelled, expired, left):
        holds(shared_store, one.id)


# --- While it is played --------------------------------------------------------------------------------------


def test_audit_passes_at_every_version_of_a_match(store: Store, url: str):
    one = WholeMatch(
        store, HEARTS, HEARTS.blocks["hearts 1-1"][0], Random(1), clock=Clock(), common={}, best_of=1,
        kinds=("me", "bot", "bot", "bot"), haste=True,
    )  # fmt: skip
    playing = Thread(target=one.lived, args=(60,))
    playing.start()
    versions = set()
    with closing(open_store(url)) as other:
        while playing.is_alive():
            versions.add(holds(other, one.id).version)
    playing.join()
    assert len(versions) > 1


def test_started_or_retried_work_is_not_a_fault(store: Store):
    one = WholeMatch(
        store, HEARTS, HEARTS.blocks["hearts 1-1"][0], Random(1), clock=Clock(per_decision_seconds=60), common={},
        best_of=1, kinds=("me", "open", "bot", "bot"), haste=True,
    ).lived(12)  # fmt: skip
    for _ in range(3):
        pending_rows.claim_due(store, one.at + 10**9, 10)
    holds(store, one.id)


# --- What a report says ----------------------------------------------------------------------------------------


def test_audit_skips_the_rules_of_a_match_by_older_rules(shared_store: Store, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(GAMES, "trio", replace(GAMES["trio"], rules="0"))
    one = WholeMatch(shared_store, TRIO, TRIO.blocks[next(iter(TRIO.blocks))][0], Random(1), haste=True).lived(30)
    monkeypatch.undo()
    made = holds(shared_store, one.id, "unverifiable")
    assert [c.name for c in made.checks if c.skipped and c.name != "result"] == ["rules"]
    assert f"version {RULES}.0 of the rules" in made.checks[3].detail


def test_summary_counts_the_reasons_why_matches_cannot_be_judged():
    sealed, good_ = skip_check("shuffles", "No seed has been disclosed.", sealed=True), good("chain", "It holds.")
    of_old_rules = skip_check("rules", "Version 0 of the rules is not known here.")
    total = audit_all._Sum()
    for n, checks in enumerate([[good_, sealed], [sealed], [sealed, of_old_rules], [good_]]):
        total.add(audit_all.journal_entry(make_report(f"m-{n}", None, 1, "00", checks)))
    assert list(audit_all._summary(total, interrupted=False, resumable=False))[1:] == [
        "2 matches could not be fully audited: Not all cards are disclosed yet.",
        "1 match could not be fully audited: Version 0 of the rules is not known here.",
    ]


def test_kept_head_is_compared(shared_store):
    one = WholeMatch(shared_store, TRIO, TRIO.blocks[next(iter(TRIO.blocks))][0], Random(1), haste=True).lived(5)
    made = holds(shared_store, one.id)
    kept = kept_head(f"{made.version}:{made.head}")
    one.lived(5)
    assert audit(shared_store, one.id, [kept]).ok
    for wrong in ((kept[0], "0" * 64), (kept[0] - 1, kept[1]), (10**6, kept[1])):
        findings = audit(shared_store, one.id, [kept, wrong])
        assert [c.name for c in findings.checks if not c.ok] == ["chain"]


def test_audit_of_an_unknown_match_is_refused(shared_store: Store):
    assert audit(shared_store, "nothing") is None


def test_audit_report_does_not_depend_on_hidden_cards(empty_sqlite, tmp_path, monkeypatch: pytest.MonkeyPatch):
    """With the same public events and the same damage, but different hands, the reports are the same."""
    monkeypatch.setattr("events.service.create.new_id", lambda: "m" * 20)
    findings = []
    for seed in range(3):
        with closing(open_store(empty_sqlite(tmp_path / str(seed)))) as store:
            monkeypatch.setattr(WholeMatch, "draws", lambda self, n, seed=seed: bytes([seed]) * n)
            one = WholeMatch(
                store, HEARTS, HEARTS.blocks["hearts 1-1"][0], Random(1), clock=Clock(), common={}, best_of=1,
                kinds=("me", "open", "open", "open"), haste=True,
            ).lived(3)  # fmt: skip
            found: Any = stored_rows.read_stored(store, one.id)
            reports = [found]
            dealt = next(i for i, row in enumerate(found.commits) if row.secrets)
            for column, value in (
                ("secrets", None),
                ("secrets", "{}"),
                ("mac", None),
                ("at_ms", 1),
                ("n", 1),
            ):
                worse = deepcopy(found)
                worse.commits[dealt] = worse.commits[dealt]._replace(**{column: value})
                reports.append(worse)
            swapped = deepcopy(found)
            secrets: Any = found.commits[dealt].secrets
            swapped.commits[dealt] = found.commits[dealt]._replace(secrets=secrets.replace('"0":', '"9":', 1))
            lost = deepcopy(found)
            lost.secrets = None
            findings.append([{**asdict(report(r)), "head": ""} for r in (*reports, swapped, lost)])
            assert {name for row in secrets.split('"') for name in [row] if len(name) == 2 and name[1] in "CDHS"}
    assert findings[0] == findings[1] == findings[2]
    assert [r["ok"] for r in findings[0]] == [True] + [False] * 7


def test_audit_runs_in_a_separate_process(url: str, store: Store, monkeypatch: pytest.MonkeyPatch, capfdbinary):
    monkeypatch.setenv("DATABASE_URL", url)
    monkeypatch.setattr("resource.setrlimit", lambda *_: None)
    one = WholeMatch(store, TRIO, TRIO.blocks[next(iter(TRIO.blocks))][0], Random(1), haste=True).lived(5)
    assert audit_to_output(one.id) == 0
    assert b'"ok":true' in capfdbinary.readouterr().out
    monkeypatch.setenv("DATABASE_URL", "sqlite:////nowhere/at/all")
    assert audit_to_output(one.id) == 1
    assert b"Unavailable at " in capfdbinary.readouterr().err
