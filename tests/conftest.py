"""Provides fixtures for all tests, selects the tests of a run, and reports failed and skipped ones."""

import gc
import os
import shutil
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
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
    parser.addoption("--all", action="store_true", help="also the tests that take long")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Register the temporary folder of a run for removal if the run is killed."""
    folder = session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
    session.config.add_cleanup(reaper.note("folder", str(folder)))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect long tests, unless all tests are wanted or a test is named by its id.

    Fleets and whole matches come first: they wait for minutes, while the other processes compute.
    """
    items.sort(key=lambda item: not waits_long(item))
    if any("::" in arg for arg in config.args):
        return
    omitted = set(further_repeats(items) if config.getoption("--all") else filter(is_long, items))
    config.hook.pytest_deselected(items=[item for item in items if item in omitted])
    items[:] = [item for item in items if item not in omitted]


def pytest_collection_finish() -> None:
    """Let the garbage collector ignore objects that last until the end, such as modules and tests, and run less
    often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def waits_long(item: pytest.Item) -> bool:
    """Return whether a test uses a fleet or plays a whole match."""
    return "fleet" in getattr(item, "fixturenames", ()) or item.get_closest_marker("whole") is not None


def is_long(item: pytest.Item) -> bool:
    """Return whether a test is marked `long`, or repeats on PostgreSQL what SQLite already shows, without
    `both_databases`."""
    return item.get_closest_marker("long") is not None or repeats_on_postgresql(item)


def repeats_on_postgresql(item: pytest.Item) -> bool:
    """Return whether a test repeats on PostgreSQL what SQLite already shows, without `both_databases`."""
    is_there = "postgresql" in getattr(item, "callspec", NO_PARAMETERS).params.values()
    return is_there and not item.get_closest_marker("both_databases")


def further_repeats(items: Iterable[pytest.Item]) -> Iterator[pytest.Item]:
    """Yield the repeats on PostgreSQL of a function's further cases: they run the same statements as its first case."""
    met = set()
    for item in filter(repeats_on_postgresql, items):
        function = item.nodeid.partition("[")[0]
        if function in met:
            yield item
        met.add(function)


NO_PARAMETERS = SimpleNamespace(params={})


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> None:
    """In CI, repeat the random draws of the last run, before the first fixture is created."""
    if IN_CI:
        runs[item.nodeid] += 1  # generated tests may share an id
        draws.repeatable(f"{item.nodeid} {runs[item.nodeid]}")


runs: Counter[str] = Counter()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Begin reports with the fault; in CI, a skipped test counts as failed."""
    report = yield
    if call.excinfo and report.failed:
        failures.say_first(report, call.excinfo, whole=item.config.get_verbosity() > 1)
    return refuse_skip(report)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """End with a line for each failure, even in a narrow terminal."""
    for report in (*terminalreporter.getreports("failed"), *terminalreporter.getreports("error")):
        terminalreporter.write_line(failures.summary(report), red=True)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """In CI, a skipped module counts as failed too."""
    return refuse_skip((yield))


def refuse_skip(report: Report) -> Report:
    """Turn a skip into a failure that names its reason."""
    if IN_CI and report.skipped:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        report.outcome = "failed"
        report.longrepr = f"{report.nodeid} may not skip with CI=true: {reason}"
    return report


def available(service: AbstractContextManager[T]) -> Iterator[T]:
    """Return a service for the whole session; skip the test with the reason if it is not available."""
    with ExitStack() as stack:
        try:
            value = stack.enter_context(service)
        except services.UnavailableError as error:
            pytest.skip(str(error))
        yield value


@pytest.fixture(scope="session")
def postgres() -> Iterator[services.Database]:
    """Return an empty PostgreSQL database: `owner_url`, `app_url`, `admin_url`, and `new_database()` for more."""
    yield from available(services.postgres(leaves=True))


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """Return the address of an empty Redis database."""
    yield from available(services.redis_url())


@pytest.fixture(scope="session")
def rabbitmq_url() -> Iterator[str]:
    """Return the address of an empty virtual host of RabbitMQ."""
    yield from available(services.rabbitmq_url())


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Return the first page of a browser. Tests that change its storage use a separate context."""
    built.page()
    with browsing(tmp_path_factory.mktemp("browser")) as page:
        yield page


@pytest.fixture(scope="session")
def built_page() -> None:
    """Build the page, which the server needs for its answers."""
    built.page()


@pytest.fixture(scope="session")
def empty_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], str]:
    """Create an empty database with the schema at a path; return its address."""
    template = tmp_path_factory.mktemp("empty") / "dealt.sqlite3"
    migrate(f"sqlite:///{template}")

    def made(path: Path) -> str:
        shutil.copyfile(template, path)
        return f"sqlite:///{path}"

    return made


@pytest.fixture(scope="module")
def shared_sqlite(empty_sqlite: Callable[[Path], str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Return an SQLite store that the tests of a file share: each creates its own matches there."""
    with closing(open_store(empty_sqlite(tmp_path_factory.mktemp("shared") / "dealt.sqlite3"))) as store:
        yield store


@pytest.fixture
def sqlite_path(tmp_path: Path) -> Path:
    """Return a path for an SQLite database; the file does not exist yet."""
    return tmp_path / "dealt.sqlite3"
