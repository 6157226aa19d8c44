"""Tests which due work is taken next."""

from collections import Counter

import pytest

from events.store.pending_records import Owed
from workers.dispatcher import OF_AN_OWNER, PEOPLE_MS, REST_MS, Shares

NOW = 1_750_000_000_000


class Work:
    """Work of several owners that is always due, a bot's turn in each match; taken work goes to the end."""

    def __init__(self, **matches):
        self.owed = []
        for owner, count in matches.items():
            for _ in range(count):
                self.owed.append(Owed(len(self.owed), "bot", len(self.owed), owner, owner.startswith("bots"), ""))

    def taken(self, shares, at_work=(), limit=100, now=NOW):
        chosen = shares.choose(self.owed, Counter(dict(at_work)), limit, now)
        for work in chosen:
            self.owed.remove(work)
            self.owed.append(work._replace(claimable_ms=now + len(self.owed)))
        return [work.owner for work in chosen]


def test_bot_only_matches_are_played_after_those_with_people():
    assert Work(bots=3, ann=1).taken(Shares(2)) == ["ann", "bots", "bots"]


def test_running_bot_only_matches_are_limited():
    work, shares = Work(bots=5, bots_of_ben=5), Shares(3)
    assert len(work.taken(shares)) == 3
    assert work.taken(shares, {("bots", True): 2}) == ["bots_of_ben"]
    assert work.taken(shares, {("bots", True): 2, ("bots_of_ben", True): 1}) == []


def test_owners_take_turns_regardless_of_their_matches():
    work, shares = Work(bots_of_ann=32, bots_of_ben=1, bots_of_cem=2), Shares(1)
    order = [work.taken(shares)[0] for _ in range(12)]
    assert Counter(order) == {"bots_of_ann": 4, "bots_of_ben": 4, "bots_of_cem": 4}


def test_matches_of_an_owner_take_turns():
    work, shares = Work(bots=4), Shares(1)
    matches = [shares.choose(work.owed, Counter(), 100, NOW)[0].match_no for _ in range(1)]
    for _ in range(7):
        work.taken(shares)
        matches.append(work.owed[0].match_no)
    assert matches == [0, 1, 2, 3, 0, 1, 2, 3]


def test_running_turns_per_owner_are_limited():
    work, shares = Work(ann=100, ben=1), Shares(1)
    assert Counter(work.taken(shares)) == {"ann": OF_AN_OWNER, "ben": 1}
    assert work.taken(shares, {("ann", False): OF_AN_OWNER}) == ["ben"]


def test_work_other_than_turns_is_not_held_back():
    owed = [Owed(n, "clock", n, "ann", False, "") for n in range(50)]
    assert shares_of(owed) == owed


def shares_of(owed):
    return Shares(1).choose(owed, Counter({("ann", False): OF_AN_OWNER}), 100, NOW)


def test_limits_apply_within_a_batch():
    assert Counter(Work(ann=8, ben=8, cem=1).taken(Shares(1), limit=5)) == {"ann": 2, "ben": 2, "cem": 1}


@pytest.mark.parametrize(("later", "taken"), [(0, 0), (REST_MS - 1, 0), (REST_MS, 1)])
def test_bot_only_matches_pause_while_people_play(later, taken):
    shares = Shares(1)
    assert Work(ann=1, bots=1).taken(shares) == ["ann", "bots"]
    assert len(Work(bots=1).taken(shares, now=NOW + later)) == taken


def test_bot_only_matches_continue_when_no_people_play():
    shares = Shares(1)
    Work(ann=1).taken(shares)
    for n in range(5):
        assert Work(bots=1).taken(shares, now=NOW + PEOPLE_MS + n) == ["bots"]
