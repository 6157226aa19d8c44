"""Tests duplicate groups with `nonce_commit`: no nonce of any table is opened before all hashes are closed."""

from hashlib import sha256

import pytest

from domain import match as life
from domain.core.game import Refused
from domain.match import Intent
from domain.match.group import ShareCommitments, ShareDeals
from events.store.tables import reliability_rows
from tests.bound import Matches
from tests.service.test_groups import ANN, BOB, NONCES, Machine, asked, events, holds, kinds, matches, now, places, work

__all__ = ["matches", "now"]

HASHES = tuple(sha256(nonce.encode()).hexdigest() for nonce in NONCES)


def committed(matches: Matches, now: Machine, *, second: bool = True) -> tuple[str, str]:
    """Return two tables, of which both or only the first have promised nonces."""
    made = matches.create_group(ANN, asked(nonce_commit=True), [places("me", "bot"), places("open", "bot")])
    one, two = made.group.tables
    matches.sit(one, ANN, 0, nonce_hash=HASHES[0])
    if second:
        matches.sit(two, BOB, 0, nonce_hash=HASHES[1])
    work(matches, now)
    return one, two


@pytest.mark.both_databases
def test_nonces_are_revealed_after_all_tables_closed_their_hashes(matches: Matches, now: Machine) -> None:
    one, two = committed(matches, now, second=False)
    with pytest.raises(Refused, match="wrong_phase"):
        matches.sit(one, ANN, 0, nonce=NONCES[0])
    with pytest.raises(Refused, match="already_started"):
        matches.leave(one, ANN, 0)
    matches.sit(two, BOB, 0, nonce_hash=HASHES[1])
    work(matches, now)
    matches.sit(one, ANN, 0, nonce=NONCES[0])
    assert matches.see(one, ANN).match.status == "lobby"
    matches.sit(two, BOB, 0, nonce=NONCES[1])
    work(matches, now)
    for table, who in ((one, ANN), (two, BOB)):
        told = kinds(matches, table, who)
        assert told.index("CommitmentsShared") < told.index("NonceSubmitted") < told.index("DealsShared")
        said = {e["type"]: e["data"] for e in events(matches, table, who)}
        assert said["CommitmentsShared"]["hashes"] == [[HASHES[0], ""], [HASHES[1], ""]]
        assert said["DealsShared"]["nonces"] == [[NONCES[0], ""], [NONCES[1], ""]]
        holds(matches.store, table)


def test_table_past_its_hash_deadline_waits_for_the_others(matches: Matches, now: Machine) -> None:
    one, two = committed(matches, now, second=False)
    now.passes(61_000)
    work(matches, now)
    assert matches.see(one, ANN).match.shuffles.stage == "hashes_closed"
    assert "NonceSubmitted" not in kinds(matches, one, ANN)
    matches.sit(two, BOB, 0)
    now.passes(61_000)
    work(matches, now)
    assert matches.see(one, ANN).match.shuffles.stage == "nonces"
    now.passes(61_000)
    work(matches, now)
    assert [matches.see(t, who).match.status for t, who in ((one, ANN), (two, BOB))] == ["playing"] * 2


def test_unopened_nonce_counts_as_empty_at_all_tables(matches: Matches, now: Machine) -> None:
    one, two = committed(matches, now)
    matches.sit(two, BOB, 0, nonce=NONCES[1])
    now.passes(61_000)
    work(matches, now)
    assert matches.see(one, ANN).match.group.shared == ("", "", NONCES[1], "")


def test_tables_take_only_the_nonces_that_were_promised(matches: Matches, now: Machine) -> None:
    one = committed(matches, now)[0]
    matches.sit(one, ANN, 0, nonce=NONCES[0])
    m = matches.loaded(one).state
    assert life.is_ready_to_begin(m)
    for other, admitted in ((NONCES[1], True), ("", True), ("0" * 16, False)):
        intent = Intent("group", 0, ShareDeals(((NONCES[0], ""), (other, ""))))
        if admitted:
            assert life.admit(m, intent, now()).cause == "auto"
        else:
            with pytest.raises(Refused):
                life.admit(m, intent, now())
    with pytest.raises(Refused):
        life.admit(m, Intent("group", 0, ShareCommitments(m.group.committed)), now())


@pytest.mark.both_databases
def test_group_cancelled_after_commitments_reports_it_at_each_table(matches: Matches, now: Machine) -> None:
    one, two = committed(matches, now)
    group = matches.see(one, ANN).match.created.deal_group
    assert group is not None
    matches.cancel_group(group.id, ANN)
    work(matches, now)
    for table, who in ((one, ANN), (two, BOB)):
        assert kinds(matches, table, who)[-2:] == ["CommitmentsAborted", "MatchEnded"]
        holds(matches.store, table)
    assert aborted(matches) == 1
    again = matches.see(committed(matches, now)[0], ANN)
    assert again.match.created.deal_group is not None
    matches.cancel_group(again.match.created.deal_group.id, ANN)
    work(matches, now)
    assert aborted(matches) == 2


def aborted(matches: Matches) -> int:
    """Return how often Ann has aborted; Bob never has."""
    ann, bob = str(ANN.player), str(BOB.player)
    counted = reliability_rows.of_players(matches.store, [ann, bob])
    assert counted.keys() == {ann}
    return counted[ann][0]
