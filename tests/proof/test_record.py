"""Tests records: what is written can be read and verified, and any change is found."""

import json
from random import Random

import pytest
import rfc8785
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain import match as life
from domain.games.catalogue import GAMES
from domain.match.match_results import Expire
from events.proof import record
from events.proof.record import Unreadable
from tests.draws import draws, first_of
from tests.recorded import FINISHED, OTHERS, Recorded
from tests.tampered import changed, failing, places, relinked, resealed, verified

KINDS = {**FINISHED, **{name: make for name, (make, _) in OTHERS.items()}}
READERS = {name: OTHERS[name][1] if name in OTHERS else "spectators" for name in KINDS}
CHANGES = draws(12)
"""The number of changes tried on each record in each way."""


@pytest.fixture(scope="module")
def made():
    kept = {}

    def record_of(name):
        if name not in kept:
            kept[name] = KINDS[name]().record(READERS[name])
        return kept[name]

    return record_of


# --- Good ones ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FINISHED)
def test_every_check_passes_for_a_finished_match(name, made):
    report = verified(made(name))
    assert [(check.name, check.ok, check.skipped) for check in report.checks] == [
        (check, True, False) for check in ("chain", "seals", "shuffles", "rules", "result", "moves", "signatures")
    ]


@pytest.mark.parametrize("name", ["hearts", "trio", "nonces"])
def test_record_of_each_seat_verifies(name):
    table = FINISHED[name]()
    for seat in table.match.seats:
        report = verified(table.record(str(seat)))
        assert report.ok


@pytest.mark.parametrize("name", OTHERS)
def test_record_of_other_rules_passes_possible_checks_and_explains_skipped(name, made):
    report = verified(made(name))
    assert report.verdict == "unverifiable"
    assert all(check.detail for check in report.checks)
    assert any(check.skipped for check in report.checks)


def test_record_with_several_epochs_verifies(monkeypatch):
    monkeypatch.setattr("domain.match.match_shuffles.links_needed", lambda *_: 1)
    table = Recorded("crazy_eights", ("bot",) * 3, {"target_score": 100})
    table.plays_on(until=lambda m: len(m.shuffles.disclosed) == 2)
    made = table.record()
    assert len(made["fairness"]["epochs"]) == 3
    assert failing(verified(made)) == []
    first, second = (epoch["revealed"][0] for epoch in made["fairness"]["epochs"][:2])
    place = next(i for i, e in enumerate(made["events"]) if e["data"].get("seed") == second["seed"])
    made["events"][place]["data"]["seed"] = first["seed"]
    assert ("shuffles", place + 1) in failing(verified(relinked(made)))


def test_report_lists_the_contributors_or_says_there_are_none(made):
    details = {name: verified(made(name)).checks[2].detail for name in ("nonces", "hearts")}
    assert "No seat gave a nonce" in details["hearts"]
    assert "No seat" not in details["nonces"]
    assert made("nonces")["fairness"]["contributed"] == [0, 1]


def test_record_is_the_same_bytes_for_the_same_match_and_reader():
    table = FINISHED["hearts"]()
    twice = [b"".join(record.write_record(table.about("2"), table.feed("2"))) for _ in range(2)]
    assert twice[0] == twice[1]


def test_display_texts_of_feeds_are_not_in_the_record():
    table = FINISHED["two resigned"]()
    feed = [json.dumps({**json.loads(item), "text": "told"}).encode() for item in table.feed("0")]
    assert b"told" not in b"".join(record.write_record(table.about("0"), feed))


def test_chain_matches_an_independent_canonical_json(made):
    """Another implementation of RFC 8785 confirms our encoder."""
    from hashlib import sha256

    before = "0" * 64
    for e in made("nonces")["events"]:
        public = {name: x for name, x in e["data"].items() if name not in e["seals"]}
        parts = {name: e[name] for name in ("at", "cause", "commit", "seals", "seq", "type", "v")}
        before = sha256(before.encode() + rfc8785.dumps({**parts, "data": public, "match": "m-1"})).hexdigest()
        assert before == e["digest"]


# --- Changed ones -------------------------------------------------------------------------------------------


def unproven(path, how):
    """Return whether nothing in a record proves this part: names, and omitted values."""
    match path:
        case ("match", "seats", _, "player", "name"):
            return True
        case ("match", "seats", _, "player" | "level") | (
            "match",
            "preset" | "series" | "clock" | "created_at",
        ):
            return how in ("drop", "rename")
        case ("match", "result" | "head"):
            return how in ("drop", "rename")
    return False


def beyond_proof(path, how, made):
    """Return whether a forger of the whole chain can change this: only a reader's kept head reveals it."""
    match path:
        case ("events", 0, "data", "creator"):
            return True
        case ("events", i, "at"):
            commit = made["events"][i]["commit"]
            return sum(e["commit"] == commit for e in made["events"]) == 1
        case ("events", _, "data", "paid", _):
            # Another kind of mana pays as well if the rest is lost: that would have been a different move.
            return how == "swap"
        case ("events", _, "disclosed", "stops", _, _):
            # Without a stop at which nothing could be done, the turn goes as it did: that would have been a different
            # move.
            return how == "drop"
    return False


@pytest.mark.parametrize("name", KINDS)
def test_any_single_change_is_noticed(name, made):
    good = made(name)
    for path, how in _some(good, name):
        try:
            report = verified(changed(good, path, how))
        except Unreadable:
            continue
        if unproven(path, how):
            continue
        assert not report.ok, (path, how)
        if path[0] == "events" and len(path) > 2:
            assert path[1] + 1 in [seq for _, seq in failing(report)], (path, how, report)


@pytest.mark.parametrize("anew", first_of([relinked, resealed]))
@pytest.mark.parametrize("name", FINISHED)
def test_record_with_recomputed_digests_and_seals_fails(name, anew, made):
    good = made(name)
    for path, how in _some(good, name):
        try:
            bad = anew(changed(good, path, how))
            report = verified(bad)
        except (Unreadable, LookupError, TypeError, AttributeError, ValueError):
            continue  # it cannot even be linked
        if bad == good or unproven(path, how) or path[-1] == "digest" or beyond_proof(path, how, good):
            continue
        assert not report.ok, (path, how)
        if path[0] == "events" and len(path) > 3 and path[2] == "data":
            seqs = {seq for _, seq in failing(report)}
            # A wrong key of a hand shows at the first event that it seals, a wrong commitment at the first seed, and a
            # wrong seat where somebody takes it.
            found_at = {
                "hand_key": range(1, path[1] + 1),
                "commitment": (e["seq"] for e in good["events"] if e["type"] == "SeedRevealed"),
                "seats": (e["seq"] for e in good["events"] if e["type"] == "SeatTaken"),
            }
            later = [*found_at.get(path[-1], ()), *found_at.get(path[3], ())]
            assert seqs & {path[1] + 1, path[1] + 2, None, *later}, (path, how, report)


def _some(good, name):
    everything = list(places(good))
    return Random(name).sample(everything, min(CHANGES, len(everything)))


@pytest.mark.parametrize("name", ["hearts", "trio", "cancelled"])
def test_kept_head_exposes_a_recomputed_chain(name, made):
    good = made(name)
    kept = [(e["seq"], e["digest"]) for e in good["events"][3::5]]
    assert failing(verified(good, kept)) == []
    bad = relinked(changed(good, ("events", 0, "data", "creator"), "change"))
    assert failing(verified(bad)) == []
    assert failing(verified(bad, kept)) == [("chain", 4)]
    assert failing(verified(good, [(len(good["events"]) + 1, "0" * 64)])) == [("chain", len(good["events"]))]


def test_withheld_disclosed_card_is_found(made):
    good = made("hearts")
    dealt = next(i for i, e in enumerate(good["events"]) if e["type"] == "HandDealt")
    bad = changed(good, ("events", dealt, "disclosed"), "drop")
    bad["events"][dealt].pop("unseal")
    assert failing(verified(bad)) == [("seals", dealt + 1)]


def test_timeout_before_the_deadline_is_found(made):
    """All digests are valid, as the operator of the log could compute them."""
    bad = json.loads(json.dumps(made("timed out")))
    late = next(i for i, e in enumerate(bad["events"]) if e["type"] == "DecisionTimedOut")
    for e in bad["events"]:
        if e["commit"] == late + 1:
            e["at"] = bad["events"][late - 1]["at"]
    assert ("rules", late + 1) in failing(verified(relinked(bad)))


def test_verification_finds_events_of_another_match(made):
    bad = made("hearts") | {"events": made("four resigned, bot")["events"]}
    assert not verified(bad).ok
    twin = made("hearts") | {"match": made("hearts")["match"] | {"id": "m-2"}}
    assert failing(verified(twin))[0] == ("chain", 1)


# --- What is no record --------------------------------------------------------------------------------------


def text(made, **match):
    return json.dumps(made | {"match": made["match"] | match}).encode()


@pytest.mark.parametrize(
    "hostile",
    [
        b"", b"[]", b"{", b"null", b"\xff", b'"' * 1000, b"[" * 100_000, b'{"a":' * 100_000,
        b"[" * 100_000 + b"]" * 100_000, b'{"format":"dealt-record/1"}', b'{"format":"\\ud800"}', b"NaN", b"1e999",
        b"9" * 5000,
    ],
)  # fmt: skip
def test_invalid_record_is_refused_with_a_sentence(hostile):
    with pytest.raises(Unreadable) as refused:
        record.read_record(hostile)
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"seq": 3', '"seq": 3, "seq": 3'),
        ('"seq": 3', '"seq": 3.0'),
        ('"seq": 3', '"seq": 9007199254740992'),
        ('"seq": 3', '"seq": 1e3'),
        ('"seq": 3', '"seq": "3"'),
        ('"seq": 3', '"seq": 3, "\\u00e9": 1'),
        ('"dealt-record/1"', '"dealt-record/2"'),
        ('"reader": "spectators"', '"reader": "4"'),
        ('"reader": "spectators"', '"reader": "all"'),
        ('"id": "m-1"', '"id": "m 1"'),
        ('"id": "m-1"', f'"id": "{"m" * 65}"'),
        ('"links": ', '"links": 99999'),
        ('"options": {', '"options": {"x": ' + "[" * 40 + "]" * 40 + ", "),
    ],
)
def test_ambiguous_and_oversized_records_are_refused(old, new, made):
    whole = json.dumps(made("hearts"))
    assert old in whole
    with pytest.raises(Unreadable):
        record.read_record(whole.replace(old, new, 1).encode())


SMALL = {
    "v": 1,
    "seq": 1,
    "commit": 1,
    "type": "",
    "data": {},
    "at": "",
    "cause": "",
    "seals": {},
    "digest": "",
}


def test_events_bytes_and_seats_of_a_record_are_limited(made):
    good = made("hearts")
    with pytest.raises(Unreadable, match="50000 events"):
        record.read_record(json.dumps(good | {"events": [SMALL] * 50_001}).encode())
    with pytest.raises(Unreadable, match="bytes"):
        record.read_record(b" " * (record.MOST_BYTES + 1))
    with pytest.raises(Unreadable, match="99 seats"):
        record.read_record(text(good, seats=good["match"]["seats"] * 2500))
    good = changed(good, ("events", 0, "data", "seats"), "rename")
    good["events"][0]["data"]["seats"] = [{}] * 10_000
    with pytest.raises(Unreadable, match="99 seats"):
        record.read_record(json.dumps(good).encode())
    with pytest.raises(Unreadable, match="1 to"):
        record.read_record(json.dumps(good | {"events": []}).encode())


ABSURD = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(max_size=8) | st.floats()
    | st.sampled_from(["QS", "hearts", "0" * 64, "MatchEnded", "SeedRevealed", "trio", -1, 10**5]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)  # fmt: skip


@settings(max_examples=draws(30), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_change_of_a_record_is_reported_or_refused(made, data):
    name = data.draw(st.sampled_from(["hearts", "crazy_eights", "two resigned", "gin running, spectator", "lobby"]))
    bad = json.loads(json.dumps(made(name)))
    everything, names = list(places(bad)), []
    for _ in range(data.draw(st.integers(1, 4))):
        path, _ = data.draw(st.sampled_from(everything))
        inside = bad
        try:
            for key in path[:-1]:
                inside = inside[key]
            inside[path[-1]] = data.draw(ABSURD)
        except (LookupError, TypeError):
            continue
    for anew in (dict, relinked, resealed):
        try:
            bad = anew(bad)
        except (LookupError, TypeError, AttributeError, ValueError):
            continue  # it cannot even be linked
        try:
            report = verified(bad)
        except Unreadable as refused:
            names.append(str(refused))
        else:
            names += [check.name for check in report.checks]
    assert all(names)


# --- Tables -------------------------------------------------------------------------------------------------


def test_table_from_a_record_equals_the_table_of_the_match():
    table = FINISHED["hearts"]()
    read = record.read_record(json.dumps(table.record("1")).encode())
    there = record.match_at(read, "all", len(read.events))
    assert there == life.fold_from_start(GAMES[table.game], "m-1", table.events)
    assert record.match_at(read, "1", 20).table.hands[1] == there_at(table, 20).table.hands[1]


def there_at(table, version):
    return life.fold_from_start(GAMES[table.game], "m-1", table.events[:version])


def test_record_of_an_expired_lobby_verifies():
    table = Recorded("hearts", ("me", "open", "open", "open"))
    table.now += 31 * 24 * 3600 * 1000
    table.does(0, Expire(), "timeout")
    assert verified(table.record("0")).ok
