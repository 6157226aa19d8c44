"""A player's program finds that a server tells another history than before, and keeps both as evidence."""

import json
import re
import stat
from copy import deepcopy
from hashlib import sha256
from pathlib import Path

import pytest

from api.terminal.history_watch import HistoryChanged, HistoryWatch
from api.terminal.nonces import NonceGiver
from api.terminal.player_state import state_folder
from domain.core.fairness import is_guessable, nonce_hash
from domain.match.match_commands import Resign
from tests.recorded import two

SERVER = "http://localhost"


@pytest.fixture(scope="module")
def told():
    """The events of a match as seat 0 is told them."""
    table = two()
    table.plays_on(until=lambda m: len(table.said) > 30)
    return [json.loads(line) for line in table.feed("0")]


def watch(folder):
    return HistoryWatch(SERVER, "m-1", folder)


def evidence(error):
    """Return the documents that an alarm names."""
    before, now = (Path(path) for path in re.findall(r"/\S+\.json", str(error)))
    assert {stat.S_IMODE(path.stat().st_mode) for path in (before, now)} == {0o600}
    return json.loads(before.read_text()), json.loads(now.read_text())


def test_a_feed_is_followed_page_by_page_and_again_from_its_start(told, tmp_path):
    first = watch(tmp_path)
    first.take(told[:10])
    first.take(told[5:])
    again = watch(tmp_path)
    again.take(told)
    again.reach(len(told), {})
    assert (again.version, again.head) == (len(told), told[-1]["digest"])
    (kept,) = (tmp_path / "heads").iterdir()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert json.loads(kept.read_text())["version"] == len(told)


def other_history(at):
    """Return a history that is another one from an event on, and whose chain holds."""
    table = two()
    table.plays_on(until=lambda m: len(table.said) >= at)
    table.does(0, Resign(whole_match=True))
    return [json.loads(line) for line in table.feed("0")]


@pytest.mark.parametrize("change", [{"at": "2026-01-01T00:00:00.000Z"}, {"seq": 9}, {"digest": "0" * 64}])
def test_an_event_that_does_not_follow_raises_an_alarm(told, tmp_path, change):
    made = deepcopy(told)
    made[5] |= change
    with pytest.raises(HistoryChanged, match="Event 6 "):
        watch(tmp_path).take(made)


def test_another_history_in_a_later_run_raises_an_alarm_with_both_documents(told, tmp_path):
    watch(tmp_path).take(told)
    other = other_history(12)
    later = watch(tmp_path)
    later.take(other)
    with pytest.raises(HistoryChanged) as raised:
        later.reach(len(other), {"version": len(other)})
    before, now = evidence(raised.value)
    assert (before["version"], before["head"]) == (len(told), told[-1]["digest"])
    assert now["told"]


def test_another_event_in_the_same_run_raises_an_alarm(told, tmp_path):
    one = watch(tmp_path)
    one.take(told)
    with pytest.raises(HistoryChanged, match="Event 4 is another"):
        one.take([{**told[3], "digest": "1" * 64}])


def test_a_history_that_has_become_shorter_raises_an_alarm(told, tmp_path):
    watch(tmp_path).take(told)
    later = watch(tmp_path)
    later.take(told[:8])
    with pytest.raises(HistoryChanged, match="now there are 8") as raised:
        later.reach(8, {"version": 8, "head": told[7]["digest"]})
    before, now = evidence(raised.value)
    assert (before["version"], now["told"]["version"]) == (len(told), 8)


def test_the_state_is_kept_where_the_user_says(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert state_folder() == tmp_path / "dealt"
    monkeypatch.setenv("XDG_STATE_HOME", "not/absolute")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert state_folder() == tmp_path / ".local" / "state" / "dealt"


# --- Nonces -------------------------------------------------------------------------------------------------


def match(**more):
    return {
        "id": "m-1",
        "your_seat": 1,
        "status": "lobby",
        "options": {"nonce_commit": False},
        "fairness": fairness(),
    } | more


def fairness(**more):
    return {"epoch": 1, "commitment": "c1", "contributed": [], "awaits": None} | more


def test_a_nonce_is_given_once_while_it_is_taken(tmp_path):
    giver = NonceGiver(SERVER, tmp_path)
    seat, body = giver.due("m-1", match())
    assert (seat, list(body)) == (1, ["nonce"])
    assert not is_guessable(body["nonce"])
    assert giver.due("m-1", match()) is None
    assert giver.due("m-1", match(fairness=fairness(epoch=2, awaits="nonces")))[1] != body
    for closed in (
        match(status="playing"),
        match(your_seat=None),
        match(fairness=fairness(contributed=[1])),
    ):
        assert NonceGiver(SERVER, tmp_path).due("m-1", closed) is None


def test_a_promised_nonce_is_opened_by_a_program_that_was_begun_again(tmp_path):
    commits = {"options": {"nonce_commit": True}}
    _, promised = NonceGiver(SERVER, tmp_path).due("m-1", match(**commits))
    _, opened = NonceGiver(SERVER, tmp_path).due("m-1", match(**commits, fairness=fairness(awaits="nonces")))
    assert promised["nonce_hash"] == nonce_hash(opened["nonce"]) == sha256(opened["nonce"].encode()).hexdigest()
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.rglob("*.json")} == {0o600}


def test_a_nonce_is_given_for_the_match_that_was_asked_for_and_one_commitment_alone(tmp_path):
    """A server that names another match, or commits anew, would learn a nonce before it commits."""
    _, honest = NonceGiver(SERVER, tmp_path).due("m-1", match())
    _, lied = NonceGiver(SERVER, tmp_path).due("m-2", match(id="m-1"))
    assert lied != honest
    assert NonceGiver(SERVER, tmp_path).due("m-1", match(fairness=fairness(commitment="c2"))) is None
    assert NonceGiver(SERVER, tmp_path).due("m-1", match())[1] == honest


def test_receipts_are_kept(tmp_path):
    receipt = {"match": "m-1", "seat": 1, "epoch": 1, "stage": "nonces"}
    NonceGiver(SERVER, tmp_path).keep_receipts({"receipts": [receipt]})
    (kept,) = (tmp_path / "receipts").iterdir()
    assert json.loads(kept.read_text()) == receipt
