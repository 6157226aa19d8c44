"""Tests commits: written, chained, sealed and served (contract 6)."""

import hmac
import json
from hashlib import sha256

import pytest
import rfc8785

from domain import match as life
from domain.core.cards import Seat
from domain.core.event_versions import adds
from domain.core.values import value as struct
from domain.core.visibility import Private
from domain.games.catalogue import GAMES
from domain.games.hearts.events import HeartsOpened
from events.log import codec
from events.log import commits as log
from events.log.codec import EVERYBODY, Shape, shapes
from events.log.seals import NO_EVENT, mac
from events.store.records import CommitRow
from tests.match.table import Table

READERS = ["0", "1", "2", "3", "spectators"]
AT = 1_763_758_632_345


def written(**more):
    """Return a match played at random, and its rows, one for each commit."""
    table = Table(seats=("bot",) * 4, chosen={"target_score": 30, "variant": "3-2-2-3", **more}, seed=11)
    commits = [list(table.said)]
    while not table.match.over:
        before = len(table.said)
        seat = life.to_act(table.match)[0]
        table.does(seat, table.match.game.timing.default(table.match.table, seat), "bot")
        commits.append(table.said[before:])
    rows: list[CommitRow] = []
    head = NO_EVENT
    for happened in commits:
        first = rows[-1].first + rows[-1].n if rows else 1
        row, head = log.write_commit(
            "m-1", shapes("hearts"), 4, log.AppendPoint(first, AT, head), happened, table.dealer
        )
        rows.append(row)
    return table, rows, head


@pytest.fixture(scope="module")
def match():
    return written()


def feed(match, reader, disclosed=(), after=0):
    table, rows, _ = match
    now = table.match.copy()
    now.shuffles.disclosed = disclosed
    return [json.loads(item) for item in log.serve_match_events(rows, reader, after, table.dealer.hand_key, now)]


@pytest.mark.parametrize("reader", READERS)
def test_every_reader_can_verify_the_chain_from_their_own_feed(match, reader):
    """The hashes cover only public data.

    They are computed again from the contract (contract 6), with other libraries.
    """
    _, _, head = match
    digest = "0" * 64
    for event in feed(match, reader):
        secret = event["seals"].keys()
        envelope = {k: event[k] for k in ("at", "cause", "commit", "seals", "seq", "type", "v")}
        envelope["data"] = {k: x for k, x in event["data"].items() if k not in secret}
        envelope["match"] = "m-1"
        digest = sha256(digest.encode("ascii") + rfc8785.dumps(envelope)).hexdigest()
        assert event["digest"] == digest
    assert digest == head


@pytest.mark.parametrize("reader", READERS)
def test_reader_can_open_only_their_own_seals(match, reader):
    opened = 0
    for event in feed(match, reader):
        own = {field for field, part in event["seals"].items() if reader in part}
        assert set(event.get("unseal", {})) == own == set(event["seals"]) & set(event["data"])
        for field, keys in event.get("unseal", {}).items():
            assert set(keys) == {reader}
            key = bytes.fromhex(keys[reader])
            assert len(key) == 32
            what = {"field": field, "reader": reader, "seq": event["seq"], "value": event["data"][field]}
            assert hmac.new(key, rfc8785.dumps(what), sha256).hexdigest() == event["seals"][field][reader]
            opened += 1
    assert (opened > 0) == (reader != "spectators")


def test_seal_keys_follow_only_from_the_hand_key(match):
    table, _, _ = match
    dealt = next(e for e in feed(match, "2") if e["type"] == "HandDealt")
    hand_key = hmac.new(table.dealer.seal_secret, b"hand|1", sha256).digest()
    key = hmac.new(hand_key, f"seal|{dealt['seq']}|cards|2".encode(), sha256).hexdigest()
    assert dealt["unseal"]["cards"]["2"] == key


@pytest.mark.parametrize("reader", READERS)
def test_feed_has_no_card_hidden_from_its_reader(match, reader):
    for event in feed(match, reader):
        for field, part in event["seals"].items():
            assert (field in event["data"]) == (reader in part)
            assert "disclosed" not in event


def test_disclosure_only_adds_hidden_fields(match):
    before, after = feed(match, "1"), feed(match, "1", disclosed=(1,))
    deals = 0
    for closed, opened in zip(before, after, strict=True):
        others = opened.pop("disclosed", {})
        keys, own = opened.pop("unseal", {}), closed.pop("unseal", {})
        assert closed == opened
        for field, values in others.items():
            assert "1" not in values
            for reader, value in values.items():
                what = {"field": field, "reader": reader, "seq": opened["seq"], "value": value}
                key = bytes.fromhex(keys[field][reader])
                assert hmac.new(key, rfc8785.dumps(what), sha256).hexdigest() == opened["seals"][field][reader]
        assert all(keys[field].items() >= part.items() for field, part in own.items())
        deals += opened["type"] == "HandDealt" and bool(others)
    assert deals == 1  # of the first hand alone


def test_feed_continues_after_a_version_inside_a_commit(match):
    whole = feed(match, "0")
    assert feed(match, "0", after=5) == whole[5:]
    assert [e["seq"] for e in whole] == list(range(1, len(whole) + 1))
    assert all(e["commit"] <= e["seq"] for e in whole)


def test_match_follows_from_the_log(match):
    table, rows, _ = match
    assert life.fold_from_start(GAMES["hearts"], "m-1", log.read_match_events(rows, "hearts", 4)) == table.match


@pytest.mark.parametrize("seat", range(4))
def test_legal_moves_follow_from_the_seats_own_feed(match, seat):
    _, rows, _ = match
    shown = list(log.read_match_events(rows, "hearts", 4, str(seat)))
    true = list(log.read_match_events(rows, "hearts", 4))
    mine, all_ = (
        life.initial_match(GAMES[shown[0].game], "m-1", shown[0]),
        life.initial_match(GAMES[true[0].game], "m-1", true[0]),
    )
    for seen_event, event in zip(shown[1:], true[1:], strict=True):
        life.evolve(mine, seen_event)
        life.evolve(all_, event)
        assert life.to_act(mine) == life.to_act(all_)
        if all_.table is not None:
            assert mine.game.legal(mine.table, seat) == all_.game.legal(all_.table, seat)


@adds({"by": None}, {"late": 0})
@struct
class Rung:
    """A synthetic event of version 3."""

    seat: Seat
    late: int
    tone: Private[int]
    by: Private[str]


RUNG = Shape(Rung)


@pytest.mark.parametrize(
    ("v", "data", "parts", "due"),
    [
        (1, {"seat": 2}, {"tone": {"2": 7}}, Rung(2, 0, 7, None)),
        (2, {"seat": 2}, {"tone": {"2": 7}, "by": {"2": "ada"}}, Rung(2, 0, 7, "ada")),
        (3, {"seat": 2, "late": 5}, {"tone": {"2": 7}, "by": {"2": "ada"}}, Rung(2, 5, 7, "ada")),
    ],
)
def test_event_of_each_version_is_decoded_with_the_declared_defaults(v, data, parts, due):
    assert RUNG.event(RUNG.upcast(v, data), 4, parts, EVERYBODY) == due


def test_event_of_an_earlier_version_has_no_seal_for_later_fields():
    readers = {v: RUNG.readers_of({"seat": 2}, 4, v) for v in (1, 2, 3)}
    assert readers == {1: {"tone": {"2"}}, 2: {"tone": {"2"}, "by": {"2"}}, 3: {"tone": {"2"}, "by": {"2"}}}


@pytest.mark.parametrize("v", [0, 4])
def test_event_of_an_unknown_version_is_refused(v):
    with pytest.raises(LookupError, match=f"Rung has version {v}; those known here are 1 to 3"):
        RUNG.upcast(v, {"seat": 2})


def test_event_of_an_earlier_version_with_a_later_field_is_refused():
    with pytest.raises(ValueError, match="version 2 of Rung had no field late"):
        RUNG.upcast(2, {"seat": 2, "late": 0})


def test_earlier_event_is_upcast_for_folding_and_served_unchanged(match, monkeypatch):
    """Treat the trick number of HeartsOpened as if version 2 had added it."""
    table, _, _ = match
    shape = codec.shapes("hearts")["HeartsOpened"]
    monkeypatch.setattr(shape, "version", 2)
    monkeypatch.setattr(shape, "added", [{"after_trick": 4}])
    old = '[{"cause":"auto","data":{},"digest":"00","seals":{},"type":"HeartsOpened","v":1}]'
    row = CommitRow(1, 1, AT, old, None)
    assert list(log.read_match_events([row], "hearts", 4)) == [HeartsOpened(after_trick=4)]
    served = json.loads(next(log.serve_match_events([row], "0", 0, table.dealer.hand_key, table.match)))
    assert (served["v"], served["data"]) == (1, {})


def test_commit_with_a_later_event_version_is_refused():
    row = CommitRow(1, 1, AT, '[{"cause":"auto","data":{},"digest":"","seals":{},"type":"PoolRedealt","v":9}]', None)
    with pytest.raises(LookupError, match="version 9"):
        list(log.read_match_events([row], "hearts", 4))


def test_commit_code_matches_recorded_codes():
    """With another code, existing matches could no longer be audited."""
    stored = "beb5ac79c36d3f6e366792362364514ed3ffc22c7df28a622316434803446c03"
    assert mac(bytes(range(32)), 7, "0" * 64).hex() == stored
