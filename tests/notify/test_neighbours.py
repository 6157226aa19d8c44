"""Tests that a webhook with a slow or failing receiver takes no slots from others."""

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from statistics import median
from threading import Event, Thread

import pytest

from events import times
from events.notify import lanes as work
from events.notify import ledger
from events.notify.lanes import LANES, Lane, Tried
from events.notify.notices import YOUR_TURN, Notice
from events.store import leases
from events.store.tables import player_rows
from tests.notify.log import attempted
from workers.guarded_http import SECONDS
from workers.notifier import Notifier
from workers.polling import Poll
from workers.tasks.webhook_tasks import THREADS, WebhookCaller

PROMPT, SLOW, FAILED, UNANSWERED = (work.PROMPT_MS, 204), (work.PROMPT_MS + 1, 204), (5, 500), (5, None)
UNANSWERED_MS = int(1000 * SECONDS)


def tell(store, player, matches, each=1, since=0, at=None):
    """Write notifications for a player: a number for each of several matches, from a version on."""
    at = times.now() if at is None else at
    new = [
        Notice(player, no, f"match{no}", "hearts", YOUR_TURN, 0, version, at)
        for version in range(since, since + each)
        for no in range(1, matches + 1)
    ]
    store.write(lambda connection: ledger.write(connection, new, at, 0))


def hanging(store, since, seconds):
    """Claim deliveries, none of which is answered; yield each time with the ids of the claimed webhooks."""
    running = []
    for now in range(since, since + 1_000 * seconds, UNANSWERED_MS // 2):
        for taken_at, lane in [one for one in running if now - one[0] >= UNANSWERED_MS]:
            running.remove((taken_at, lane))
            delivery = work.next_delivery(store, lane, now)
            work.note(store, lane, delivery, Tried(now, UNANSWERED_MS, None, "timeout"), now)
        new = [
            lane
            for one in work.claim(store, now)
            for lane in leases.take(store, LANES, Lane, now, "worker", webhook_id=one.webhook_id, match_no=one.match_no)
        ]
        running += [(now, lane) for lane in new]
        yield now, [lane.webhook_id for lane in new]


def claimed(store, limit=100):
    """Claim all available deliveries; return the ids of the webhooks."""
    return [lane.webhook_id for lane in work.claim(store, times.now(), limit)]


@contextmanager
def working(store, settings):
    """Run a notifier and the threads of a worker."""
    calls = WebhookCaller(store, settings)
    with ThreadPoolExecutor(THREADS) as pool:
        notifier = Notifier(store, settings, lambda *lane: pool.submit(calls.deliver, *lane), print, pause=0.05)
        poll = Poll(notifier.look, "cannot send notifications")
        thread = Thread(target=poll.run, daemon=True)
        thread.start()
        try:
            yield
        finally:
            poll.stop()
            thread.join()
            pool.shutdown(cancel_futures=True)


@pytest.mark.long
@pytest.mark.parametrize("seconds", [3, 5])
def test_slow_receiver_does_not_delay_others_at_the_same_host(store, settings, hook, receiver, seconds):
    """At first the receiver is prompt and has all slots of the host, with many notifications for each webhook.

    After 5 s, a delivery fails. Notifications of the other webhook arrive before it answers; how soon depends on the
    machine.
    """
    hook("ann", receiver.url + "/sick"), hook("ben", receiver.url + "/well")
    sick, over, came = Event(), Event(), {"sick": [], "well": []}

    def answer(request):
        name = request["path"].rpartition("/")[2]
        came[name].append(time.monotonic())
        if name == "sick" and sick.is_set():
            over.wait(seconds)
        return 204

    def until(name, count):
        end = time.monotonic() + seconds + 3
        while len(came[name]) < count:
            assert time.monotonic() < end, f"{len(came[name])} of {count} came"
            time.sleep(0.01)

    receiver.answer = answer
    with working(store, settings):
        try:
            tell(store, "ann", matches=1)
            until("sick", 1)
            sick.set()
            tell(store, "ann", matches=8, since=1, each=10)
            until("sick", 1 + work.PER_HOST[work.PROMPT])
            delays = []
            for turn in range(3):
                start = time.monotonic()
                tell(store, "ben", matches=8, since=turn)
                until("well", 8 * (turn + 1))
                delays += [at - start for at in came["well"][-8:]]
        finally:
            over.set()
    assert median(delays) < 0.8 * seconds


@pytest.mark.both_databases
def test_new_webhook_gets_one_slot_until_a_prompt_delivery(store, hook):
    webhook = hook()
    tell(store, "ann", matches=9)
    assert claimed(store) == ["hook-ann"]
    assert claimed(store) == []
    attempted(store, webhook.webhook_id, *PROMPT)
    assert claimed(store) == ["hook-ann"] * (work.PER_PLAYER[work.PROMPT] - 1)
    assert claimed(store) == []


@pytest.mark.both_databases
@pytest.mark.parametrize("how", [SLOW, FAILED, UNANSWERED], ids=["slow", "failed", "unanswered"])
def test_slow_webhook_regains_its_slots_gradually(store, hook, how):
    """A webhook that is prompt but not in turn would never get them back."""
    webhook = hook()
    tell(store, "ann", matches=9)
    for _ in range(3):
        attempted(store, webhook.webhook_id, *PROMPT)
        attempted(store, webhook.webhook_id, *how)
    for prompt in range(work.PROMPT_TRIES):
        assert claimed(store) == ([] if prompt else ["hook-ann"]), prompt
        attempted(store, webhook.webhook_id, *PROMPT)
    assert claimed(store) == ["hook-ann"] * (work.PER_PLAYER[work.PROMPT] - 1)


@pytest.mark.both_databases
def test_attempts_count_only_against_their_webhook(store, hook):
    sick, well = hook("ann", "https://host0.example/"), hook("ben", "https://host1.example/")
    attempted(store, well.webhook_id, *PROMPT)
    attempted(store, sick.webhook_id, *FAILED)
    for player in ("ann", "ben"):
        tell(store, player, matches=9)
    assert sorted(claimed(store)) == ["hook-ann"] + ["hook-ben"] * work.PER_PLAYER[work.PROMPT]


@pytest.mark.both_databases
def test_prompt_new_and_slow_webhooks_of_a_host_have_separate_slots(store, hook):
    for player in ("ann", "ben", "cat", "dan", "zoe"):
        webhook = hook(player)
        if player < "cat":
            attempted(store, webhook.webhook_id, *UNANSWERED)
        tell(store, player, matches=9)
    attempted(store, webhook.webhook_id, *PROMPT)
    first = Counter(claimed(store))
    assert first == Counter({f"hook-{player}": 1 for player in ("ann", "ben", "cat", "dan")}) + Counter(
        {"hook-zoe": work.PER_HOST[work.PROMPT]}
    )
    assert claimed(store) == []


@pytest.mark.both_databases
def test_player_has_one_slot_for_new_webhooks_and_one_for_slow_ones(store, hook):
    for number in range(4):
        webhook = hook("ann", f"https://host{number}.example/", mark=str(number))
        if number < 2:
            attempted(store, webhook.webhook_id, *SLOW)
    tell(store, "ann", matches=2)
    assert sorted(one < "hook-ann2" for one in claimed(store)) == [False, True]
    assert claimed(store) == []


@pytest.mark.both_databases
def test_many_new_and_slow_webhooks_take_no_slots_from_others(store, hook):
    """These webhooks have waited longer, and there are more than are considered at a time."""
    for number in range(20):
        player = f"player{number}"
        player_rows.add_player(store, player, player, player.encode() * 8, 0)
        other = hook(player, f"https://host{number}.example/")
        if number % 2:
            attempted(store, other.webhook_id, *FAILED)
        tell(store, player, matches=2)
    webhook = hook("zoe", "https://well.example/")
    attempted(store, webhook.webhook_id, *PROMPT)
    tell(store, "zoe", matches=9)
    first = claimed(store, limit=8)
    assert first.count("hook-zoe") == work.PER_HOST[work.PROMPT]
    assert len(first) == work.PER_HOST[work.PROMPT] + sum(work.IN_ALL.values())
    assert claimed(store, limit=8) == []


@pytest.mark.both_databases
def test_new_webhook_waits_for_at_most_one_delivery_that_hangs(store, hook, now):
    """The receivers of other players at its host hang, at their first notification and when it is repeated."""
    begin = now()
    for number in range(6):
        player = f"player{number}"
        player_rows.add_player(store, player, player, player.encode() * 8, 0)
        hook(player)
        tell(store, player, matches=1, at=begin)
    asked, waited = {"ann": begin + 2_500, "ben": begin + 15_000}, {}
    for at, begun in hanging(store, begin, 30):
        for player in (webhook_id.removeprefix("hook-") for webhook_id in begun):
            waited.setdefault(player, at - asked.get(player, begin))
        for player in [one for one in asked if asked[one] == at]:
            hook(player)
            tell(store, player, matches=1, at=at)
    assert len(waited) == 8
    assert max(waited[player] for player in asked) <= UNANSWERED_MS
