"""Provides the service as separate processes on PostgreSQL, with RabbitMQ or Redis between them."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import pytest
import redis
from sqlalchemy import make_url

from events.store.migrate import migrate
from tests import reaper, services
from tests.services import free_port
from tests.system.processes import Person, Process, Wire, answers, running, until


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
        until(lambda: answers(self.base), 60)

    @contextmanager
    def person(self) -> Iterator[Person]:
        ann = Person(self.base)
        with ann.session:
            yield ann


class Rabbit:
    """RabbitMQ through our own connection: the server is shared, so only the connection is cut."""

    name = "RabbitMQ"

    def __init__(self, url: str) -> None:
        server = make_url(url)
        self._wire = Wire((server.host or "127.0.0.1", server.port or 5672))
        self.url = server.set(host="127.0.0.1", port=self._wire.port).render_as_string(hide_password=False)
        self.lose, self.bring_back, self.close = self._wire.cut, self._wire.mend, self._wire.cut


class Redis:
    """Our own Redis server, which can be killed and started again empty."""

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
        self._server = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, start_new_session=True)
        self._take_back = reaper.note("process group", self._server.pid)
        until(self._is_there, 60)

    def _is_there(self) -> bool:
        with suppress(redis.ConnectionError), redis.Redis(port=self._port) as client:
            return bool(client.ping())
        return False

    def lose(self) -> None:
        self._server.kill()
        self._server.wait()
        self._take_back()

    close = lose


@pytest.fixture(params=["rabbitmq", pytest.param("redis", marks=pytest.mark.long)])
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


@pytest.fixture
def held():
    """Return an exit stack for everything that is closed at the end."""
    with ExitStack() as stack:
        yield stack


@pytest.fixture(scope="session")
def base(tmp_path_factory):
    """Return the address of a server for all pages: each test has its own players and matches there."""
    port = free_port()
    process = Process("serve", "--port", str(port), "--data", str(tmp_path_factory.mktemp("data")))
    base = f"http://127.0.0.1:{port}"
    with running(process):
        until(lambda: answers(base), 60)
        yield base


@pytest.fixture
def page(chromium, base):
    """Return an empty page, which must report no error until the end of the test."""
    chromium.is_wide(1280)
    chromium.has_touch(is_there=False)
    chromium.opens(f"{base}/docs/problems")
    chromium.until("location.pathname === '/docs/problems'")
    chromium.evaluates("localStorage.clear()")
    chromium.errors.clear()
    yield chromium
    assert chromium.errors == []
