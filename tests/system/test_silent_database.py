"""Tests a database whose host falls silent, as behind a firewall that has dropped its connections: nothing stops for
ever. The connection continues to acknowledge what it is sent, and delivers nothing, so no TCP limit notices it."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests
from sqlalchemy import make_url

from tests.system.processes import SHORT, Wire, until

GRACE_SECONDS = 20
"""Twice the time that a container engine gives a process before it kills it, as this machine may be slow."""


@pytest.fixture
def wire(fleet):
    """Return the connection to the fleet's database."""
    server = make_url(fleet.url)
    made = Wire((server.host or "127.0.0.1", server.port or 5432))
    address = server.set(host="127.0.0.1", port=made.port).render_as_string(hide_password=False)
    fleet.env["DATABASE_URL"] = address
    yield made
    made.cut()


@pytest.mark.long
@pytest.mark.parametrize("broker", ["rabbitmq"], indirect=True)  # it has no part in this
def test_bots_play_on_after_some_connections_fall_silent(fleet, wire):
    crew = [fleet.start("scheduler"), fleet.start("worker")]
    fleet.start_api()
    with fleet.person() as ann:
        match = ann.create(**SHORT)
        ann.turns(match, 2)
        assert ann.await_turn(match)
        wire.fall_silent()
        start = time.monotonic()
        ann.move(match)
        ann.await_turn(match, 120)
        print(f"\nbots answer {time.monotonic() - start:.1f} s after the silence began")  # noqa: T201

        wire.fall_silent(also_new=True)
        start = time.monotonic()
        answer = requests.get(f"{fleet.base}/v1/matches/{match}", headers=ann.session.headers, timeout=60)
        print(f"the API says so after {time.monotonic() - start:.1f} s")  # noqa: T201
        assert answer.status_code == 503
        assert answer.headers["Retry-After"]
        for process in crew:
            start = time.monotonic()
            assert process.terminate() == 0
            print(f"{process.popen.args[-1]} stops within {time.monotonic() - start:.1f} s")  # noqa: T201
    for process in fleet.processes:
        assert "Traceback" not in process.output


@pytest.mark.long
@pytest.mark.parametrize("broker", ["redis"], indirect=True)
def test_busy_worker_can_be_stopped_while_the_database_is_silent(fleet, wire):
    fleet.start("scheduler")
    worker = fleet.start("worker")
    fleet.start_api()
    with fleet.person() as ann:
        matches = [ann.create(options={"target_score": 100}, seats=[{"kind": "bot"}] * 4) for _ in range(4)]
        until(lambda: all(ann.see(match)["version"] > 40 for match in matches), 120)
        wire.fall_silent(also_new=True)
        start = time.monotonic()
        assert worker.terminate() == 0
        print(f"\na worker with a task in hand stops within {time.monotonic() - start:.1f} s")  # noqa: T201
        assert time.monotonic() - start < GRACE_SECONDS
        assert "Traceback" not in worker.output


@pytest.mark.long
@pytest.mark.parametrize("broker", ["rabbitmq"], indirect=True)
def test_health_checks_answer_while_all_other_requests_hang(fleet, wire):
    fleet.start_api()
    with fleet.person() as ann, ThreadPoolExecutor(40) as pool:
        match = ann.create(**SHORT)
        wire.fall_silent(also_new=True)
        hanging = [
            pool.submit(requests.get, f"{fleet.base}/v1/matches/{match}", headers=ann.session.headers, timeout=90)
            for _ in range(40)
        ]
        until(lambda: requests.get(f"{fleet.base}/readyz", timeout=30).status_code == 503, 120)
        for path, status, most in (("/healthz", 200, 2), ("/readyz", 503, 5)):
            taken = []
            for _ in range(10):
                start = time.monotonic()
                assert requests.get(f"{fleet.base}{path}", timeout=30).status_code == status
                taken.append(time.monotonic() - start)
            print(f"\n{path}: {min(taken):.3f} s at best, {max(taken):.3f} s at most")  # noqa: T201
            assert min(taken) < most
        assert {answer.result().status_code for answer in hanging} <= {429, 503}
        start = time.monotonic()
        answer = requests.get(f"{fleet.base}/v1/matches/{match}", headers=ann.session.headers, timeout=60)
        taken = time.monotonic() - start
        print(f"a request in the known outage is answered {answer.status_code} after {taken:.2f} s")  # noqa: T201
        wire.speak()
        until(lambda: requests.get(f"{fleet.base}/readyz", timeout=30).status_code == 200, 40)
