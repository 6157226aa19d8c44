"""Tests that ratings follow from the log: found once by any process, and recomputed identically."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from sqlalchemy import delete, select, update

from domain import match as life
from domain.core.game import Refused
from domain.match.resignations import Resign
from domain.ratings import trust
from domain.ratings.finished import READING
from events.errors import Busy, NotFound
from events.follow.follower import Follower
from events.operations import audit as audits
from events.operations.audit import audit
from events.operations.rebuild import rebuild_ratings
from events.ratings import rated_handler
from events.ratings.rated_handler import RatedHandler
from events.ratings.rating_fold import RatingFold
from events.service.access import Caller
from events.service.create import PracticeRequest
from events.service.rulings import annul_match
from events.store.player_records import RatingRun
from events.store.protocol import Store
from events.store.schema.tournament_schema import rated_matches, rating_changes, rating_state, rating_trusts, ratings
from events.store.tables import rating_rows, stream_rows
from tests.bound import Matches
from tests.ratings.following import follow
from tests.service.test_groups import ANN, BOB, CEM, DAY, Machine, asked, holds, matches, now, places, work
from tests.store.result_rows import read_results
from workers.rater import Rater
from workers.tasks.bot_turn_tasks import choose

__all__ = ["matches", "now"]

pytestmark = pytest.mark.both_databases

DAN = Caller("dan", "token")


@pytest.fixture(autouse=True)
def all_are_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make all results count in full from the first match on."""
    monkeypatch.setattr(trust, "UNPROVEN", 1.0)


class Killed(Exception):
    """Stands for the death of a process."""


def played(matches: Matches, now: Machine, winner: Caller, loser: Caller, **chosen: Any) -> str:
    """Play a match that the loser resigns after more than an hour."""
    now.passes(3_600_000)
    new = replace(asked(**{"rated": True, "seats_per_player": 1, **chosen}), places=places("me", "open"))
    seen = matches.create(winner, new)
    matches.sit(seen.match_id, loser, 1)
    decided: set[int] = set()
    while len(decided) < 2:
        (seat,) = life.to_act(matches.see(seen.match_id, winner).match)
        decided.add(seat)
        there = matches.see(seen.match_id, (winner, loser)[seat])
        matches.move(seen.match_id, (winner, loser)[seat], seat, choose(there, Random(seat), matches.shown(there)))
    now.passes(4_000_000)
    matches.move(seen.match_id, loser, 1, Resign(whole_match=True))
    work(matches, now)
    return seen.match_id


def evening(matches: Matches, now: Machine) -> None:
    """Ann beats Bob twice, Bob beats Cem, Cem beats Ann."""
    for winner, loser in ((ANN, BOB), (ANN, BOB), (BOB, CEM), (CEM, ANN)):
        played(matches, now, winner, loser)


def rate(store: Store) -> None:
    fold = RatingFold(store)
    follow(store, Follower(store, RatedHandler(store)).step)
    while fold.step():
        pass


def rebuild(store: Store, *, from_logs: bool = True) -> None:
    for _ in rebuild_ratings(store, from_logs=from_logs):
        pass
    rate(store)


def writes(store: Store, statement: Any) -> None:
    store.write(lambda connection: connection.execute(statement))


def rows(store: Store) -> list[Any]:
    """Return everything derived from the matches."""
    return [
        sorted(store.read(select(table)), key=tuple)
        for table in (rated_matches, rating_changes, ratings, rating_trusts)
    ]


def shown(store: Store) -> dict[str, float]:
    return {row.player_id: row.mu for row in store.read(select(ratings))}


def test_finished_matches_are_rated(matches: Matches, now: Machine):
    evening(matches, now)
    rate(matches.store)
    of = shown(matches.store)
    assert of["ann"] > 1500 > of["bob"]
    found = matches.store.read(select(ratings).where(ratings.c.player_id == "ann"))
    ((pool, played_by_ann, won),) = [(row.pool, row.matches, row.wins) for row in found]
    assert (pool.split(":")[1:], played_by_ann, won) == (["usual", "mail"], 3, 2)
    assert len(rows(matches.store)[1]) == 4


def test_unrated_matches_are_not_rated(matches: Matches, now: Machine):
    match_id = played(matches, now, ANN, BOB, rated=False)
    handler = RatedHandler(matches.store)
    assert not handler.wants_commits()
    again = matches.practice(match_id, ANN, PracticeRequest(None, None, "private", DAY))
    assert again.match.common.rated is False
    rate(matches.store)
    assert rows(matches.store) == [[], [], [], []]
    played(matches, now, ANN, BOB)
    assert handler.wants_commits()


@pytest.mark.parametrize("from_logs", [False, True])
def test_rebuilt_ratings_are_identical(matches: Matches, now: Machine, from_logs: bool):
    evening(matches, now)
    rate(matches.store)
    before = rows(matches.store)
    writes(matches.store, update(ratings).values(mu=1.0))
    rebuild(matches.store, from_logs=from_logs)
    assert len(rows(matches.store)[0]) == 4
    assert rows(matches.store) == before


@pytest.mark.parametrize("most", [3, 100])
def test_rebuild_next_to_a_rating_server_reports_its_progress(
    matches: Matches, now: Machine, monkeypatch: pytest.MonkeyPatch, most: int
):
    evening(matches, now)
    rate(matches.store)
    of_the_server, step = RatingFold(matches.store), RatingFold.step

    def behind(fold: RatingFold) -> int:
        step(of_the_server, most)
        return step(fold)

    monkeypatch.setattr(RatingFold, "step", behind)
    assert list(rebuild_ratings(matches.store))[-1] == 4
    assert shown(matches.store)["ann"] > 1500


def test_rebuild_restarts_while_a_server_continues(matches: Matches, now: Machine, monkeypatch: pytest.MonkeyPatch):
    evening(matches, now)
    rate(matches.store)
    before = rows(matches.store)
    writes(matches.store, update(ratings).values(mu=1.0))
    state, asked = rating_rows.state, []

    def first_a_match_behind(store: Store) -> RatingRun | None:
        found = state(store)
        asked.append(found)
        return found if found is None or len(asked) > 1 else found._replace(place=found.place - 1)

    monkeypatch.setattr(rating_rows, "state", first_a_match_behind)
    rebuild(matches.store, from_logs=False)
    assert rows(matches.store) == before


def test_rebuild_ends_when_a_server_is_always_faster(matches: Matches, now: Machine, monkeypatch: pytest.MonkeyPatch):
    evening(matches, now)
    rate(matches.store)
    monkeypatch.setattr(rating_rows, "begin_ratings", lambda *_: False)
    with pytest.raises(Busy):
        rebuild(matches.store, from_logs=False)


def test_match_notes_are_read_from_the_log_again_only_on_request(
    matches: Matches, now: Machine, monkeypatch: pytest.MonkeyPatch
):
    read: list[int] = []
    real = rated_handler.read_ended_match

    def over(match_no: int, *log: Any) -> Any:
        read.append(match_no)
        return real(match_no, *log)

    monkeypatch.setattr(rated_handler, "read_ended_match", over)
    evening(matches, now)
    rate(matches.store)
    played(matches, now, ANN, CEM)
    assert len(read) == 4
    rebuild(matches.store, from_logs=False)
    assert (len(read), len(rows(matches.store)[1])) == (5, 5)
    rebuild(matches.store)
    assert (len(read), len(rows(matches.store)[1])) == (10, 5)


def test_audit_finds_invented_notes_for_ratings(matches: Matches, now: Machine):
    first, match_id = played(matches, now, ANN, BOB), played(matches, now, ANN, BOB)
    rate(matches.store)
    holds(matches.store, match_id)
    head = stream_rows.head(matches.store, match_id)
    assert head is not None
    there = rated_matches.c.match_no == head.match_no
    found = matches.store.read(select(rated_matches.c.facts).where(there))[0].facts
    for wrong in (found.replace('"place":2', '"place":1'), "", "{}"):
        writes(matches.store, update(rated_matches).where(there).values(facts=wrong))
        report = audit(matches.store, match_id)
        assert report is not None
        assert [check.name for check in report.checks if not check.ok] == ["projections"]
    holds(matches.store, first)
    writes(matches.store, delete(rated_matches).where(there))
    holds(matches.store, match_id)  # it is recorded a moment after its end


def test_notes_of_an_earlier_version_are_valid_and_rewritten_on_request(
    matches: Matches, now: Machine, monkeypatch: pytest.MonkeyPatch
):
    match_id = played(matches, now, ANN, BOB)
    rate(matches.store)
    by_today = "The projections follow from the log."
    assert checked(matches.store, match_id) == (True, by_today)
    text = matches.store.read(select(rated_matches.c.facts))[0].facts
    writes(matches.store, update(rated_matches).values(facts=text.replace('"left":true', '"left":false')))
    assert checked(matches.store, match_id)[0] is False
    monkeypatch.setattr(audits, "READING", READING + 1)
    monkeypatch.setattr(rated_handler, "READING", READING + 1)
    assert checked(matches.store, match_id) == (True, audits.EARLIER_READING)
    for never in (READING + 2, 0, -1):
        writes(matches.store, update(rated_matches).values(reading=never))
        assert checked(matches.store, match_id)[0] is False
    rebuild(matches.store)
    assert [row.reading for row in matches.store.read(select(rated_matches.c.reading))] == [READING + 1]
    assert checked(matches.store, match_id) == (True, by_today)


def checked(store: Store, match_id: str) -> tuple[bool, str]:
    """Return the audit's finding about the projections."""
    report = audit(store, match_id)
    assert report is not None
    (found,) = [check for check in report.checks if check.name == "projections"]
    return found.ok, found.detail


def test_changed_reading_requires_a_new_version(matches: Matches, now: Machine):
    played(matches, now, ANN, BOB)
    rate(matches.store)
    seats = (
        '[{"player":"ann","level":null,"side":0,"place":1,"left":false,"quick":"","decided":true}'
        ',{"player":"bob","level":null,"side":1,"place":2,"left":true,"quick":"","decided":true}]'
    )
    by_version = {1: seats, 2: seats}  # version 1 rated duplicate groups too
    (row,) = matches.store.read(select(rated_matches.c.facts, rated_matches.c.reading))
    assert row.reading == max(by_version)
    assert row.facts.endswith(f'"seats":{by_version[READING]}' + "}")


def test_new_formula_recomputes_all_from_the_found_matches(matches: Matches, now: Machine):
    evening(matches, now)
    rate(matches.store)
    before = rows(matches.store)
    another = RatingFold(matches.store, formula="another")
    assert [another.step(), another.step()] == [4, 0]
    assert rows(matches.store) == before
    assert [tuple(row) for row in matches.store.read(select(rating_state.c.formula, rating_state.c.run))] == [
        ("another", 2)
    ]


def test_ratings_do_not_depend_on_raters_and_batch_sizes(matches: Matches, now: Machine):
    one, two = RatingFold(matches.store), RatingFold(matches.store)
    followers = [Follower(matches.store, RatedHandler(matches.store)) for _ in "ab"]
    for winner, loser in ((ANN, BOB), (BOB, ANN), (ANN, CEM), (ANN, BOB), (CEM, BOB)):
        played(matches, now, winner, loser)
        for follower in followers:
            follower.step()
        for fold in (two, one) if winner is ANN else (one, two, one):
            fold.step(1)
    follow(matches.store, followers[0].step)
    while one.step(1) or two.step(2):
        pass
    before = rows(matches.store)
    assert len(before[1]) == 5
    rebuild(matches.store)
    assert rows(matches.store) == before


def test_one_of_two_concurrent_raters_rates_a_match(matches: Matches, now: Machine, monkeypatch: pytest.MonkeyPatch):
    evening(matches, now)
    follower, slow, fast = Follower(matches.store, RatedHandler(matches.store)), *map(RatingFold, [matches.store] * 2)
    follow(matches.store, follower.step)
    read, faster = rating_rows.read_rated_after, iter([lambda: fast.step(2)])

    def overtaken(*asked: Any) -> Any:
        page = read(*asked)
        for meanwhile in faster:
            meanwhile()
        return page

    monkeypatch.setattr(rating_rows, "read_rated_after", overtaken)
    slow.step(3)
    assert sum(row.matches for row in matches.store.read(select(ratings))) == 4
    while slow.step():
        pass
    before = rows(matches.store)
    rebuild(matches.store)
    assert rows(matches.store) == before


def test_voided_match_has_no_effect_on_ratings(matches: Matches, now: Machine):
    first = played(matches, now, ANN, BOB)
    evening(matches, now)
    rate(matches.store)
    with_it = shown(matches.store)
    annul_match(matches, first, "Bob lost it on purpose.")
    rate(matches.store)
    without = rows(matches.store)[1:]
    assert shown(matches.store) != with_it
    assert [len(table) for table in without] == [4, 3, 3]
    assert read_results(matches.store, "ann")
    assert first not in {match_id for match_id, _ in read_results(matches.store, "ann")}
    holds(matches.store, first)
    rebuild(matches.store)
    assert rows(matches.store)[1:] == without


def test_only_matches_after_a_voided_one_are_rated_again(matches: Matches, now: Machine):
    """Earlier matches keep their ratings, and the voided match does not affect new players."""
    evening(matches, now)
    wrong = [played(matches, now, CEM, BOB), played(matches, now, ANN, DAN)]
    last = [played(matches, now, *pair) for pair in ((ANN, CEM), (DAN, CEM))]
    follower, one, two = Follower(matches.store, RatedHandler(matches.store)), *map(RatingFold, [matches.store] * 2)
    follow(matches.store, follower.step)
    assert [one.step(5), two.step(), one.step(), two.step()] == [5, 3, 0, 0]
    for match_id in wrong:
        annul_match(matches, match_id, "They had agreed on it.")
    follow(matches.store, follower.step)
    assert shown(matches.store).keys() == {"ann", "bob", "cem"}  # as it was before them
    assert [one.step(1), two.step(), one.step()] == [1, len(last) - 1, 0]
    without = rows(matches.store)[1:]
    assert [len(table) for table in without] == [6, 4, 4]
    annul_match(matches, last[-1], "It was the last.")
    follow(matches.store, follower.step)
    played(matches, now, BOB, DAN)  # the next one takes its place
    rate(matches.store)
    for found in (without, rows(matches.store)[1:]):
        assert next(row for row in found[1] if row.player_id == "dan").matches == 1
    before = rows(matches.store)[1:]
    rebuild(matches.store)
    assert rows(matches.store)[1:] == before


def test_match_read_before_voiding_is_not_rated_after_it(
    matches: Matches, now: Machine, monkeypatch: pytest.MonkeyPatch
):
    wrong = played(matches, now, ANN, BOB)
    follower, fold = Follower(matches.store, RatedHandler(matches.store)), RatingFold(matches.store)
    follow(matches.store, follower.step)
    read = rating_rows.read_rated_after

    def overtaken(*asked: Any) -> Any:
        page = read(*asked)
        if page:
            annul_match(matches, wrong, "Bob lost it on purpose.")
            follow(matches.store, follower.step)
        return page

    monkeypatch.setattr(rating_rows, "read_rated_after", overtaken)
    fold.step()
    fold.step()
    assert rows(matches.store) == [[], [], [], []]


def test_match_voided_before_its_rating_is_not_rated(matches: Matches, now: Machine):
    annul_match(matches, played(matches, now, ANN, BOB), "A test of ours.")
    rate(matches.store)
    assert rows(matches.store) == [[], [], [], []]


def test_voiding_an_unrated_match_recomputes_no_rating(matches: Matches, now: Machine):
    evening(matches, now)
    rate(matches.store)
    run = matches.store.read(select(rating_state.c.run))
    annul_match(matches, played(matches, now, ANN, BOB, rated=False), "A test of ours.")
    rate(matches.store)
    assert matches.store.read(select(rating_state.c.run)) == run


def test_match_without_a_result_cannot_be_voided(matches: Matches, now: Machine):
    running = matches.create(ANN, replace(asked(), places=places("me", "open"))).match_id
    over = played(matches, now, ANN, BOB)
    annul_match(matches, over, "Once.")
    for match_id, error in ((running, Refused), (over, Refused), ("0" * 20, NotFound), ("no id", NotFound)):
        with pytest.raises(error):
            annul_match(matches, match_id, "Again.")


@pytest.fixture
def dying(matches: Matches, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Transactions of the store; those with these numbers are rolled back as if a process died."""
    deaths: list[int] = []
    real, count = matches.store.write, iter(range(1_000))

    def write(work: Any) -> Any:
        dies = next(count) in deaths

        def done(connection: Any) -> Any:
            result = work(connection)
            if dies:
                raise Killed
            return result

        return real(done)

    monkeypatch.setattr(matches.store, "write", write)
    yield deaths
    monkeypatch.undo()


def test_process_killed_between_two_steps_does_nothing_twice(matches: Matches, now: Machine, dying: list[int]):
    evening(matches, now)
    dying += range(0, 1_000, 2)
    for _ in range(12):
        with suppress(Killed):
            rate(matches.store)
    dying.clear()
    rate(matches.store)
    before = rows(matches.store)
    assert [len(table) for table in before] == [4, 4, 3, 3]
    rebuild(matches.store)
    assert rows(matches.store) == before


def test_unreadable_match_does_not_prevent_rating_others(
    matches: Matches, now: Machine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    broken = played(matches, now, ANN, BOB)
    played(matches, now, BOB, CEM)
    real = RatedHandler._of_log

    def of_log(self: RatedHandler, match_no: int, match_id: str) -> Any:
        if match_id == broken:
            raise ValueError
        return real(self, match_no, match_id)

    monkeypatch.setattr(RatedHandler, "_of_log", of_log)
    rate(matches.store)
    assert set(shown(matches.store)) == {"bob", "cem"}
    assert broken in caplog.text


def test_rater_sleeps_without_rated_matches_and_catches_up_later(matches: Matches, now: Machine):
    rater = Rater(matches.store)
    assert rater.look() > 1
    evening(matches, now)
    follow(matches.store, rater.look)
    while rater.look() == 0:
        pass
    assert shown(matches.store).keys() == {"ann", "bob", "cem"}
