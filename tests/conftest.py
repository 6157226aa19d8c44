"""Fixtures every test may ask for, which tests a run leaves out, and what it says of those that fail or are skipped."""

import gc
import os
import shutil
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, ExitStack, closing
from pathlib import Path
from types import SimpleNamespace
from typing import TypeVar

import hypothesis
import pytest

from events.store.migrate import migrate
from events.store.opening import open_store
from events.store.protocol import Store
from tests import built, draws, failures, reaper, services
from tests.apps import _routes_are_made_once
from tests.chromium import Page, browsing
from tests.stores import bare, database, owner, reused, store, url

__all__ = ["_routes_are_made_once", "bare", "database", "owner", "reused", "store", "url"]

T = TypeVar("T")
Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)

IN_CI = os.environ.get("CI") == "true"

# No deadline: a shared machine stalls now and then. In CI the same examples, and the same draws, every time: a red run
# must say something about the change, and new ones are found by everybody's own runs.
hypothesis.settings.register_profile("dealt", deadline=None, derandomize=IN_CI)
hypothesis.settings.load_profile("dealt")

# SQLite waits for the disk at every commit, and no test asks what is left after the power has failed: what they write
# goes into memory where there is enough of it.
MEMORY = Path("/dev/shm")
if os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > 2**30:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let tests/acceptance run another file of worked examples."""
    parser.addoption("--examples", type=Path, metavar="PATH", help="worked examples [those of the repository]")
    parser.addoption("--all", action="store_true", help="also the tests that take long, with more random draws")


def pytest_configure(config: pytest.Config) -> None:
    """Draw more often in a run of all tests."""
    if config.getoption("--all"):
        draws.thoroughly()


def pytest_sessionstart(session: pytest.Session) -> None:
    """Have the temporary folder of a run removed if the run is killed."""
    folder = session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
    session.config.add_cleanup(reaper.note("folder", str(folder)))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what takes long, unless all tests are wanted or the test is named by its id.

    Fleets and whole matches come first: they wait for minutes, and the other processes compute meanwhile, not when all
    is done.
    """
    items.sort(key=lambda item: not waits_long(item))
    if config.getoption("--all") or any("::" in arg for arg in config.args):
        return
    config.hook.pytest_deselected(items=[item for item in items if is_long(item)])
    items[:] = [item for item in items if not is_long(item)]


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over what lasts until the end, all modules and all tests, and look more rarely."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def waits_long(item: pytest.Item) -> bool:
    """Whether a test has a fleet, or plays a whole match."""
    return "fleet" in getattr(item, "fixturenames", ()) or item.get_closest_marker("whole") is not None


def is_long(item: pytest.Item) -> bool:
    """Whether a test is marked `long`, or repeats on PostgreSQL what SQLite shows without the mark `both_databases`."""
    if item.get_closest_marker("long"):
        return True
    repeats = "postgresql" in getattr(item, "callspec", NO_PARAMETERS).params.values()
    return repeats and not item.get_closest_marker("both_databases")


NO_PARAMETERS = SimpleNamespace(params={})


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> None:
    """In CI draw what was drawn in the last run, before the first fixture is made."""
    if IN_CI:
        runs[item.nodeid] += 1  # generated tests may share an id
        draws.repeatable(f"{item.nodeid} {runs[item.nodeid]}")


runs: Counter[str] = Counter()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Say first what is wrong; in CI a skipped test is a failed one."""
    report = yield
    if call.excinfo and report.failed:
        failures.say_first(report, call.excinfo, whole=item.config.get_verbosity() > 1)
    return refuse_skip(report)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """End with a line for each failure, however narrow the terminal is."""
    for report in (*terminalreporter.getreports("failed"), *terminalreporter.getreports("error")):
        terminalreporter.write_line(failures.summary(report), red=True)


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
    yield from available(services.postgres(leaves=True))


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """The address of an empty Redis database."""
    yield from available(services.redis_url())


@pytest.fixture(scope="session")
def rabbitmq_url() -> Iterator[str]:
    """The address of an empty virtual host of RabbitMQ."""
    yield from available(services.rabbitmq_url())


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """The first page of a browser; who changes what it keeps takes a stranger's."""
    built.page()
    with browsing(tmp_path_factory.mktemp("browser")) as page:
        yield page


@pytest.fixture(scope="session")
def built_page() -> None:
    """Have the page built, which the server answers with."""
    built.page()


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
def shared_sqlite(empty_sqlite: Callable[[Path], str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store on SQLite for the tests of one file to share: each begins matches of its own there."""
    with closing(open_store(empty_sqlite(tmp_path_factory.mktemp("shared") / "dealt.sqlite3"))) as store:
        yield store


@pytest.fixture
def sqlite_path(tmp_path: Path) -> Path:
    """Where an SQLite database may be made; no file is there yet."""
    return tmp_path / "dealt.sqlite3"
