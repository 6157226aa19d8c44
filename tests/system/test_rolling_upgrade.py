"""Tests two versions of Dealt on one database under load: upgrade, rollback, and upgrade again."""

import shutil
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple, Self

import pytest
import requests
from sqlalchemy import create_engine, text
from sqlalchemy.pool import NullPool

from tests.services import Database, free_port
from tests.system.processes import ROOT, SHORT, Person, Process, answers, running, until

EXPAND = """
import sqlalchemy as sa
from alembic import op

revision, down_revision, works_with = "0002", "0001", "0001"


def upgrade():
    for table in ("matches", "seats", "results", "players", "work_spans"):
        op.add_column(table, sa.Column("later", sa.Integer))
    op.create_table("later_things", sa.Column("name", sa.Text, primary_key=True))
"""

CONTRACT = """
from alembic import op

revision, down_revision, works_with = "0003", "0002", "0002"


def upgrade():
    op.execute("UPDATE players SET later = 1")
"""


@pytest.fixture(scope="module")
def later_code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a later version with two migrations, which also works with today's schema."""
    folder = tmp_path_factory.mktemp("later")
    for package in ("api", "domain", "workers"):
        (folder / package).symlink_to(ROOT / package)
    events = shutil.copytree(ROOT / "events", folder / "events")
    revisions = events / "store" / "revisions.py"
    known = revisions.read_text()
    assert known.count('("0001",)') == 1
    revisions.write_text(known.replace('("0001",)', '("0001", "0002", "0003")'))
    versions = events / "store" / "migrations" / "versions"
    (versions / "0002_later.py").write_text(EXPAND)
    (versions / "0003_later.py").write_text(CONTRACT)
    return folder


class Addresses(NamedTuple):
    """Return the addresses of a database: its owner's, and the application's."""

    owner_url: str
    app_url: str


@pytest.fixture(params=["postgresql", "sqlite"])
def database(request: pytest.FixtureRequest, sqlite_path: Path) -> Addresses:
    if request.param == "sqlite":
        return Addresses(f"sqlite:///{sqlite_path}", f"sqlite:///{sqlite_path}")
    made: Database = request.getfixturevalue("postgres").new_database()
    return Addresses(made.owner_url, made.app_url)


class Version:
    """Run the API, a worker and a scheduler of one version."""

    def __init__(self, code: Path, database: Addresses, broker: str) -> None:
        self.code = code
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.env = {
            "DATABASE_URL": database.app_url,
            "MIGRATION_DATABASE_URL": database.owner_url,
            "BROKER_URL": broker,
            "DEALT_PROCESSES": "1",
        }

    def start(self, *args: str) -> Process:
        return Process(*args, env=self.env, code=self.code)

    def run(self, *args: str) -> tuple[int, str]:
        """Run a command to its end; return its exit code and output."""
        process = self.start(*args)
        with running(process):
            code = process.popen.wait(120)
        return code, process.output

    def start_all(self, stack: ExitStack) -> list[Process]:
        api = ("api", "--port", str(self.port), "--no-access-log")
        started = [self.start(*args) for args in (api, ("worker",), ("scheduler",))]
        stack.enter_context(running(*started))
        until(lambda: answers(self.base), 60)
        return started


class Load:
    """A person who plays against bots at one version, with ten checks of `/readyz` a second."""

    def __init__(self, base: str) -> None:
        self.refused: list[str] = []
        self.turns = 0
        self._base = base
        self._stopping = Event()
        self._threads = [Thread(target=run, daemon=True) for run in (self._play, self._look)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        for thread in self._threads:
            thread.join(60)

    def _play(self) -> None:
        try:
            person = Person(self._base)
            with person.session:
                match = person.create(**SHORT)
                while not self._stopping.is_set():
                    if not person.turns(match, 1):
                        match = person.create(**SHORT)
                    self.turns += 1
        except (requests.RequestException, AssertionError) as error:
            self.refused.append(repr(error))

    def _look(self) -> None:
        while not self._stopping.wait(0.1):
            try:
                answer = requests.get(f"{self._base}/readyz", timeout=60)
                if answer.status_code != 200:
                    self.refused.append(answer.text)
            except requests.RequestException as error:
                self.refused.append(repr(error))

    def goes_on(self, turns: int = 3) -> None:
        """Wait until the person has had some more turns, and check that nothing was refused."""
        wanted = self.turns + turns
        until(lambda: self.turns >= wanted or self.refused, 60)
        assert self.refused == []


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as found:
        yield found


@pytest.mark.long
def test_fleet_is_upgraded_and_rolled_back_without_refusals(
    later_code: Path, database: Addresses, rabbitmq_url: str, stack: ExitStack
):
    earlier, later = Version(ROOT, database, rabbitmq_url), Version(later_code, database, rabbitmq_url)
    assert earlier.run("migrate")[0] == 0
    fleet_before = earlier.start_all(stack)

    with Load(earlier.base) as before:
        before.goes_on()
        with create_engine(database.owner_url, poolclass=NullPool).connect() as backup:
            backup.execute(text("SELECT count(*) FROM players"))
            expanding = later.start("migrate")
            with running(expanding):
                time.sleep(3)
                before.goes_on()
                backup.rollback()
                assert expanding.popen.wait(60) == 0, expanding.output
        assert "To finish 0003, stop all older versions" in expanding.output
        before.goes_on()

        fleet_after = later.start_all(stack)
        with Load(later.base) as after:
            after.goes_on()
            before.goes_on()
            code, written = later.run("migrate", "--contract")
            assert code == 1
            assert "of an older version are running" in written
        for process in fleet_after:
            process.terminate()
        before.goes_on()

    later.start_all(stack)
    for process in fleet_before:
        process.terminate()
    with Load(later.base) as after:
        after.goes_on()
        until(lambda: later.run("migrate", "--contract")[0] == 0, 60, pause=1)
        after.goes_on()
    code, written = earlier.run("worker")
    assert code == 1
    assert "was made by another version of Dealt (migration 0003)" in written
