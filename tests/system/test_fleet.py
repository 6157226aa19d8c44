"""The service as separate processes on PostgreSQL, with RabbitMQ and with Redis between them."""

import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from statistics import median

import pytest
import redis
from sqlalchemy import make_url

from events.migrate import migrate
from events.settings import Settings
from events.store import Due, open_store
from tests import services
from tests.system.processes import (
    SHORT,
    Person,
    Process,
    Wire,
    answers,
    answers_ms,
    check_log,
    free_port,
    until,
)
from workers.app import Publisher, celery_app


class Fleet:
    """Any number of `dealt api`, `worker` and `scheduler` on one database and one broker."""

    def __init__(self, database: services.Database, broker: str) -> None:
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.url = database.app_url
        self.env = {"DATABASE_URL": self.url, "BROKER_URL": broker, "DEALT_PROCESSES": "1"}
        self.processes: list[Process] = []
        migrate(database.owner_url, make_url(self.url).username)

    def start(self, *args: str, **env: str) -> Process:
        self.processes.append(Process(*args, env=self.env | env))
        return self.processes[-1]

    def start_api(self) -> None:
        self.start("api", "--port", str(self.port), "--no-access-log")
        until(lambda: answers(self.base), 30)

    @contextmanager
    def person(self) -> Iterator[Person]:
        ann = Person(self.base)
        with ann.session:
            yield ann


class Rabbit:
    """RabbitMQ through a wire of ours: the server is shared, so the wire is cut in its place."""

    name = "RabbitMQ"

    def __init__(self, url: str) -> None:
        server = make_url(url)
        self._wire = Wire((server.host or "127.0.0.1", server.port or 5672))
        self.url = server.set(host="127.0.0.1", port=self._wire.port).render_as_string(hide_password=False)
        self.lose, self.bring_back, self.close = self._wire.cut, self._wire.mend, self._wire.cut


class Redis:
    """A server of our own, killed and started again with nothing in it."""

    name = "Redis"

    def __init__(self, program: str) -> None:
        self._port = free_port()
        self._command = [
            program,
            "--port",
            str(self._port),
            "--save",
            "",
            "--appendonly",
            "no",
            "--dir",
            "/tmp",
        ]
        self.url = f"redis://127.0.0.1:{self._port}/0"
        self.bring_back()

    def bring_back(self) -> None:
        self._server = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        until(self._is_there, 10)

    def _is_there(self) -> bool:
        with suppress(redis.ConnectionError), redis.Redis(port=self._port) as client:
            return bool(client.ping())
        return False

    def lose(self) -> None:
        self._server.kill()
        self._server.wait()

    close = lose


@pytest.fixture(params=["rabbitmq", "redis"])
def broker(request):
    if request.param == "rabbitmq":
        found = Rabbit(request.getfixturevalue("rabbitmq_url"))
    else:
        programs = [p for p in services.redis_programs() if shutil.which(str(p))]
        if not programs:
            pytest.skip("no program that speaks Redis' protocol")
        found = Redis(str(programs[0]))
    yield found
    found.close()


@pytest.fixture
def fleet(postgres, broker):
    here = Fleet(postgres.new_database(), broker.url)
    try:
        yield here
    finally:
        for process in here.processes:
            process.kill()
            print(process.output)  # noqa: T201 -- shown with a test that fails


def test_matches_go_on_whatever_is_killed(fleet, broker):
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
        assert max(stalls) < 15

        # The broker goes away in the middle of a turn, and comes back empty.
        ann.turns(match, 1)
        broker.lose()
        if 0 in ann.see(match)["to_act"]:
            ann.move(match)
        time.sleep(2)
        broker.bring_back()
        start = time.monotonic()
        ann.await_turn(match)
        print(f"{broker.name}: back {time.monotonic() - start:.1f} s after the broker")  # noqa: T201
        assert time.monotonic() - start < 15
        ann.turns(match)
        until(lambda: ann.see(bots)["status"] == "finished", 40, 0.1)
        for each in (match, bots):
            assert ann.see(each)["status"] == "finished"
            check_log(fleet.url, each)


def deliver_again(fleet: Fleet, match: str) -> None:
    """Publish the task for a match three times, whether there is work or not."""
    settings = Settings(database_url=fleet.url, broker_url=fleet.env["BROKER_URL"])
    publisher = Publisher(celery_app(settings, settings.broker_url, lambda: pytest.fail("not here")))
    for kind in ("bot", "clock", "bot"):
        publisher(Due(0, match, kind, 0, 1))
    publisher.close()


def test_stops_cleanly(fleet):
    processes = [fleet.start("worker"), fleet.start("scheduler")]
    fleet.start_api()
    time.sleep(1)
    for process in [*processes, fleet.processes[-1]]:
        start = time.monotonic()
        assert process.terminate() == 0
        assert time.monotonic() - start < 20
        assert "Traceback" not in process.output


def test_open_store_names_a_wrong_address():
    with pytest.raises(ValueError, match="DATABASE_URL"):
        open_store("mysql://x")
