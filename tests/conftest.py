"""Fixtures every test may ask for, and what a run says of tests that did not run."""

import os
import shutil
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, ExitStack, closing
from pathlib import Path
from typing import TypeVar

import hypothesis
import pytest

from events.store.migrate import migrate
from events.store.opening import open_store
from events.store.protocol import Store
from tests import services
from tests.stores import bare, database, reused, store, url

__all__ = ["bare", "database", "reused", "store", "url"]

T = TypeVar("T")
Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)

IN_CI = os.environ.get("CI") == "true"

# No deadline: a shared machine stalls now and then. In CI the same examples every time: a red run must say something
# about the change, and new examples are found by everybody's own runs.
hypothesis.settings.register_profile("dealt", deadline=None, derandomize=IN_CI)
hypothesis.settings.load_profile("dealt")

# SQLite waits for the disk at every commit, and no test asks what is left after the power has failed: what they write
# goes into memory where there is enough of it.
MEMORY = Path("/dev/shm")
if os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > 2**30:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let tests/acceptance run another file of worked examples."""
    parser.addoption(
        "--examples", type=Path, metavar="PATH", help="worked examples [those of the repository]"
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """In CI a skipped test is a failed one."""
    return refuse_skip((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """In CI so is a skipped module."""
    return refuse_skip((yield))


def refuse_skip(report: Report) -> Report:
    """Turn a skip into a failure that names its reason."""
    if IN_CI and report.skipped:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        report.outcome = "failed"
        report.longrepr = f"{report.nodeid} may not skip with CI=true: {reason}"
    return report


def available(service: AbstractContextManager[T]) -> Iterator[T]:
    """A service for as long as the session lasts; skips, with the reason, what cannot be had."""
    with ExitStack() as stack:
        try:
            value = stack.enter_context(service)
        except services.UnavailableError as error:
            pytest.skip(str(error))
        yield value


@pytest.fixture(scope="session")
def postgres() -> Iterator[services.Database]:
    """An empty PostgreSQL database: `owner_url`, `app_url`, `admin_url`, and `new_database()` for more."""
    yield from available(services.postgres())


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """The address of an empty Redis database."""
    yield from available(services.redis_url())


@pytest.fixture(scope="session")
def rabbitmq_url() -> Iterator[str]:
    """The address of an empty virtual host of RabbitMQ."""
    yield from available(services.rabbitmq_url())


@pytest.fixture(scope="session")
def empty_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], str]:
    """Makes a database with the schema, and nothing in it, at a path; gives its address."""
    template = tmp_path_factory.mktemp("empty") / "dealt.sqlite3"
    migrate(f"sqlite:///{template}")

    def made(path: Path) -> str:
        shutil.copyfile(template, path)
        return f"sqlite:///{path}"

    return made


@pytest.fixture(scope="module")
def shared_sqlite(
    empty_sqlite: Callable[[Path], str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    """A store on SQLite for the tests of one file to share: each begins matches of its own there."""
    with closing(open_store(empty_sqlite(tmp_path_factory.mktemp("shared") / "dealt.sqlite3"))) as store:
        yield store


@pytest.fixture
def sqlite_path(tmp_path: Path) -> Path:
    """Where an SQLite database may be made; no file is there yet."""
    return tmp_path / "dealt.sqlite3"
