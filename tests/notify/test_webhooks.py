"""Tests webhooks with real calls: signed, in order for each match, at least once, and without losses despite
failures."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select

from events.notify import lanes as work
from events.notify import ledger, webhooks
from events.notify.notices import MATCH_OVER, MATCH_STARTED, TEST, YOUR_TURN
from events.notify.signatures import new_secret, signature, signing_old_secrets
from events.operations.erasure import erase_player
from events.store import leases
from events.store.schema.notice_schema import deliveries, lanes
from tests.notify.log import attempted, noted
from workers import guarded_http
from workers.tasks.webhook_tasks import BUSY_MS
from workers.tasks.webhook_tasks import WebhookCaller as Calls

HOUR = 3_600_000


def same(webhook):
    """Return the settings of the webhook."""
    return webhooks.Subscription(webhook.url, webhook.host, webhook.events)


def log_of(store, webhook):
    return [
        (row.notice.kind, row.state, row.attempts) for row in webhooks.delivery_log(store, webhook.webhook_id, None, 99)
    ]


def left(store):
    return store.read(select(lanes.c.webhook_id, lanes.c.match_no))


# --- Signatures ---------------------------------------------------------------------------------------


def test_signature_matches_an_independent_computation():
    """The expected signature is made with the library of the specification's authors."""
    secret, body = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", b'{"test": 2432232314}'
    expected = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert signature(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body) == expected


def test_delivery_is_signed_and_names_only_a_match(office, hook, table, receiver, now):
    webhook = hook()
    match_id = table()
    assert office.deliver() == 2
    for request in receiver.got:
        sent = request["headers"]
        at = int(sent["webhook-timestamp"])
        assert at == now() // 1000
        assert sent["webhook-id"] == request["data"]["notice"]
        assert sent["webhook-signature"] == signature(webhook.secret, sent["webhook-id"], at, request["body"])
        assert sent["Content-Type"] == "application/json"
        assert sent["Host"] == f"localhost:{receiver.port}"
        assert request["data"]["match"] == match_id
    assert [request["type"] for request in receiver.got] == [MATCH_STARTED, YOUR_TURN]


def signers(request, keys):
    """Return those of the keys with which a request is signed, in the order of its signatures."""
    sent = request["headers"]
    at = int(sent["webhook-timestamp"])
    made = {signature(key, sent["webhook-id"], at, request["body"]): key for key in keys}
    return [made.get(signed) for signed in sent["webhook-signature"].split()]


@pytest.mark.both_databases
def test_every_secret_of_the_last_day_signs_beginning_with_the_newest(office, hook, table, receiver, store, now):
    webhook = hook()
    keys = [webhook.secret]
    for _ in range(2):
        now.passes(HOUR)
        keys.append(new_secret())
        assert webhooks.rotate(store, webhook, keys[-1], now()) == now() + 24 * HOUR
    for passed, signing in ((0, keys[::-1]), (23 * HOUR, [keys[2], keys[1]]), (HOUR, [keys[2]])):
        now.passes(passed)
        table()
        office.deliver()
        assert signers(receiver.got[-1], keys) == signing


def test_setting_the_same_secret_again_changes_nothing(hook, store, now):
    webhook, new = hook(), new_secret()
    webhooks.rotate(store, webhook, new, now())
    webhooks.rotate(store, webhook, new, now())
    changed = webhooks.webhook_of_player(store, webhook.player_id, webhook.webhook_id)
    assert signing_old_secrets(changed.old_secrets, now()) == [(webhook.secret, now() + 24 * HOUR)]


@pytest.mark.both_databases
def test_webhook_gets_at_most_four_new_secrets_a_day_under_concurrency(hook, store, now):
    webhook = hook()

    def rotates(_):
        try:
            webhooks.rotate(store, webhook, new_secret(), now())
        except webhooks.RotatedTooOften as error:
            return error.until_ms
        return None

    with ThreadPoolExecutor(8) as pool:
        assert sorted(map(str, pool.map(rotates, range(8)))) == [str(now() + 24 * HOUR)] * 4 + ["None"] * 4
    now.passes(24 * HOUR)
    assert rotates(0) is None


# --- Order, and nothing lost ----------------------------------------------------------------------------


@pytest.mark.both_databases
def test_notifications_of_a_match_are_delivered_in_order(office, hook, table, receiver, plays, store):
    webhook = hook()
    match_id = table()
    for _ in range(24):
        plays(match_id)
    office.deliver()
    versions = [version for _, version in receiver.received()]
    assert len(versions) > 2  # how often it is her turn depends on the cards
    assert versions == sorted(versions) == [notice.version for notice in noted(store)]
    assert {state for _, state, _ in log_of(store, webhook)} == {"delivered"}
    assert left(store) == []
    assert office.deliver() == 0


@pytest.mark.both_databases
def test_notification_waits_for_an_earlier_failing_one(office, hook, table, receiver, plays, store, now):
    webhook = hook()
    match_id, other = table(), table()
    receiver.answer = lambda request: 500 if request["data"]["match"] == match_id else 200
    office.deliver()
    for _ in range(8):
        plays(match_id)
    office.deliver()
    first = [r for r in receiver.got if r["data"]["match"] == match_id]
    assert [r["type"] for r in first] == [MATCH_STARTED] * len(first)
    assert [r["type"] for r in receiver.got if r["data"]["match"] == other] == [MATCH_STARTED, YOUR_TURN]
    receiver.answer = lambda request: 200
    now.passes(HOUR)
    office.deliver()
    row = [r for r in receiver.got if r["data"]["match"] == match_id]
    assert {r["headers"]["webhook-id"] for r in row[: len(first) + 1]} == {row[0]["headers"]["webhook-id"]}
    assert [r["data"]["version"] for r in row] == sorted(r["data"]["version"] for r in row)
    assert left(store) == []
    assert webhook.failing_ms is None


def test_retries_follow_the_schedule_before_the_next_notification(office, hook, table, receiver, store, now):
    webhook = hook()
    table()
    receiver.answer = lambda request: 500 if request["type"] == MATCH_STARTED else 200
    office.deliver()
    for seconds in work.SCHEDULE[:-1]:
        before = len(receiver.got)
        now.passes(1000 * seconds - 1)
        assert office.deliver() == 0
        now.passes(int(100 * seconds) + 2)
        assert office.deliver() == 1
        assert len(receiver.got) == before + 1
    webhook = webhooks.webhook_of_player(store, "ann", webhook.webhook_id)
    assert webhook.state == "enabled"
    assert webhook.failing_ms is not None
    assert log_of(store, webhook) == [
        (YOUR_TURN, "pending", 0),
        (MATCH_STARTED, "pending", len(work.SCHEDULE)),
    ]


def test_failing_webhook_is_disabled_and_can_replay_missed_notifications(office, hook, table, receiver, store, now):
    webhook = hook()
    start = now()
    table()
    receiver.answer = lambda request: 503
    office.deliver()
    for seconds in work.SCHEDULE:
        now.passes(1100 * seconds + 1)
        office.deliver()
    webhook = webhooks.webhook_of_player(store, "ann", webhook.webhook_id)
    assert (webhook.state, webhook.disabled_ms is not None) == ("failing", True)
    table()
    office.deliver()
    assert {state for _, state, _ in log_of(store, webhook)} == {"failed", "missed"}
    receiver.answer = lambda request: 204
    receiver.got.clear()
    webhooks.change(store, webhook, same(webhook), enabled=True, now=now())
    assert office.deliver() == 0
    assert webhooks.replay(store, webhook.webhook_id, now(), since=start) == 4
    assert [office.deliver(), office.deliver()] == [2, 2]
    assert [request["type"] for request in receiver.got] == [MATCH_STARTED, YOUR_TURN] * 2
    assert {state for _, state, _ in log_of(store, webhook)} == {"delivered"}


@pytest.mark.both_databases
def test_replayed_notification_keeps_its_id(office, hook, table, receiver, store, now):
    webhook = hook()
    table()
    office.deliver()
    first = receiver.got[0]["headers"]["webhook-id"]
    assert webhooks.replay(store, webhook.webhook_id, now(), notice_id=first) == 1
    office.deliver()
    assert receiver.got[-1]["headers"]["webhook-id"] == first
    assert receiver.got[-1]["body"] == receiver.got[0]["body"]


def test_status_410_disables_the_webhook(office, hook, table, receiver, store):
    webhook = hook()
    receiver.answer = lambda request: 410
    table()
    assert office.deliver() == 1
    assert webhooks.webhook_of_player(store, "ann", webhook.webhook_id).state == "gone"
    assert left(store) == []
    table()
    assert office.deliver() == 0


def test_a_paused_webhook_is_not_called(office, hook, table, receiver, store, now):
    webhook = hook()
    table()
    office.look()
    webhooks.change(store, webhook, same(webhook), enabled=False, now=now())
    assert office.deliver() == 0
    assert [state for _, state, _ in log_of(store, webhook)] == ["missed", "missed"]


@pytest.mark.both_databases
def test_deleted_webhook_is_not_called_and_leaves_no_data(office, hook, table, receiver, store):
    webhook = hook()
    table()
    office.look()
    webhooks.remove(store, webhook.webhook_id)
    assert office.deliver() == 0
    assert log_of(store, webhook) == []
    assert receiver.got == []


def test_webhook_gets_only_its_chosen_types(office, hook, table, receiver):
    hook(kinds=(YOUR_TURN,))
    table()
    office.deliver()
    assert [request["type"] for request in receiver.got] == [YOUR_TURN]


def test_address_that_became_forbidden_is_not_called_and_is_logged(office, hook, table, store, receiver):
    webhook = hook()
    office.calls._resolver = lambda *_: ["169.254.169.254"]
    table()
    assert office.deliver() == 1
    (line, *_) = [row for row in webhooks.delivery_log(store, webhook.webhook_id, None, 9) if row.attempts]
    assert (line.status, line.error, line.state) == (None, "address", "pending")
    assert receiver.got == []


def test_test_notification_is_delivered(office, hook, receiver, store, now):
    webhook = hook(kinds=(MATCH_OVER,))
    notice = webhooks.test(store, webhook, 1, now())
    assert webhooks.test(store, webhook, 1, now()) == notice
    assert office.deliver() == 1
    assert (receiver.got[0]["type"], receiver.got[0]["headers"]["webhook-id"]) == (TEST, notice)
    assert receiver.got[0]["data"]["match"] is None


# --- Crashes, and many at once --------------------------------------------------------------------------


class Killed(BaseException):
    """Stands for the sudden death of a worker."""


def test_delivery_repeated_after_a_crash_has_the_same_id(office, hook, table, receiver, plays, store, now, monkeypatch):
    hook()
    match_id = table()
    for _ in range(16):
        plays(match_id)
    office.look()
    real, noted_ = work.note, []

    def killed(*args):
        noted_.append(1)
        if len(noted_) in (1, 3):
            raise Killed
        return real(*args)

    monkeypatch.setattr(work, "note", killed)
    for _ in range(2):
        with pytest.raises(Killed):
            office.deliver()
        assert office.deliver() == 0  # somebody may still be using it
        now.passes(work.LEASE_MS + 10)
    office.deliver()
    ids = [request["headers"]["webhook-id"] for request in receiver.got]
    assert len(ids) == len(set(ids)) + 2
    assert list(dict.fromkeys(ids)) == [notice.notice_id for notice in noted(store)]
    assert left(store) == []


@pytest.mark.long
def test_random_workers_and_notifiers_deliver_everything_in_order(
    office, hook, table, receiver, plays, store, settings, now
):
    """Many workers run concurrently, and some die after a delivery: each match arrives in order, apart from repeats."""
    hook(), hook("ben")
    rng = random.Random(5)
    matches = [table() for _ in range(4)]
    receiver.answer = lambda request: 500 if rng.random() < 0.2 else 200

    def run(lane):
        calls = Calls(store, settings, now=now)
        if rng.random() < 0.3:
            key = dict(zip(("webhook_id", "match_no"), lane, strict=True))
            (held,) = leases.take(store, work.LANES, work.Lane, now(), "killed", **key) or (None,)
            delivery = held and work.next_delivery(store, held, now())
            if delivery:
                calls._try(delivery)  # and dies
            return
        calls.deliver(*lane)

    with ThreadPoolExecutor(6) as pool:
        for _ in range(25):
            for match_id in matches:
                plays(match_id)
            office.look()
            claimed, office.lanes = office.lanes, []
            list(pool.map(run, claimed * 2))
            now.passes(work.LEASE_MS + 30_000)
        receiver.answer = lambda request: 200
        for _ in range(8):
            now.passes(2 * HOUR)
            office.deliver()
    for player in ("ann", "ben"):
        for match_id in matches:
            wanted = [n.notice_id for n in noted(store, player) if n.match_id == match_id]
            came = [r["headers"]["webhook-id"] for r in receiver.got]
            came = [one for one in came if one in wanted]
            assert list(dict.fromkeys(came)) == wanted
            assert [one for one, after in zip(came, [*came[1:], None], strict=True) if one != after] == wanted
    assert left(store) == []


def test_slow_host_does_not_delay_another(office, hook, table, store, now):
    """A host has only a few slots, however many of its matches wait; the others' deliveries go out immediately."""
    for webhook in hook(), hook("ben", "https://other.example/"):
        attempted(store, webhook.webhook_id)
    for _ in range(10):
        table()
    office.look()
    hosts = [lane[0] for lane in office.lanes]
    assert hosts.count("hook-ann") == hosts.count("hook-ben") == work.PER_HOST[work.PROMPT]
    office.lanes.clear()
    office.look()
    assert office.lanes == []


def test_subdomains_count_as_one_host(office, hook, table, store):
    for webhook in hook("ann", "https://a.other.example/"), hook("ben", "https://b.other.example/"):
        attempted(store, webhook.webhook_id)
    for _ in range(10):
        table()
    office.look()
    assert len(office.lanes) == work.PER_HOST[work.PROMPT]


def test_player_with_many_slow_hosts_does_not_delay_another(office, hook, table, store, now):
    for i in range(6):
        attempted(store, hook("ann", f"https://slow{i}.example/", mark=str(i)).webhook_id)
    now.passes(1)
    hook("ben", "https://slow0.example/")
    for _ in range(10):
        table()
    office.look()
    hooks = [lane[0] for lane in office.lanes]
    assert len([one for one in hooks if one.startswith("hook-ann")]) == work.PER_PLAYER[work.PROMPT]
    office.lanes.clear()
    now.passes(1)
    office.look()
    assert {lane[0] for lane in office.lanes} <= {"hook-ben"}


def test_failed_name_lookup_does_not_count_as_an_attempt(office, hook, table, store, now, monkeypatch, receiver):
    hook()
    table()
    with monkeypatch.context() as patch:
        patch.setattr(guarded_http, "MOST_RESOLVING", 0)
        assert office.deliver() == 0
        assert {row.attempts for row in webhooks.delivery_log(store, "hook-ann", None, 10)} == {0}
        assert office.deliver() == 0
    now.passes(BUSY_MS)
    assert office.deliver() == 2
    assert [kind for kind, _ in receiver.received()] == ["match_started", "your_turn"]


@pytest.mark.both_databases
def test_delivery_left_without_a_slot_after_a_crash_is_found(office, hook, table, receiver, store, now):
    hook()
    table()
    office.look()
    store.change(lanes.delete())
    assert office.deliver() == 0
    ledger.sweep(store, now())
    assert office.deliver() == 2


@pytest.mark.both_databases
def test_sweep_deletes_old_notifications(office, hook, table, receiver, store, now):
    webhook = hook()
    table()
    office.deliver()
    now.passes(ledger.KEPT_MS + 1)
    ledger.sweep(store, now())
    assert noted(store) == []
    assert log_of(store, webhook) == []


@pytest.mark.both_databases
def test_erasing_a_player_deletes_their_webhooks(office, hook, table, store, receiver):
    webhook = hook()
    table()
    office.look()
    erase_player(store, "ann", 1)
    assert webhooks.of_player(store, "ann") == []
    assert log_of(store, webhook) == []
    assert noted(store, "ann") == []
    assert left(store) == []
    assert office.deliver() == 0
    assert store.read(select(deliveries)) == []


def test_number_of_webhooks_per_player_is_limited(hook):
    for i in range(webhooks.MOST):
        hook(mark=i)
    with pytest.raises(webhooks.TooMany):
        hook(mark="more")
