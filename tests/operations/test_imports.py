"""Tests importing a record: a match finished on another server is stored unchanged, without local players (contract
7)."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict

import pytest
from sqlalchemy.exc import IntegrityError

from domain.core.cards import NAMES
from domain.core.game import Refused
from events import proof
from events.errors import NotDisclosed
from events.log import imported_players
from events.log.codec import EVERYBODY
from events.log.seals import NO_EVENT, digest
from events.operations import audit
from events.operations.erasure import erase_player
from events.operations.imports import AHEAD_MS, NotImported, import_record
from events.proof import record
from events.service.access import Caller
from events.store.follow_records import START
from events.store.records import Imported, Secrets
from events.store.search_records import Search
from events.store.tables import (
    inbox_rows,
    invite_rows,
    match_rows,
    pending_rows,
    player_rows,
    projection_rows,
    search_rows,
    seat_rows,
    secret_rows,
    stream_rows,
)
from tests.bound import Matches
from tests.imported_matches import ANN, BOB, begun, finished, record_of
from tests.store.result_rows import read_results

STRANGER = Caller()


@pytest.fixture(scope="module")
def there(shared_sqlite):
    """Return the other server."""
    return Matches(shared_sqlite)


@pytest.fixture
def here(store):
    return Matches(store)


@pytest.fixture(scope="module")
def hearts(there):
    """Return a match of Hearts that Ann and Bob finished there."""
    return finished(there)


def empty(store):
    return stream_rows.numbers(store) == [] and store.follow(START, 10) == []


def rows(matches, seen):
    return stream_rows.rows(matches.store, seen.match_no)


def remade(text, change):
    """Return a changed record with recomputed digests, as a lying server could write it."""
    made = json.loads(text)
    change(made)
    head = NO_EVENT
    for e in made["events"]:
        envelope = {name: e[name] for name in ("at", "cause", "commit", "seals", "seq", "type", "v")}
        public = {name: x for name, x in e["data"].items() if name not in e["seals"]}
        head = e["digest"] = digest(head, {**envelope, "data": public, "match": made["match"]["id"]})
    made["match"] |= {"head": head, "version": len(made["events"])}
    return json.dumps(made).encode()


# --- What is here afterwards --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "seats"),
    [
        ("hearts", ("me", "invite", "bot", "me")),
        ("two_handed_hearts", ("me", "bot")),
        ("crazy_eights", ("bot",) * 3),
        ("trio", ("me", "invite", "bot")),
    ],
)
def test_imported_match_is_stored_as_exported_without_its_secrets(there, here, game, seats):
    seen = finished(there, game, seats)
    taken = import_record(here, record_of(there, seen))
    copy = here.see(seen.match_id, STRANGER)
    assert (taken.match_id, taken.version, taken.shut) == (seen.match_id, seen.version, ())
    assert (copy.version, copy.head, copy.created) == (seen.version, seen.head, seen.created)
    for mine, original in zip(rows(here, copy), rows(there, seen), strict=True):
        assert mine[:4] == original[:4]
        assert mine.mac is None
        ours, theirs = json.loads(mine.secrets or "{}"), json.loads(original.secrets or "{}")
        assert {seq: (part["hand"], part["fields"]) for seq, part in ours.items()} == {
            seq: (part["hand"], part["fields"]) for seq, part in theirs.items()
        }
    assert secret_rows.read_secrets(here.store, copy.match_no) == Secrets(b"", [])
    assert invite_rows.read_invites(here.store, copy.match_no) == {}


def test_record_of_an_imported_match_is_the_same_and_verifies(there, here, hearts):
    original = there.see(hearts.match_id, STRANGER)
    import_record(here, record_of(there, original))
    copy = here.see(hearts.match_id, STRANGER)
    again = record.read_record(b"".join(record.write_record({**about(there, original)}, here.feed(copy, 0))))
    first = record.read_record(record_of(there, original))
    assert again.events == first.events
    assert again.fairness == first.fairness
    report = proof.verify_match(copy.match_id, record.facts(again), record.claims(again))
    assert [check.name for check in report.checks if check.skipped or not check.ok] == ["signatures"]


def about(matches, seen):
    return json.loads(record_of(matches, seen))["match"]


def test_imported_match_has_the_same_tables(there, here, hearts):
    import_record(here, record_of(there, hearts))
    for version in (1, 7, 30, hearts.version):
        for seat in ("0", "3", EVERYBODY, None):
            mine = here.replay(here.past(hearts.match_id, STRANGER), version, seat)
            theirs = there.replay(there.past(hearts.match_id, STRANGER), version, seat)
            assert (mine.match.table, mine.head) == (theirs.match.table, theirs.head)


def test_audit_passes_for_an_imported_match(there, here, hearts):
    import_record(here, record_of(there, hearts))
    report = audit.audit(here.store, hearts.match_id)
    assert [asdict(check) for check in report.checks if not check.ok] == []


def test_followers_read_imported_commits(there, here, hearts):
    import_record(here, record_of(there, hearts))
    wanted = rows(here, here.see(hearts.match_id, STRANGER))
    assert [found.row for found in here.store.follow(START, 10_000)] == wanted


def test_imported_match_is_over_and_waits_for_no_one(there, here, hearts):
    import_record(here, record_of(there, hearts))
    seen = here.see(hearts.match_id, STRANGER)
    for ask in (
        lambda: here.move(seen.match_id, ANN, None, None),
        lambda: here.sit(seen.match_id, BOB, 1),
        lambda: here.leave(seen.match_id, ANN, 0),
        lambda: here.cancel(seen.match_id, ANN),
        lambda: here.invite(seen.match_id, ANN, 1),
    ):
        with pytest.raises(Refused, match="match_over"):
            ask()
    assert here.settle(seen.match_id) == 0
    assert here.bot_to_move(seen.match_id) is None
    assert pending_rows.read_pending(here.store, seen.match_no) == []
    assert inbox_rows.read_turns(here.store, seen.match_no) == []


def test_rebuilding_the_projections_changes_nothing(there, here, hearts):
    import_record(here, record_of(there, hearts), "unlisted")
    number = here.see(hearts.match_id, STRANGER).match_no

    def projections():
        store = here.store
        found = [
            match_rows.row(store, number),
            seat_rows.of_matches(store, [number]),
            inbox_rows.read_turns(store, number),
        ]
        return [
            *found,
            pending_rows.read_pending(store, number),
            search_rows.find_matches(store, None).rows,
            stream_rows.head(store, hearts.match_id),
        ]

    before = projections()
    projection_rows.rebuild(here.store, number, here.projected)
    assert projections() == before
    assert before[0].visibility == "unlisted"
    assert before[0].ended_ms == rows(here, here.see(hearts.match_id, STRANGER))[-1].at_ms


# --- Foreign players ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_same_player_id_here_gains_nothing_from_an_import(there, here, visibility):
    seen = finished(there, visibility=visibility)
    for who in (ANN, BOB):
        player_rows.add_player(here.store, who.player, "Mallory", who.player.encode(), 0)
    import_record(here, record_of(there, seen, {ANN.player: "Ann"}))
    store = here.store
    for who in (ANN, BOB):
        mine = here.see(seen.match_id, who)
        assert (mine.seats, mine.seat, mine.creator, mine.reader) == ((), None, False, "spectators")
        past = here.past(seen.match_id, who)
        assert (past.mine, past.creator) == ((), False)
        with pytest.raises(Refused, match="not_seated"):
            here.see_from(seen.match_id, who, 0)
        assert len(search_rows.find_matches(store, who.player).rows) == (visibility == "public")
        assert search_rows.find_matches(store, who.player, Search(player=who.player)).rows == []
        assert search_rows.find_matches(store, who.player, Search(player=who.player, result="won")).rows == []
        assert read_results(store, who.player) == []
        assert inbox_rows.read_inbox(store, who.player) == []
        assert not set(mine.match.players) & {ANN.player, BOB.player}
    assert player_rows.read_identities(store, [ANN.player])[ANN.player].name == "Mallory"


def test_undisclosed_parts_stay_shut_for_the_same_player_id(there, here):
    seen = finished(there, fairness_reveal="never")
    text = record_of(there, seen)
    assert seen.reader == "0"  # it is Ann's record, with her cards
    import_record(here, text, partial=True)
    player_rows.add_player(here.store, ANN.player, "Mallory", b"t", 0)
    public = [json.loads(item) for item in there.feed(there.see(seen.match_id, STRANGER), 0)]
    mine = [json.loads(item) for item in here.feed(here.see(seen.match_id, ANN), 0)]
    assert mine == public
    dealt = here.replay(here.past(seen.match_id, ANN), 30, None)
    assert not any(name in str(dealt.match.game.view(dealt.match.table, None)["hands"]) for name in NAMES)
    for seat in ("0", EVERYBODY):
        with pytest.raises(NotDisclosed):
            here.replay(here.past(seen.match_id, ANN), 30, seat)


def test_imported_names_are_separate_per_match_and_can_be_erased(there, here):
    first, second = finished(there), finished(there)
    import_record(here, record_of(there, first, {ANN.player: "Ann", BOB.player: "Bob"}))
    import_record(here, record_of(there, second, {ANN.player: "Anna", BOB.player: "B\u0007b" * 20}))

    def names(seen):
        players = here.see(seen.match_id, STRANGER).match.players
        known = player_rows.read_identities(here.store, [p for p in players if p])
        return [known[p].name if p in known else None for p in players]

    assert names(first) == ["Ann", "Bob", None, None]
    assert names(second) == ["Anna", None, None, None]
    erase_player(here.store, imported_players.foreign_id(first.match_id, ANN.player), 1)
    assert names(first) == [None, "Bob", None, None]
    assert names(second)[0] == "Anna"


def test_imported_player_of_two_seats_is_one_player(there, here):
    seen = finished(there, seats=("me", "me", "invite", "bot"))
    assert seen.seats == (0, 1)
    import_record(here, record_of(there, seen))
    players = here.see(seen.match_id, STRANGER).match.players
    assert players[0] == players[1] != players[2]
    assert imported_players.home_id(seen.match_id, players[2]) == BOB.player


# --- Who sees it --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("was", "asked", "shown"),
    [
        ("public", None, "public"),
        ("unlisted", None, "unlisted"),
        ("private", None, "unlisted"),
        ("private", "public", "public"),
        ("public", "unlisted", "unlisted"),
    ],
)
def test_imported_match_keeps_its_visibility_by_default(there, here, was, asked, shown):
    seen = finished(there, visibility=was)
    assert import_record(here, record_of(there, seen), asked).visibility == shown
    copy = here.see(seen.match_id, STRANGER)
    assert (copy.visibility, copy.imported) == (shown, Imported(shown))
    assert copy.match.created.visibility == was
    assert [row.match_id for row in search_rows.find_matches(here.store, None).rows] == [seen.match_id] * (
        shown == "public"
    )
    assert stream_rows.find_imported(here.store, [copy.match_no, copy.match_no + 1]) == {copy.match_no}


# --- What is refused ----------------------------------------------------------------------------------------


def refused(here, text, why, **options):
    with pytest.raises(NotImported, match=why) as error:
        import_record(here, text, **options)
    assert empty(here.store)
    return error.value


@pytest.mark.parametrize(
    ("text", "why"),
    [(b"", "not a record"), (b"{}", "not a record"), (b'{"fairness":' * 10_000, "nested too deeply")],
)
def test_file_that_is_not_a_record_is_not_imported(here, text, why):
    assert refused(here, text, why).report is None


def test_changed_record_is_not_imported(there, here, hearts):
    made = json.loads(record_of(there, hearts))
    made["events"][40]["data"]["seat"] = 3 - made["events"][40]["data"].get("seat", 0)
    error = refused(here, json.dumps(made).encode(), "chain at event 41")
    assert not error.report.ok


def test_record_that_breaks_the_rules_is_not_imported(there, here, hearts):
    def change(made):
        ended = made["events"][-1]["data"]["result"]
        loser = ended["places"].index(max(ended["places"]))
        ended["winners"] = made["match"]["result"]["winners"] = [loser]
        ended["places"] = made["match"]["result"]["places"] = [1 if s == loser else 2 for s in range(4)]

    refused(here, remade(record_of(there, hearts), change), "rules at event")


def test_unfinished_match_is_not_imported(there, here):
    running = begun(there)
    refused(here, record_of(there, running), "The match is playing", partial=True)
    waiting = begun(there, seats=("me", "open", "open", "open"))
    there.cancel(waiting.match_id, ANN)
    refused(here, record_of(there, there.see(waiting.match_id, ANN)), "The match is cancelled", partial=True)


def test_partly_verifiable_record_needs_a_partial_import(there, here):
    seen = finished(there, seats=("bot",) * 4, fairness_reveal="never")
    text = record_of(there, seen)
    refused(here, text, "rules: The events to .* partial import")
    assert any("rules" in why for why in import_record(here, text, partial=True).shut)


def test_match_that_already_exists_is_not_imported(there, here, hearts):
    text = record_of(there, hearts)
    with pytest.raises(NotImported, match="already exists here"):
        import_record(there, text)
    import_record(here, text)
    before = rows(here, here.see(hearts.match_id, STRANGER))
    with pytest.raises(NotImported, match="already exists here"):
        import_record(here, text)
    assert rows(here, here.see(hearts.match_id, STRANGER)) == before


def test_one_of_two_concurrent_imports_succeeds(there, here, hearts):
    text = record_of(there, hearts)

    def tried(_):
        try:
            return import_record(Matches(here.store), text).match_id
        except NotImported as error:
            return str(error)

    with ThreadPoolExecutor(4) as pool:
        found = sorted(pool.map(tried, range(4)))
    assert found == sorted([hearts.match_id, *["A match with this id already exists here."] * 3])
    assert len(stream_rows.numbers(here.store)) == 1


def test_import_writes_everything_or_nothing(there, here, hearts):
    player_rows.add_player(here.store, imported_players.foreign_id(hearts.match_id, ANN.player), "in the way", b"t", 0)
    with pytest.raises(IntegrityError):
        import_record(here, record_of(there, hearts, {ANN.player: "Ann"}))
    assert empty(here.store)


def test_record_dated_in_the_future_is_not_imported(there, here, hearts):
    text, end = record_of(there, hearts), rows(there, hearts)[-1].at_ms
    early = Matches(here.store, now=lambda: end - AHEAD_MS - 1)
    refused(early, text, "in the future")
    import_record(Matches(here.store, now=lambda: end - AHEAD_MS), text)


def forged(event, **data):
    def change(made):
        found = next(e for e in made["events"] if e["type"] == event)
        found["data"] |= data
        made["match"] |= {name: x for name, x in data.items() if name in made["match"]}

    return change


def at_another_time(made):
    for e in (made["match"], *made["events"]):
        name = "at" if "at" in e else "created_at"
        e[name] = e[name].replace("Z", "+00:00")


def with_player(player):
    def change(made):
        for e in made["events"]:
            text = json.dumps(e["data"]).replace(json.dumps(BOB.player), json.dumps(player))
            e["data"] = json.loads(text)
        made["match"]["seats"][1]["player"] = {"id": player, "name": "Bob"}

    return change


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (at_another_time, "A time must have the form"),
        (with_player("x" * 65), "id of a player is not one"),
        (with_player("a b"), "id of a player is not one"),
        (forged("MatchCreated", preset="p" * 501), "more than 500 characters"),
        (forged("MatchCreated", preset="\0"), "zero character"),
        (forged("MatchCreated", creator="\0"), "zero character"),
    ],
)
def test_impossible_record_with_valid_digests_is_refused(there, here, change, why):
    seen = finished(there)
    refused(here, remade(record_of(there, seen), change), why)


@pytest.mark.parametrize("change", ["godlike", 7, ["easy"]])
def test_bot_with_an_impossible_level_is_not_imported(there, here, change):
    seen = finished(there, seats=("bot",) * 4)

    def forge(made):
        created, started = (
            next(e for e in made["events"] if e["type"] == kind) for kind in ("MatchCreated", "MatchStarted")
        )
        for seats in (created["data"]["seats"], started["data"]["seats"], made["match"]["seats"]):
            seats[2]["level"] = change

    refused(here, remade(record_of(there, seen), forge), "not one that a server writes|rules at event|not a record")


def test_record_with_unknown_rules_must_still_be_a_possible_match(there, here):
    """Rules of another version allow anything, but the record must not break this server."""
    seen = finished(there, seats=("bot",) * 4, fairness_reveal="never")

    def by_old_rules(made):
        made["events"][0]["data"]["rules"] = made["match"]["rules"] = "0"

    def with_a_card_of_its_own(made):
        by_old_rules(made)
        next(e for e in made["events"] if e["type"] == "CardPlayed")["data"]["card"] = "ZZ"

    text = record_of(there, seen)
    refused(here, remade(text, with_a_card_of_its_own), "not one that a server writes", partial=True)
    assert any("version 0" in why for why in import_record(here, remade(text, by_old_rules), partial=True).shut)
