"""Tests that broken promises of nonces are counted with the commit that shows them."""

from dataclasses import replace
from typing import Any

import pytest

from events.service.new_match import NewMatch
from events.store.protocol import Store
from events.store.tables import reliability_rows
from tests.bound import Matches
from tests.service.test_group_commitments import HASHES, committed
from tests.service.test_groups import ANN, BOB, CEM, EVE, NONCES, Machine, asked, holds, matches, now, places, work

__all__ = ["matches", "now"]

pytestmark = pytest.mark.both_databases

WHO = ("ann", "bob", "cem", "eve")


def counted(store: Store) -> dict[str, tuple[int, int]]:
    return reliability_rows.of_players(store, WHO)


def of(**chosen: Any) -> NewMatch:
    return replace(asked(**chosen), places=places("me", "open", "open"))


def some_promises(matches: Matches, now: Machine) -> list[str]:
    """Bob does not open his nonce at one table, and leaves his seat at another, where Ann does not open hers.

    Bob cancels one.
    """
    one, two = committed(matches, now)
    matches.sit(one, ANN, 0, nonce=NONCES[0])
    now.passes(61_000)
    work(matches, now)
    alone = matches.create(ANN, of(nonce_commit=True, nonce_seconds=60)).match_id
    matches.sit(alone, BOB, 1, nonce_hash=HASHES[1])
    matches.leave(alone, BOB, 1)
    matches.sit(alone, CEM, 1, nonce_hash=HASHES[0])
    matches.sit(alone, ANN, 0, nonce_hash=HASHES[1])
    matches.sit(alone, EVE, 2)
    now.passes(61_000)
    work(matches, now)
    matches.sit(alone, CEM, 1, nonce=NONCES[0])
    now.passes(61_000)
    work(matches, now)
    cancelled = matches.create(BOB, of(nonce_commit=True)).match_id
    matches.sit(cancelled, CEM, 1, nonce_hash=HASHES[0])
    matches.cancel(cancelled, BOB)
    return [one, two, alone, cancelled]


def test_aborted_matches_and_unopened_nonces_are_counted(matches: Matches, now: Machine) -> None:
    made = some_promises(matches, now)
    assert counted(matches.store) == {"ann": (0, 1), "bob": (1, 1)}
    for match_id in made:
        holds(matches.store, match_id)
