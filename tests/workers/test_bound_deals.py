"""Tests that deals follow from a secret of the tournament, which is disclosed when it can no longer affect a match."""

import json
from unittest.mock import patch

import pytest

from api.resources.event_routes import all_events
from api.resources.record_routes import recorded_match
from domain.match.resignations import Resign
from domain.tournament.organiser import CancelTournament
from domain.tournament.round_tables import RuleTable
from domain.tournament.table_deals import DealsDisclosed
from domain.tournament.tournament_plan import TournamentPlan
from events.operations.audit_streams import audit_stream
from events.proof import record
from events.service import tournaments, views
from events.service.tournament_rounds import rounds_of
from events.service.tournaments import export_lines
from tests.proof.test_second_verifier import node
from tests.proof.test_tournament_records import both, tables_of
from tests.tournament.evenings import ORGANISER
from tests.tournament.lives import Hands, Life, terms
from tests.workers.test_duplicate_runner import PLAN as DUPLICATE
from tests.workers.test_duplicate_runner import Round
from tests.workers.test_tournament_runner import events

__all__ = ["node"]


@pytest.fixture
def now():
    return Hands()


def with_all_matches(one):
    """Return the record of a tournament with those of all its matches, parsed."""
    found = tournaments.load_tournament(one.matches, one.id)
    first, *of_it = [json.loads(line) for line in export_lines(found)]
    ids = [match_id for each in rounds_of(found) for table in each.tables for match_id in table.matches]
    seen = [views.see_match(one.matches, match_id, one.caller(0)) for match_id in ids]
    tables = [
        b"".join(record.write_record(recorded_match(one.matches, each), all_events(one.matches, each, 0)))
        for each in seen
    ]
    return {"about": first, "events": of_it, "tables": list(map(json.loads, tables))}


def is_disclosed(one):
    return any(isinstance(event, DealsDisclosed) for event in events(one))


@pytest.mark.parametrize("plan", [TournamentPlan("swiss", 2, 2, rounds=2), TournamentPlan("single_elimination", 2, 2)])
def test_deals_of_every_match_follow_from_the_tournaments_secret(store, now, node, plan):
    one = Life(store, now, 4, plan).to_the_end()
    assert is_disclosed(one)
    (report,) = both(node, [with_all_matches(one)])
    assert (report[0], tables_of(report)) == ("verified", (True, False, None))


def test_replayed_match_has_different_derived_deals(store, now, node):
    one = Life(store, now, 2, TournamentPlan("single_elimination", 2, 2))
    one.looks()
    one.sit(0)
    one.draws(0)
    one.to_the_end()
    made = with_all_matches(one)
    commitments = {match["fairness"]["epochs"][0]["commitment"] for match in made["tables"]}
    assert len(commitments) == 2
    (report,) = both(node, [made])
    assert report[0] == "verified"


def test_all_tables_of_a_duplicate_have_the_deals_of_their_round(store, now, node):
    one = Round(store, now, 4, DUPLICATE)
    one.to_the_end()
    one.works()
    (report,) = both(node, [with_all_matches(one)])
    assert (report[0], tables_of(report)) == ("verified", (True, False, None))


def test_deals_drawn_by_the_server_afterwards_are_found(store, now, node):
    with patch("events.service.tournament_tables.root_of", lambda context, t, row: context.draw(32)):
        one = Life(store, now, 2, TournamentPlan("swiss", 2, 2, rounds=1)).to_the_end()
    (report,) = both(node, [with_all_matches(one)])
    assert (report[0], tables_of(report)[:2]) == ("failed", (False, False))


def deals_check(one):
    return next(check for check in audit_stream(one.store, one.id).checks if check.name == "deals")


@pytest.mark.parametrize(
    ("plan", "life"), [(TournamentPlan("swiss", 2, 2, rounds=2), Life), (DUPLICATE, Round)], ids=["swiss", "duplicate"]
)
def test_audit_compares_the_deals_of_running_and_finished_matches(store, now, plan, life):
    one = life(store, now, 4, plan)
    one.looks()
    check = deals_check(one)
    assert (check.ok, check.detail) == (True, "The shuffles of 2 matches follow from it.")
    one.to_the_end()
    assert deals_check(one).ok


def test_audit_finds_deals_outside_the_commitment_at_a_running_table(store, now):
    with patch("events.service.tournament_tables.root_of", lambda context, t, row: context.draw(32)):
        one = Life(store, now, 2, TournamentPlan("swiss", 2, 2, rounds=2))
        one.looks()
    check = deals_check(one)
    assert not check.ok
    assert f"{one.match(0)} does not have the deals" in check.detail
    assert [check.name for check in audit_stream(one.store, one.id).checks if not check.ok] == ["deals"]


def test_audit_finds_a_secret_that_does_not_match_the_commitment(store, now):
    with patch("events.service.tournaments.deals_secret", lambda secret: b"x" * 32):
        one = Life(store, now, 2, TournamentPlan("swiss", 2, 2, rounds=2))
    assert "does not match the tournament's commitment" in deals_check(one).detail


def test_deals_stay_secret_until_the_match_of_a_ruled_table_ends(store, now, node):
    one = Life(store, now, 2, TournamentPlan("swiss", 2, 2, rounds=1))
    one.looks()
    one.sit(0)
    match, player = one.match(0), one.caller(0)
    one.tell(RuleTable(ORGANISER, 0, (1, 2), "Both agreed."))
    one.looks()
    assert (one.state.status, is_disclosed(one)) == ("over", False)
    one.matches.move(match, player, None, Resign(whole_match=True))
    one.looks()
    assert is_disclosed(one)


def test_a_cancelled_tournament_discloses_its_deals_when_its_last_match_is_over(store, now):
    one = Life(store, now, 4, TournamentPlan("swiss", 2, 2, rounds=2))
    one.looks()
    for table in (0, 1):
        one.sit(table)
    players = [one.caller(one.state.tables[table][0]) for table in (0, 1)]
    matches = [one.match(table) for table in (0, 1)]
    one.tell(CancelTournament(ORGANISER, "Rain."))
    for match, player in zip(matches, players, strict=True):
        one.looks()
        assert not is_disclosed(one)
        one.matches.move(match, player, None, Resign(whole_match=True))
    one.looks()
    assert is_disclosed(one)


def test_tournament_without_disclosure_keeps_its_deals_secret(store, now, node):
    plan = TournamentPlan("swiss", 2, 2, rounds=1)
    one = Life(store, now, 2, plan, terms=terms(fairness_reveal="never")).to_the_end()
    assert not is_disclosed(one)
    (report,) = both(node, [with_all_matches(one)])
    assert report[0] == "unverifiable"
