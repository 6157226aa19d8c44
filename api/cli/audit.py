"""The command `dealt audit` verifies what is stored, a few matches or all of them, while the service runs."""

import os
import signal
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Self

import click
from msgspec import DecodeError, json, to_builtins

from api.cli.database import opened
from api.cli.verify import HeadParam, report_lines
from events.settings import Settings
from events.store import tables
from events.store.records import MATCH

if TYPE_CHECKING:
    from events.proof.facts import Report
    from events.store.protocol import Store

INTERRUPTED: Final = 130
CHANGED: Final = "What is stored is not what was written."
AT_ONCE: Final = 16
"""A process is given this many matches at a time."""

LISTED: Final = 50
"""At most this many matches that failed are listed at the end; the journal has them all."""


@click.command()
@click.argument("match_ids", metavar="[MATCH]...", nargs=-1)
@click.option("--all", "every", is_flag=True, help="Audit every match and every group in the database.")
@click.option(
    "--head",
    "heads",
    type=HeadParam(),
    multiple=True,
    help="A head of MATCH that you kept; may be given again.",
)
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes for --all.  [default: one for each core]")
@click.option(
    "--journal",
    type=click.Path(dir_okay=False, path_type=Path),
    help="With --all: note each match in this file, and pass over those it lists with the same head.",
)
@click.option("--json", "as_json", is_flag=True, help="Print reports as JSON, one in a line.")
@click.pass_obj
def audit(
    given: Settings,
    match_ids: tuple[str, ...],
    every: bool,  # noqa: FBT001 -- an option's
    heads: tuple[tuple[int, str], ...],
    jobs: int | None,
    journal: Path | None,
    as_json: bool,  # noqa: FBT001 -- an option's
) -> None:
    """Audit matches, and groups of tables, as they are stored in the database at DATABASE_URL, with all their secrets.

    Verifies what can be verified of a record, and all that is not disclosed; that every commit was written by who holds
    the secrets of its match; and what stands beside the log. The service may run meanwhile. The exit code is 0 if all
    that can be checked holds, 1 if something does not, 130 after Ctrl-C.
    """
    if every == bool(match_ids) or (heads and len(match_ids) != 1) or ((journal or jobs) and not every):
        raise click.UsageError("Name matches, or --all with --jobs and --journal; --head goes with one match.")
    from events.errors import Unavailable

    with closing(opened(given)) as store:
        if not store.ready():
            raise click.ClickException("The database cannot be reached, or needs `dealt migrate` first.")
        try:
            if every:
                sys.exit(_all(store, given.url, jobs or os.cpu_count() or 1, journal, as_json=as_json))
            sys.exit(_some(store, match_ids, heads, as_json=as_json))
        except Unavailable as error:
            raise click.ClickException(f"The database does not answer: {error}") from error


# --- Some matches ---------------------------------------------------------------------------------------------


def _some(store: "Store", match_ids: Iterable[str], heads: tuple[tuple[int, str], ...], *, as_json: bool) -> int:
    from events.operations.audit_streams import audit_stream as audited

    ok = True
    for i, match_id in enumerate(match_ids):
        report = audited(store, match_id, heads)
        if report is None:
            click.echo(f"There is no match {match_id}.", err=True)
        elif as_json:
            click.echo(json.encode(report))
        else:
            click.echo("\n" * (i > 0) + "\n".join(report_lines(report, CHANGED, _what(store, match_id))))
        ok = ok and report is not None and report.ok
    return 0 if ok else 1


def _what(store: "Store", stream_id: str) -> str:
    """Name what a report is of where no game is known."""
    kind = tables.stored.kind_of(store, stream_id)
    return "unknown game" if kind is None or kind == MATCH else kind.replace("_", " ")


# --- All matches ------------------------------------------------------------------------------------------------

Noted = dict[str, Any]
"""The journal notes of a match its `id`, `version`, `head`, `ok`, and in `failed` the checks that failed."""


@dataclass(slots=True)
class _Sum:
    """Sums up an audit of all streams; `matches` says that all of them are matches."""

    matches: bool = True
    done: int = 0
    before: int = 0  # of them, found in the journal
    events: int = 0
    bad: int = 0
    failures: list[Noted] = field(default_factory=list)

    def add(self, noted: Noted) -> None:
        self.done += 1
        self.events += noted["version"]
        if not noted["ok"]:
            self.bad += 1
            self.failures += [noted][: max(0, LISTED - len(self.failures))]


def _all(store: "Store", url: str, jobs: int, journal: Path | None, *, as_json: bool) -> int:
    """Audit every match, and say how it ended; gives the exit code."""
    total, code = _Sum(matches=tables.stored.only_matches(store)), 0
    bar: Any = click.progressbar(
        length=tables.stored.count(store),
        label="Auditing",
        show_pos=True,
        file=sys.stderr,
        item_show_func=lambda _: f"{total.bad} failed" if total.bad else None,
    )
    with _Journal(journal) as notes, bar:
        workers = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_up, initargs=(url,))
        try:
            for noted in _audited(workers, 2 * jobs, _unknown(store, notes, total)):
                total.add(noted)
                notes.write(noted)
                if as_json:
                    click.echo(json.encode(noted))
                bar.update(total.done - bar.pos)
        except KeyboardInterrupt:
            code = INTERRUPTED
        except BrokenProcessPool:
            raise click.ClickException(
                "An auditing process was killed, perhaps for want of memory; fewer --jobs need less."
            ) from None
        finally:
            workers.shutdown(wait=True, cancel_futures=True)
    for line in _summary(total, interrupted=bool(code), resumable=journal is not None):
        click.echo(line, err=as_json)
    return code or (1 if total.bad else 0)


Asked = tuple[str, list[tuple[int, str]]]
"""This is a match to be audited, with the heads that are known of it."""


def _unknown(store: "Store", notes: "_Journal", total: _Sum) -> Iterator[Asked]:
    """Give the matches that the journal does not list as they stand; and count the others, and what is lost."""
    after = 0
    while True:
        heads = tables.stored.heads(store, after)
        for head in heads:
            if head.match_no > after + 1 and (stray := tables.stored.stray(store, after, head.match_no)) is not None:
                total.add(_lost(f"number {stray}", HEADLESS))
            after = head.match_no
            before = notes.taken(head.match_id)
            if before is not None and (before["version"], before["head"]) == (head.version, _hex(head.head)):
                total.before += 1
                total.add(before)
            else:
                kept = [(before["version"], before["head"])] if before and before["ok"] else []
                yield head.match_id, kept
        if not heads:
            if (stray := tables.stored.stray(store, after, None)) is not None:
                total.add(_lost(f"number {stray}", HEADLESS))
            for match_id in notes.left():
                total.add(_lost(match_id, "The journal lists it, and it is no longer there."))
            return


HEADLESS: Final = "Its commits are there, and nothing says where they end."


def _lost(match_id: str, why: str) -> Noted:
    failed = [{"name": "chain", "seq": 1, "detail": why}]
    return {"id": match_id, "version": 0, "head": "", "ok": False, "failed": failed}


def _hex(head: Any) -> str:
    return head.hex() if isinstance(head, bytes) else ""


def _audited(workers: ProcessPoolExecutor, ahead: int, asked: Iterator[Asked]) -> Iterator[Noted]:
    """Audit matches, with no more of them under way than keep the processes busy."""
    under_way: set[Future[list[Noted]]] = set()
    while True:
        while len(under_way) < ahead and (chunk := list(islice(asked, AT_ONCE))):
            under_way.add(_submitted(workers, chunk))
        if not under_way:
            return
        done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
        for future in done:
            yield from future.result()


def _submitted(workers: ProcessPoolExecutor, chunk: list[Asked]) -> Future[list[Noted]]:
    """Hand matches over. A process that is started for them knows nothing of Ctrl-C, which is for this one alone."""
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        return workers.submit(_audit, chunk)
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])


def _counted(n: int, total: _Sum) -> str:
    one, more = ("match", "matches") if total.matches else ("stream", "streams")
    return f"{n:,} {one if n == 1 else more}"


def _summary(total: _Sum, *, interrupted: bool, resumable: bool) -> Iterator[str]:
    for noted in total.failures:
        yield f"{click.style(noted['id'], bold=True)} ({noted['version']} events)"
        for check in noted["failed"]:
            where = "" if check["seq"] is None else f"event {check['seq']}: "
            yield f"  {click.style('✗', fg='red')} {check['name']}: {where}{check['detail']}"
    if total.bad > len(total.failures):
        yield f"… and {total.bad - len(total.failures):,} more."
    known = f", {total.before:,} of them before" if total.before else ""
    yield f"{_counted(total.done, total)} audited{known}: {total.events:,} events, {_counted(total.bad, total)} failed."
    if interrupted:
        yield "Interrupted; the rest was not audited." + " Run it again to go on." * resumable


# --- In the processes ---------------------------------------------------------------------------------------------

_store: "Store"


def _up(url: str) -> None:
    from events.store.opening import open_store

    global _store  # noqa: PLW0603 -- one for each process
    _store = open_store(url)


def _audit(asked: list[Asked]) -> list[Noted]:
    from events.operations.audit_streams import audit_stream as audited

    reports = [(match_id, audited(_store, match_id, kept)) for match_id, kept in asked]
    return [noted(report) if report else _lost(match_id, HEADLESS) for match_id, report in reports]


def noted(report: "Report") -> Noted:
    """Give what the journal says of a match."""
    failed = [{"name": check.name, "seq": check.seq, "detail": check.detail} for check in report.checks if not check.ok]
    return {
        "id": report.match,
        "version": report.version,
        "head": report.head,
        "ok": report.ok,
        "failed": to_builtins(failed),
    }


# --- The journal --------------------------------------------------------------------------------------------------


class _Journal:
    """The journal is a file with a line for each match that was audited.

    It is a register of heads as well: a match that goes on must still have the head that it was listed with.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._heads: dict[str, tuple[int, bytes]] = {}
        self._bad: dict[str, Noted] = {}
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Self:
        if self._path is not None:
            try:
                self._file = self._path.open("a+b")
                self._read(self._file)
            except OSError as error:
                raise click.ClickException(f"{self._path} cannot be the journal: {error.strerror}.") from error
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def _read(self, file: IO[bytes]) -> None:
        """Read what is there, the last line of a match for all; a line that a crash has cut off counts as none."""
        file.seek(0)
        line = b"\n"
        for line in file:
            try:
                noted = json.decode(line, type=Noted)
                match_id, version, head = noted["id"], int(noted["version"]), bytes.fromhex(noted["head"])
            except (DecodeError, KeyError, TypeError, ValueError):
                continue
            self._bad.pop(match_id, None)
            if noted.get("ok") is True:
                self._heads[match_id] = version, head
            elif head:
                self._heads.pop(match_id, None)
                self._bad[match_id] = noted
        if not line.endswith(b"\n"):
            file.write(b"\n")

    def taken(self, match_id: str) -> Noted | None:
        """Give what is listed of a match, and forget it; None if nothing is."""
        if match_id in self._bad:
            return self._bad.pop(match_id)
        if match_id not in self._heads:
            return None
        version, head = self._heads.pop(match_id)
        return {"id": match_id, "version": version, "head": head.hex(), "ok": True, "failed": []}

    def left(self) -> list[str]:
        """Give what is listed and was not taken."""
        return [*self._heads, *self._bad]

    def write(self, noted: Noted) -> None:
        if self._file is not None:
            self._file.write(json.encode(noted) + b"\n")
            self._file.flush()
