"""Tests duplicate groups and replayed deals: the tables begin and end together, and do not affect each other."""

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain import match as life
from domain.core.clock import Clock, Time
from domain.core.game import Refused
from domain.games.catalogue import GAMES
from domain.match.creation import Series
from domain.match.resignations import Resign
from events.errors import Forbidden, NotFound
from events.ids import from_bytes
from events.operations.audit import audit
from events.service import deal_groups
from events.service import group_tables as groups
from events.service.access import Caller
from events.service.create import PracticeRequest
from events.service.deal_groups import SeenGroup
from events.service.new_match import NewMatch, SeatRequest
from events.service.practice import NoDeals
from events.service.projections import LOBBY_MS
from events.service.views import Seen
from events.store.migrate import migrate
from events.store.opening import open_store
from events.store.protocol import Store
from events.store.search_records import Search
from events.store.tables import deal_group_rows, match_rows, pending_rows, projection_rows, search_rows, stream_rows
from tests.bound import Matches
from tests.draws import first_of, is_thorough
from tests.laws.games import LAWS
from tests.match.table import options
from tests.store.result_rows import read_results
from workers.tasks.bot_turn_tasks import choose

ANN, BOB, CEM, EVE = (Caller(name, f"token of {name}") for name in ("ann", "bob", "cem", "eve"))
DAY = Clock(per_decision_seconds=24 * 3600)
MOST_MOVES = 60
NONCES = ("5d41402abc4b2a76", "9e107d9d372bb682")
GAME = "crazy_eights"


class Killed(Exception):
    """Stands for the death of a worker."""


class Machine:
    """A clock controlled by the test."""

    def __init__(self) -> None:
        self.at = Time(1_750_000_000_000)

    def __call__(self) -> Time:
        return self.at

    def passes(self, ms: int) -> None:
        self.at = Time(self.at + ms)


@pytest.fixture
def now() -> Machine:
    return Machine()


@pytest.fixture
def matches(store: Store, now: Machine) -> Matches:
    return Matches(store, now=now)


def asked(game: str = GAME, visibility: str = "public", **chosen: Any) -> NewMatch:
    return NewMatch(
        game,
        options(game, GAMES[game].setup.usual, **{**LAWS[game].SHORT, **chosen}),
        None,
        (),
        visibility,
        DAY,
        Series(),
    )


def places(*kinds: str) -> tuple[SeatRequest, ...]:
    return tuple(SeatRequest(kind, "easy" if kind == "bot" else None) for kind in kinds)


def work(matches: Matches, now: Machine) -> None:
    """Do all due work as workers do, with bots that play at random but always alike."""
    while claimed := pending_rows.claim_due(matches.store, now(), 100):
        for due in claimed:
            bots_play(matches, due.match_id) if due.kind == "bot" else matches.settle(due.match_id)


def bots_play(matches: Matches, match_id: str) -> None:
    while seen := matches.bot_to_move(match_id):
        assert matches.bot_move(seen, choose(seen, Random(seen.version), matches.shown(seen)))


def two_tables(matches: Matches, now: Machine, **chosen: Any) -> tuple[str, str, str]:
    """Create a group in which Ann and Bob each play against a bot with the same deals; return it and its tables."""
    made = matches.create_group(ANN, asked(**chosen), [places("me", "bot"), places("open", "bot")])
    one, two = made.group.tables
    matches.sit(two, BOB, 0)
    work(matches, now)
    return made.group.group_id, one, two


def plays_out(matches: Matches, now: Machine, match_id: str, who: Caller, seed: int = 5) -> None:
    """Play a seat to the end of its table, as a bot would, at random from a number; resign if it takes too long."""
    rng = Random(seed)
    for _ in range(MOST_MOVES):
        work(matches, now)
        seen = matches.see(match_id, who)
        if seen.seat not in life.to_act(seen.match):
            return
        matches.move(match_id, who, None, choose(seen, rng, matches.shown(seen)))
    work(matches, now)
    if life.to_act(matches.see(match_id, who).match):
        matches.move(match_id, who, None, Resign(whole_match=True))
        work(matches, now)


def events(matches: Matches, match_id: str, who: Caller) -> list[dict[str, Any]]:
    return [json.loads(item) for item in matches.feed(matches.see(match_id, who), 0)]


def kinds(matches: Matches, match_id: str, who: Caller) -> list[str]:
    return [event["type"] for event in events(matches, match_id, who)]


def holds(store: Store, match_id: str) -> None:
    made = audit(store, match_id)
    assert made is not None
    assert [check for check in made.checks if not check.ok] == []


# --- Beginning ----------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_tables_begin_once_all_seats_of_all_tables_are_taken(matches: Matches, now: Machine):
    made = matches.create_group(ANN, asked(), [places("me", "bot"), places("open", "bot")])
    one, two = made.group.tables
    work(matches, now)
    assert matches.see(one, ANN).match.status == "lobby"
    matches.sit(two, BOB, 0)
    work(matches, now)
    assert [matches.see(t, who).match.status for t, who in ((one, ANN), (two, BOB))] == ["playing"] * 2


def test_each_table_log_has_the_commitment_and_all_nonces(matches: Matches, now: Machine):
    made = matches.create_group(ANN, asked(nonce_seconds=3600), [places("me", "bot"), places("open", "bot")])
    one, two = made.group.tables
    matches.sit(one, ANN, 0, nonce=NONCES[0])
    matches.sit(two, BOB, 0)
    work(matches, now)
    assert matches.see(one, ANN).match.status == "lobby"
    matches.sit(two, BOB, 0, nonce=NONCES[1])
    work(matches, now)
    logs = [events(matches, t, who) for t, who in ((one, ANN), (two, BOB))]
    said = [{e["type"]: e["data"] for e in log} for log in logs]
    assert said[0]["FairnessCommitted"] == said[1]["FairnessCommitted"]
    assert [s["DealsShared"]["nonces"] for s in said] == [[[NONCES[0], ""], [NONCES[1], ""]]] * 2
    assert [s["MatchCreated"]["deal_group"] for s in said] == [
        {"id": made.group.group_id, "table": i, "tables": 2} for i in range(2)
    ]


def test_nonce_deadline_can_expire_at_one_table(matches: Matches, now: Machine):
    made = matches.create_group(ANN, asked(nonce_seconds=60), [places("me", "bot"), places("open", "bot")])
    one, two = made.group.tables
    matches.sit(one, ANN, 0, nonce=NONCES[0])
    matches.sit(two, BOB, 0)
    now.passes(61_000)
    work(matches, now)
    assert matches.see(two, BOB).match.status == "playing"


def test_ready_table_cannot_lose_a_player(matches: Matches, now: Machine):
    made = matches.create_group(ANN, asked(), [places("me", "bot"), places("open", "bot")])
    with pytest.raises(Refused, match="already_started"):
        matches.leave(made.group.tables[0], ANN, 0)
    with pytest.raises(Refused, match="wrong_phase"):
        matches.sit(made.group.tables[0], ANN, 0, nonce=NONCES[0])


def test_no_player_sits_at_two_tables(matches: Matches, now: Machine):
    made = matches.create_group(ANN, asked(), [places("me", "open"), places("open", "open")])
    one, two = made.group.tables
    with pytest.raises(Refused, match="at_another_table"):
        matches.sit(two, ANN, 0)
    matches.sit(one, ANN, 1)  # one player may have two seats of one table
    matches.sit(two, BOB, 0)
    matches.leave(two, BOB, 0)
    matches.sit(two, CEM, 0)


@pytest.mark.both_databases
def test_concurrent_joins_cannot_take_two_tables(store: Store, now: Machine):
    made = Matches(store, now=now).create_group(ANN, asked(), [places("open", "open")] * 4)

    def sits(table: str) -> bool:
        try:
            Matches(store, now=now).sit(table, BOB, 0)
        except Refused:
            return False
        return True

    with ThreadPoolExecutor(4) as several:
        assert sum(several.map(sits, made.group.tables)) == 1


def test_single_table_cannot_be_cancelled(matches: Matches, now: Machine):
    made = matches.create_group(ANN, asked(), [places("me", "open"), places("open", "open")])
    with pytest.raises(Refused, match="of_a_group"):
        matches.cancel(made.group.tables[0], ANN)
    with pytest.raises(Forbidden):
        matches.cancel_group(made.group.group_id, BOB)
    matches.cancel_group(made.group.group_id, ANN)
    matches.cancel_group(made.group.group_id, ANN)
    assert [matches.see(t, ANN).match.status for t in made.group.tables] == ["cancelled"] * 2
    for table in made.group.tables:
        holds(matches.store, table)


@pytest.mark.both_databases
def test_unfilled_group_expires_as_a_whole(matches: Matches, now: Machine):
    made = matches.create_group(ANN, asked(), [places("me", "bot"), places("open", "bot")])
    work(matches, now)
    now.passes(LOBBY_MS)
    work(matches, now)
    assert [matches.see(t, ANN).match.status for t in made.group.tables] == ["expired"] * 2
    holds(matches.store, made.group.tables[0])


# --- The same deals -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", first_of(sorted(GAMES)))
def test_same_moves_deal_the_same_cards_at_every_table(game: str, matches: Matches, now: Machine):
    """Bots that choose alike play the same game at each table, event by event, except for seals and times."""
    seats = GAMES[game].setup.usual
    kinds_ = ("open", *["bot"] * (seats - 1))
    made = matches.create_group(ANN, asked(game, fairness_reveal="match_end"), [places(*kinds_)] * 2)
    for table, who in zip(made.group.tables, (BOB, CEM), strict=True):
        matches.sit(table, who, 0)
    work(matches, now)
    for table, who in zip(made.group.tables, (BOB, CEM), strict=True):
        plays_out(matches, now, table, who, seed=9)
    work(matches, now)
    one, two = ([dealt(e) for e in events(matches, t, EVE)] for t in made.group.tables)
    assert {kind for kind, _, _ in one} & {kind.__name__ for kind in GAMES[game].deal.sees}
    assert one == two


def dealt(event: dict[str, Any]) -> tuple[str, Any, Any]:
    ignored = ("deal_group", "creator", "player", "seats", "hand_key", "deadline", "opened")
    data = {name: x for name, x in event["data"].items() if name not in ignored}
    return event["type"], data, event.get("disclosed")


def test_hand_uses_the_same_link_at_every_table(matches: Matches, now: Machine):
    _, one, two = two_tables(matches, now, target_score=100)
    plays_out(matches, now, one, ANN, seed=1)
    plays_out(matches, now, two, BOB, seed=2)
    work(matches, now)
    hands = [
        {e["data"]["hand_no"]: e["data"]["seed"] for e in events(matches, t, EVE) if e["type"] == "SeedRevealed"}
        for t in (one, two)
    ]
    both = hands[0].keys() & hands[1].keys()
    assert both
    assert [hands[0][h] for h in both] == [hands[1][h] for h in both]


@pytest.mark.long
def test_new_epoch_is_the_same_at_every_table(matches: Matches, now: Machine, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("domain.match.match_shuffles.links_needed", lambda *_: 1)
    _, one, two = two_tables(matches, now, target_score=500)  # no single hand reaches it
    plays_out(matches, now, one, ANN, seed=1)
    plays_out(Matches(matches.store, now=now), now, two, BOB, seed=1)  # a reader of the logs
    work(matches, now)
    logs = [events(matches, t, EVE) for t in (one, two)]
    epochs = [[e["data"] for e in log if e["type"] == "FairnessCommitted"] for log in logs]
    assert len(epochs[0]) > 1
    assert epochs[0] == epochs[1]
    for table in (one, two):
        holds(matches.store, table)


# --- Nothing crosses while they are on ----------------------------------------------------------------------


def test_running_group_table_is_visible_only_to_its_players(matches: Matches, now: Machine):
    _, one, two = two_tables(matches, now)
    for who in (BOB, EVE, Caller()):
        with pytest.raises(NotFound):
            matches.see(one, who)
        with pytest.raises(NotFound):
            matches.past(one, who)
    with pytest.raises(NotFound):
        matches.see(two, ANN)  # who has created it
    matches.see(one, ANN)


@pytest.mark.both_databases
@pytest.mark.parametrize("status", ["playing", None])
def test_running_group_table_is_not_found_by_others(status: str | None, matches: Matches, now: Machine):
    _, one, two = two_tables(matches, now)

    def found(viewer: str | None, **search: Any) -> set[str]:
        return {
            r.match_id for r in search_rows.find_matches(matches.store, viewer, Search(status=status, **search)).rows
        }

    searches: list[dict[str, Any]] = [
        {},
        {"player": "ann"},
        {"game": GAME},
        {"game": GAME, "options": {"nonce_seconds": "0"}},
    ]
    for search in searches:
        assert found("bob", **search) & {one, two} == ({two} if search != {"player": "ann"} else set())
        assert found("eve", **search) & {one, two} == set()
        assert found(None, **search) & {one, two} == set()
        assert found("ann", **search) & {one, two} == {one}


def test_finished_table_discloses_nothing_until_the_group_ends(matches: Matches, now: Machine):
    group, one, two = two_tables(matches, now)
    plays_out(matches, now, one, ANN)
    seen = matches.see(one, ANN)
    assert (seen.match.status, life.to_act(seen.match), life.waits_for_group(seen.match)) == ("playing", (), True)
    assert not {"SeedRevealed", "MatchEnded"} & set(kinds(matches, one, ANN))
    assert not any("disclosed" in e for e in events(matches, one, ANN))
    with pytest.raises(Refused, match=r"wrong_phase|already_done"):
        matches.move(one, ANN, None, Resign())
    with pytest.raises(NotFound):
        matches.see(one, BOB)
    assert public(matches.group(group, BOB))[0] == "started"
    plays_out(matches, now, two, BOB)
    work(matches, now)
    assert kinds(matches, one, EVE)[-1] == "MatchEnded"
    assert kinds(matches, two, EVE)[-1] == "MatchEnded"
    assert "SeedRevealed" in kinds(matches, one, EVE)


def public(seen: SeenGroup) -> Any:
    return seen.group.state, [(t.match.status, t.match.players) for t in seen.tables]


@pytest.mark.parametrize("seed", first_of(range(3)))
def test_events_at_one_table_do_not_affect_another(
    seed: int, now: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """In two worlds with the same secrets, the other table is resigned in one, and played to its end in the other."""

    def world(name: str, *, resigns: bool) -> Any:
        migrate(url := f"sqlite:///{tmp_path / name}")
        rng, ids = Random(seed), Random(seed)
        monkeypatch.setattr(deal_groups, "new_id", lambda: from_bytes(ids.randbytes(20)))
        with closing(open_store(url)) as store:
            matches = Matches(store, now=now, draw=rng.randbytes)
            group, one, two = two_tables(matches, now)
            if resigns:
                matches.move(one, ANN, None, Resign(whole_match=True))
            else:
                plays_out(matches, now, one, ANN, seed=seed)
            work(matches, now)
            known = [json.dumps(e) for e in events(matches, two, BOB)]
            plays_on = Random(seed)
            for _ in range(3):
                seen = matches.see(two, BOB)
                if life.to_act(seen.match) == (0,):
                    matches.move(two, BOB, None, choose(seen, plays_on))
                    work(matches, now)
            known += [json.dumps(e) for e in events(matches, two, BOB)]
            shown = matches.group(group, BOB)
            return known, public(shown), [r.match_id for r in search_rows.find_matches(store, "bob").rows]

    assert world("given up", resigns=True) == world("played", resigns=False)


def test_resigned_table_delays_no_other(matches: Matches, now: Machine):
    _, one, two = two_tables(matches, now)
    matches.move(one, ANN, None, Resign(whole_match=True))
    plays_out(matches, now, two, BOB)
    work(matches, now)
    assert [matches.see(t, EVE).match.status for t in (one, two)] == ["finished"] * 2


def test_unplayed_table_delays_no_other(matches: Matches, now: Machine):
    _, one, two = two_tables(matches, now)
    plays_out(matches, now, two, BOB)
    for _ in range(2 * DAY.max_defaults):
        now.passes(24 * 3600 * 1000 + 60_000)
        work(matches, now)
    statuses = [matches.see(t, EVE).match.status for t in (one, two)]
    assert statuses == ["abandoned", "finished"]
    for table in (one, two):
        holds(matches.store, table)


# --- Killed in between --------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", range(12) if is_thorough() else (2, 5, 9))
def test_all_tables_begin_and_end_once_despite_kills(
    at: int, store: Store, now: Machine, monkeypatch: pytest.MonkeyPatch
):
    """A worker dies at its n-th write, before or after it; another takes over when its lease has expired."""
    matches = Matches(store, now=now)
    made = matches.create_group(ANN, asked(), [places("me", "bot"), places("open", "bot"), places("bot", "bot")])
    one, two, _ = made.group.tables
    matches.sit(two, BOB, 0)
    dies(monkeypatch, store, at, lambda: work(Matches(store, now=now), now))
    takes_over(store, now)
    assert [group_state(store, made), *statuses(store, made)] == ["started", *["playing"] * 3]
    for table, who in ((one, ANN), (two, BOB)):
        matches.move(table, who, None, Resign(whole_match=True))
    work(matches, now)
    dies(monkeypatch, store, at, lambda: work(Matches(store, now=now), now))
    takes_over(store, now)
    takes_over(store, now)
    assert [group_state(store, made), *statuses(store, made)] == ["over", *["finished"] * 3]
    for table in made.group.tables:
        assert [kinds(matches, table, EVE).count(k) for k in ("MatchStarted", "AllTablesOver", "MatchEnded")] == [1] * 3
        holds(store, table)


def dies(monkeypatch: pytest.MonkeyPatch, store: Store, at: int, act: Any) -> None:
    """Let the worker die at its n-th write: in half of the cases before it, in half after it."""
    count = iter(range(10_000))

    def deadly(name: str, real: Any) -> Any:
        def call(*args: Any, **kwargs: Any) -> Any:
            n = next(count)
            if n == at // 2 and at % 2 == 0:
                raise Killed
            done = real(*args, **kwargs)
            if n == at // 2:
                raise Killed
            return done

        return call

    with monkeypatch.context() as patched:
        for holder, name in ((store, "append"), (groups, "command_group"), (deal_group_rows, "postpone_table")):
            patched.setattr(holder, name, deadly(name, getattr(holder, name)))
        try:
            act()
        except Killed:
            return


def takes_over(store: Store, now: Machine) -> None:
    for _ in range(4):
        now.passes(400_000)
        work(Matches(store, now=now), now)


def group_state(store: Store, made: SeenGroup) -> str:
    found = deal_group_rows.find_deal_group(store, made.group.group_id)
    assert found is not None
    return found.state


def statuses(store: Store, made: SeenGroup) -> list[str]:
    rows = [stream_rows.head(store, table) for table in made.group.tables]
    return [row.status for head in rows if head and (row := match_rows.row(store, head.match_no))]


def test_waiting_table_is_not_checked_repeatedly(matches: Matches, now: Machine):
    two_tables(matches, now)
    made = matches.create_group(ANN, asked(), [places("me", "bot"), places("open", "bot")])
    work(matches, now)
    now.passes(groups.REST_MS - 1)
    assert [d for d in pending_rows.claim_due(matches.store, now(), 10) if d.match_id == made.group.tables[0]] == []
    now.passes(1)
    assert [d.kind for d in pending_rows.claim_due(matches.store, now(), 10) if d.match_id == made.group.tables[0]] == [
        "group"
    ]


# --- Proof --------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_each_table_can_be_verified_separately(matches: Matches, now: Machine):
    _, one, two = two_tables(matches, now, nonce_seconds=0)
    holds(matches.store, one)  # while it is on
    plays_out(matches, now, one, ANN)
    holds(matches.store, one)  # while it waits
    plays_out(matches, now, two, BOB)
    work(matches, now)
    for table in (one, two):
        holds(matches.store, table)
        head = stream_rows.head(matches.store, table)
        assert head is not None
        before = match_rows.row(matches.store, head.match_no)
        projection_rows.rebuild(matches.store, head.match_no, matches.projected)
        assert match_rows.row(matches.store, head.match_no) == before


# --- Practice -----------------------------------------------------------------------------------------------


def finished(matches: Matches, now: Machine, game: str = GAME, **chosen: Any) -> Seen:
    new = asked(game, **chosen)
    seats = GAMES[game].setup.usual
    made = matches.create(
        ANN,
        NewMatch(game, new.options, None, places("me", *["bot"] * (seats - 1)), "public", Clock(), new.series),
    )
    plays_out(matches, now, made.match_id, ANN, seed=4)
    return matches.see(made.match_id, ANN)


def deals(matches: Matches, match_id: str) -> dict[int, Any]:
    """Return the first cards dealt in each hand of a finished match."""
    life = matches.see(match_id, Caller()).match.game.lifecycle
    found: dict[int, Any] = {}
    hand = 0
    for event in events(matches, match_id, Caller()):
        if event["type"] == life.hand_starts.__name__:
            hand = event["data"][life.hand_no]
        elif hand and "disclosed" in event:
            found.setdefault(hand, event["disclosed"])
    return found


@pytest.mark.parametrize("game", first_of(sorted(GAMES)))
def test_finished_match_is_replayed_with_its_deals(game: str, matches: Matches, now: Machine):
    was = finished(matches, now, game)
    again = matches.practice(was.match_id, ANN, PracticeRequest(None, None, "public", Clock()))
    assert again.match.created.deal_known is not None
    assert again.match.created.deal_known.match == was.match_id
    plays_out(matches, now, again.match_id, ANN, seed=8)
    old, new = deals(matches, was.match_id), deals(matches, again.match_id)
    assert new[1] == old[1]
    holds(matches.store, again.match_id)


@pytest.mark.long
def test_practice_can_begin_at_a_later_hand(matches: Matches, now: Machine):
    was = finished(matches, now, "hearts", target_score=40)
    old = deals(matches, was.match_id)
    assert len(old) > 1
    again = matches.practice(was.match_id, ANN, PracticeRequest(2, None, "public", Clock()))
    plays_out(matches, now, again.match_id, ANN, seed=8)
    assert deals(matches, again.match_id)[1] == old[2]
    holds(matches.store, again.match_id)


@pytest.mark.long
def test_hands_after_the_disclosed_ones_are_dealt_at_random(matches: Matches, now: Machine):
    was = finished(matches, now, "hearts", target_score=20)
    last = max(deals(matches, was.match_id))
    again = matches.practice(was.match_id, ANN, PracticeRequest(last, None, "public", Clock()))
    assert again.match.shuffles.links == 1
    for _ in range(50):
        plays_out(matches, now, again.match_id, ANN, seed=8)
        if matches.see(again.match_id, ANN).match.shuffles.epoch > 1:
            break
        again = matches.practice(was.match_id, ANN, PracticeRequest(last, None, "public", Clock()))
    holds(matches.store, again.match_id)


def test_practice_match_does_not_count(matches: Matches, now: Machine):
    was = finished(matches, now)
    again = matches.practice(was.match_id, ANN, PracticeRequest(None, None, "public", Clock()))
    plays_out(matches, now, again.match_id, ANN)
    assert [match_id for match_id, _ in read_results(matches.store, "ann")] == [was.match_id]
    found = {r.match_id: r.deal_known for r in search_rows.find_matches(matches.store, None).rows}
    assert json.loads(found[again.match_id] or "") == {"hand_no": 1, "match": was.match_id}
    assert found[was.match_id] is None


@pytest.mark.long
def test_practice_matches_and_group_tables_can_be_practised(matches: Matches, now: Machine):
    _, one, two = two_tables(matches, now)
    plays_out(matches, now, one, ANN, seed=1)
    plays_out(matches, now, two, BOB, seed=2)
    work(matches, now)
    again = matches.practice(one, EVE, PracticeRequest(None, None, "public", Clock()))
    plays_out(matches, now, again.match_id, EVE, seed=3)
    more = matches.practice(again.match_id, ANN, PracticeRequest(None, None, "public", Clock()))
    plays_out(matches, now, more.match_id, ANN, seed=4)
    assert deals(matches, one)[1] == deals(matches, again.match_id)[1] == deals(matches, more.match_id)[1]
    for table in (again.match_id, more.match_id):
        holds(matches.store, table)


def test_only_disclosed_deals_can_be_practised(matches: Matches, now: Machine):
    never = finished(matches, now, fairness_reveal="never")
    with pytest.raises(NoDeals):
        matches.practice(never.match_id, ANN, PracticeRequest(None, None, "public", Clock()))
    was = finished(matches, now)
    with pytest.raises(NoDeals):
        matches.practice(was.match_id, ANN, PracticeRequest(999, None, "public", Clock()))
    on = matches.create(ANN, NewMatch(GAME, asked().options, None, places("me", "bot"), "public", Clock(), Series()))
    with pytest.raises(Refused, match="wrong_phase"):
        matches.practice(on.match_id, ANN, PracticeRequest(None, None, "public", Clock()))


def test_a_group_that_is_over_cannot_be_cancelled(matches: Matches, now: Machine):
    group, _, _ = two_tables(matches, now)
    with pytest.raises(Refused, match="already_started"):
        matches.cancel_group(group, ANN)
