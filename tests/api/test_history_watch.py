"""Tests that a player's program detects a changed history and keeps both versions as evidence."""

import json
import re
import stat
from copy import deepcopy
from hashlib import sha256
from pathlib import Path
from random import Random

import msgspec
import pytest

from api.terminal import history_watch
from api.terminal.history_watch import HistoryChanged, HistoryWatch
from api.terminal.live import OwnHand
from api.terminal.nonces import NonceGiver
from api.terminal.player_state import state_folder
from domain.core.fairness import is_guessable, nonce_hash
from domain.core.scene import HAND, as_json
from domain.match.resignations import Resign
from events.proof import keys
from events.proof.compare import compare_statements
from events.proof.signed_heads import MATCH, KnownKey
from events.proof.statements import statement
from tests.recorded import two

SERVER = "http://localhost"
RING = keys.KeyRing("cards.example", keys.add_new_key((), b"k" * 32, "2026-11-22T00:00:00.000Z"))
FORGER = keys.KeyRing("cards.example", keys.add_new_key((), b"f" * 32, "2026-11-22T00:00:00.000Z"))


@pytest.fixture(scope="module")
def told():
    """Return the events of a match as sent to seat 0, the last one with its signed head."""
    table = two()
    table.plays_on(until=lambda m: len(table.said) > 30)
    return signed(feed(table))


def feed(table):
    return [json.loads(line) for line in table.feed("0")]


def signed(events, ring=RING):
    """Return a page of a feed whose last event has the signed head."""
    last = events[-1]
    head = ring.sign(MATCH, "m-1", last["seq"], last["digest"])
    return [*events[:-1], {**last, "signed": msgspec.to_builtins(head)}]


def page(told, upto):
    return signed(told[:upto])


def answer(events, **more):
    """Return the server's answer about the match after these events."""
    last = signed(events)[-1]
    return {"version": last["seq"], "head": last["digest"], "signed": last["signed"]} | more


def watch(folder, now=()):
    """Return a watch on a server that returns these events when all are requested again."""
    return HistoryWatch(SERVER, "m-1", folder, lambda: now)


def evidence(error):
    """Return the files named by an alarm: the earlier one and the current one."""
    before, now = (Path(path) for path in re.findall(r"/\S+\.json", str(error))[:2])
    assert {stat.S_IMODE(path.stat().st_mode) for path in (before, now)} == {0o600}
    return before, now


def compare(before, now):
    """Compare the two documents of an alarm with `dealt verify --compare` and the server's key."""
    return compare_statements(*(statement(path.read_bytes()) for path in (before, now)), [KnownKey(RING.keys[-1].key)])


def test_feed_is_followed_page_by_page_and_from_its_start_after_a_restart(told, tmp_path):
    first = watch(tmp_path)
    first.take(page(told, 10))
    first.check_answer(answer(told[:10]))
    first.take(told[5:])
    again = watch(tmp_path)
    again.take(told)
    again.check_answer(answer(told))
    assert (again.version, again.head) == (len(told), told[-1]["digest"])
    (kept,) = (tmp_path / "heads").iterdir()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert json.loads(kept.read_text())["version"] == len(told)
    (history,) = (tmp_path / "histories").iterdir()
    assert stat.S_IMODE(history.stat().st_mode) == 0o600
    assert [json.loads(line)["seq"] for line in history.read_text().splitlines()] == list(range(1, len(told) + 1))


def test_feed_of_a_finished_match_opens_its_seals(tmp_path):
    table = two()
    table.plays_on(until=lambda m: any(type(h.event).__name__ == "SeedRevealed" for h in table.said))
    events = feed(table)
    assert any(event.get("disclosed") for event in events)
    watch(tmp_path).take(events)
    sealed = next(event for event in events if event.get("disclosed"))
    name, others = next(iter(sealed["disclosed"].items()))
    other = {**sealed, "disclosed": {name: dict.fromkeys(others, "AS")}}
    with pytest.raises(HistoryChanged, match="do not match its seals"):
        watch(tmp_path).take([other if event is sealed else event for event in events])


def other_history(at):
    """Return a history with a valid chain that differs from a given event on."""
    table = two()
    table.plays_on(until=lambda m: len(table.said) >= at)
    table.does(0, Resign(whole_match=True))
    return signed(feed(table))


@pytest.mark.parametrize("change", [{"at": "2026-01-01T00:00:00.000Z"}, {"seq": 9}, {"digest": "0" * 64}])
def test_event_that_breaks_the_chain_raises_an_alarm(told, tmp_path, change):
    made = deepcopy(told)
    made[5] |= change
    with pytest.raises(HistoryChanged, match="Event 6 "):
        watch(tmp_path).take(made)


def test_alarm_after_a_restart_saves_two_contradicting_documents(told, tmp_path):
    watch(tmp_path).take(told)
    other = other_history(12)
    with pytest.raises(HistoryChanged) as raised:
        watch(tmp_path, other).take(other)
    found = compare(*evidence(raised.value))
    assert ("histories differ from event" in found.difference, found.liar) == (True, "cards.example")


def test_alarm_in_one_run_saves_two_contradicting_documents(told, tmp_path):
    """The later events share no version with the earlier ones, so all events are requested again."""
    other = other_history(12)
    one = watch(tmp_path, other)
    one.take(page(told, 14))
    with pytest.raises(HistoryChanged) as raised:
        one.take(other[14:])
    found = compare(*evidence(raised.value))
    assert ("histories differ from event" in found.difference, found.liar) == (True, "cards.example")


def test_changed_event_in_the_same_run_raises_an_alarm(told, tmp_path):
    one = watch(tmp_path)
    one.take(told)
    with pytest.raises(HistoryChanged, match="Event 4 has changed"):
        one.take([{**told[3], "digest": "1" * 64}])


@pytest.mark.parametrize("claimed", [5, 8, 30, 99])
@pytest.mark.parametrize("again", [[], slice(0, 5)])
def test_shorter_history_after_a_restart_raises_an_alarm_at_any_claimed_version(told, tmp_path, claimed, again):
    watch(tmp_path).take(told)
    later = watch(tmp_path)
    later.take(page(told, 5))

    def follow():
        for _ in range(2):
            later.check_answer({"version": claimed})
            later.take(told[again] if again else [])

    with pytest.raises(HistoryChanged, match=r"There were \d+ events"):
        follow()


def test_claimed_but_missing_events_raise_an_alarm(told, tmp_path):
    one = watch(tmp_path)
    one.take(page(told, 5))
    one.check_answer({"version": 9})
    with pytest.raises(HistoryChanged, match="There were 9 events, and now the server has 5"):
        one.take([])


def test_head_in_an_answer_must_be_that_of_the_event(told, tmp_path):
    one = watch(tmp_path)
    one.take(page(told, 5))
    with pytest.raises(HistoryChanged, match="head of event 5"):
        one.check_answer({"version": 5, "head": told[5]["digest"]})
    ahead = watch(tmp_path)
    ahead.take(page(told, 5))
    ahead.check_answer({"version": 7, "head": told[7]["digest"]})
    with pytest.raises(HistoryChanged, match="Event 7 has changed"):
        ahead.take(told[5:8])


def test_signed_heads_are_checked_with_events_and_answers(told, tmp_path):
    head = page(told, 5)[-1]["signed"]
    for wrong, why in (
        ({"signature": "0" * 128}, "is invalid"),
        (signed(told[:5], FORGER)[-1]["signed"] | {"key": head["key"]}, "is invalid"),
        ({"id": "m-2"}, "another history"),
        (page(told, 6)[-1]["signed"], "another history"),
        ({"version": "5"}, "cannot be read"),
    ):
        with pytest.raises(HistoryChanged, match=why):
            watch(tmp_path).take([*told[:4], {**told[4], "signed": head | wrong}])
        one = watch(tmp_path)
        one.take(told[:5])
        with pytest.raises(HistoryChanged, match=why):
            one.check_answer(answer(told[:5], signed=head | wrong))


def dealt_otherwise(event):
    return {**event, "data": {**event["data"], "cards": event["data"]["cards"][1:]}}


def test_replaced_hand_raises_an_alarm(told, tmp_path):
    """The digest of an event covers the seals of hidden cards, not the cards."""
    dealt = next(event for event in told if event["type"] == "HandDealt")
    changed = [dealt_otherwise(event) if event is dealt else event for event in told]
    with pytest.raises(HistoryChanged, match=f"event {dealt['seq']} do not match its seals"):
        watch(tmp_path).take(changed)
    unproved = [{**event, "unseal": {}} if event is dealt else event for event in told]
    with pytest.raises(HistoryChanged, match="do not match its seals"):
        watch(tmp_path).take(unproved)
    one = watch(tmp_path)
    one.take(told)
    with pytest.raises(HistoryChanged, match="shows you other cards than before"):
        one.take([dealt_otherwise(dealt)])


def test_every_head_and_the_histories_of_the_latest_matches_are_kept(told, tmp_path, monkeypatch):
    monkeypatch.setattr(history_watch, "KEPT_HISTORIES", 2)
    for n in range(4):
        HistoryWatch(f"{SERVER}:{n}", "m-1", tmp_path).take(told[:3])
    HistoryWatch(SERVER, "m-1", tmp_path)
    assert len(list((tmp_path / "histories").iterdir())) == 2
    assert len(list((tmp_path / "heads").iterdir())) == 4


def test_alarm_about_a_dropped_history_shows_the_kept_head(told, tmp_path):
    watch(tmp_path).take(told)
    for path in (tmp_path / "histories").iterdir():
        path.write_text(path.read_text().splitlines()[0] + '\n{"torn')
    with pytest.raises(HistoryChanged, match="now the server has 5") as raised:
        watch(tmp_path).check_answer({"version": 5})
    before, _ = evidence(raised.value)
    assert statement(before.read_bytes()).digests == {len(told): told[-1]["digest"]}


# --- The hand that a table shows ----------------------------------------------------------------------------


def seen_table(table, seat=0):
    scene = as_json(table.match.game.scene(table.match.table, seat))
    return {"version": len(table.said), "status": "playing", "your_seat": seat, "scene": scene}


def test_hand_on_the_table_is_compared_with_the_events():
    table, hand = two(), OwnHand("m-1")
    rng = Random(3)
    for _ in range(40):
        hand.take(feed(table), 0)
        if table.match.table is not None:
            assert not hand.differs(seen_table(table))
        upto = len(table.said) + 1
        table.plays_on(rng, until=lambda m, upto=upto: len(table.said) >= upto)
    hand.take(feed(table), 0)
    lied = seen_table(table)
    assert not hand.differs(lied)
    spots = next(
        zone["spots"] for zone in lied["scene"]["zones"].values() if zone["kind"] == HAND and zone["seat"] == 0
    )
    spots[0] = {**spots[0], "card": spots[1]["card"]}
    assert hand.differs(lied)
    assert not hand.differs({**lied, "version": lied["version"] + 1})


def test_match_of_another_rules_version_or_an_unknown_game_is_not_compared(told):
    for change in ({"rules": "0.0"}, {"game": "chess"}):
        hand = OwnHand("m-1")
        hand.take([{**told[0], "data": told[0]["data"] | change}, *told[1:]], 0)
        assert not hand.differs({"version": len(told), "status": "playing", "your_seat": 0, "scene": {"zones": {}}})


def test_state_is_kept_in_the_given_directory(monkeypatch, tmp_path):
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


def test_nonce_is_sent_once_while_the_match_collects_nonces(tmp_path):
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


def test_restarted_program_opens_its_promised_nonce(tmp_path):
    commits = {"options": {"nonce_commit": True}}
    _, promised = NonceGiver(SERVER, tmp_path).due("m-1", match(**commits))
    _, opened = NonceGiver(SERVER, tmp_path).due("m-1", match(**commits, fairness=fairness(awaits="nonces")))
    assert promised["nonce_hash"] == nonce_hash(opened["nonce"]) == sha256(opened["nonce"].encode()).hexdigest()
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.rglob("*.json")} == {0o600}


def test_nonce_is_sent_only_for_the_requested_match_and_one_commitment(tmp_path):
    """A server that names another match, or commits again, would learn a nonce before its commitment."""
    _, honest = NonceGiver(SERVER, tmp_path).due("m-1", match())
    _, lied = NonceGiver(SERVER, tmp_path).due("m-2", match(id="m-1"))
    assert lied != honest
    assert NonceGiver(SERVER, tmp_path).due("m-1", match(fairness=fairness(commitment="c2"))) is None
    assert NonceGiver(SERVER, tmp_path).due("m-1", match())[1] == honest


def test_receipts_are_saved(tmp_path):
    receipt = {"kind": "match", "id": "m-1", "seat": 1, "player": None, "epoch": 1, "stage": "nonces"}
    NonceGiver(SERVER, tmp_path).keep_receipts({"receipts": [receipt]})
    (kept,) = (tmp_path / "receipts").iterdir()
    assert json.loads(kept.read_text()) == receipt
