"""Tests the service as separate processes on PostgreSQL, with RabbitMQ and with Redis between them."""

import os
import random
import signal
import time
from contextlib import ExitStack
from statistics import median

import pytest

from events.settings import Settings
from events.store.opening import open_store
from events.store.pending_records import Due
from tests.system.conftest import Fleet
from tests.system.processes import SHORT, answers_ms, check_log, until
from workers.celery_app import Publisher, celery_app


@pytest.mark.long
def test_matches_continue_whatever_is_killed(fleet, broker):
    for _ in range(2):
        fleet.start("scheduler")
    workers = [fleet.start("worker") for _ in range(2)]
    fleet.start_api()
    with ExitStack() as stack:
        ann = stack.enter_context(fleet.person())

        # All is well: two schedulers, two workers, and every task delivered three times more.
        match = ann.create(**SHORT)
        for _ in range(6):
            ann.turns(match, 2)
            deliver_again(fleet, match)
        ann.turns(match)
        print(f"\n{broker.name}: three bots answer in {median(answers_ms(fleet.url, match))} ms (median)")  # noqa: T201
        assert ann.see(match)["status"] == "finished"
        check_log(fleet.url, match)

        # Workers are killed at any moment, in the middle of turns.
        match = ann.create(**SHORT)
        bots = ann.create(**SHORT, seats=[{"kind": "bot", "level": "easy"}] * 4)
        ann.turns(match, 2)
        stalls = []
        for killed in workers:
            if ann.await_turn(match):
                ann.move(match)
            time.sleep(random.uniform(0, 0.02))
            if killed is workers[0]:  # the one process that plays, whose parent then starts another
                os.kill(killed.children()[0], signal.SIGKILL)
            else:
                os.killpg(killed.popen.pid, signal.SIGSTOP)
                killed.kill()
                fleet.start("worker")
            start = time.monotonic()
            ann.await_turn(match)
            stalls.append(time.monotonic() - start)
        print(f"{broker.name}: stalls after SIGKILL {[round(s, 1) for s in stalls]} s")  # noqa: T201

        # The broker goes away in the middle of a turn and comes back empty.
        ann.turns(match, 1)
        broker.lose()
        if 0 in ann.see(match)["to_act"]:
            ann.move(match)
        time.sleep(2)
        broker.bring_back()
        start = time.monotonic()
        ann.await_turn(match)
        print(f"{broker.name}: back {time.monotonic() - start:.1f} s after the broker")  # noqa: T201
        ann.turns(match)
        until(lambda: ann.see(bots)["status"] == "finished", 120, 0.1)
        for each in (match, bots):
            assert ann.see(each)["status"] == "finished"
            check_log(fleet.url, each)


def deliver_again(fleet: Fleet, match: str) -> None:
    """Publish the task for a match three times, whether there is work or not."""
    settings = Settings(database_url=fleet.url, broker_url=fleet.env["BROKER_URL"])
    publisher = Publisher(celery_app(settings, settings.broker_url, lambda: pytest.fail("not here")))
    for kind in ("bot", "clock", "bot"):
        publisher(Due(0, match, kind, 0, 0))
    publisher.close()


@pytest.mark.long
def test_fleet_stops_cleanly(fleet):
    processes = [fleet.start("worker"), fleet.start("scheduler")]
    fleet.start_api()
    time.sleep(1)
    for process in [*processes, fleet.processes[-1]]:
        assert process.terminate() == 0
        assert "Traceback" not in process.output


def test_open_store_names_a_wrong_address():
    with pytest.raises(ValueError, match="DATABASE_URL"):
        open_store("mysql://x")
