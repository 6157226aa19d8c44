"""Audits a whole database in several processes, and keeps a journal."""

import signal
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import field
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple, Self

import click
from msgspec import DecodeError, json, to_builtins

from api.safe_text import remove_controls
from domain.core.values import mutable
from events.store.tables import stored_rows

if TYPE_CHECKING:
    from events.proof.findings import Report, Verdict
    from events.proof.keys import KeyRing
    from events.store.protocol import Store

AT_ONCE: Final = 16
"""The number of matches that a process gets at a time."""

LISTED: Final = 50
"""Maximum failed matches in the final list; the journal has all of them."""

Noted = dict[str, Any]
"""The journal notes of a match its `id`, `version`, `head`, `ok`, `verdict`, and in `failed` the checks that failed.

`unjudged` says why it cannot be judged; it is null if it can. `stored` is the digest of all that is stored of the
match; it is empty for other streams.
"""

Outcome = tuple[Noted, bool]
"""The note of a stream, and whether it is that of an earlier run, because nothing has changed."""

NOT_DISCLOSED: Final = "Not all cards are disclosed yet."


@mutable
class _Sum:
    """Sums up an audit of all streams; `matches` is true if all of them are matches."""

    matches: bool = True
    done: int = 0
    before: int = 0
    """The number of them that were found in the journal."""
    events: int = 0
    bad: int = 0
    unjudged: Counter[str] = field(default_factory=Counter)
    """The number that cannot be judged, by reason."""
    failures: list[Noted] = field(default_factory=list)

    def add(self, noted: Noted) -> None:
        self.done += 1
        self.events += noted["version"]
        if noted["verdict"] == "unverifiable":
            self.unjudged[noted["unjudged"]] += 1
        if noted["verdict"] == "failed":
            self.bad += 1
            self.failures += [noted][: max(0, LISTED - len(self.failures))]


class JournalFile(NamedTuple):
    """The file of the journal, if there is one; with `full`, all streams are audited again."""

    path: Path | None = None
    full: bool = False


def audit_all(
    store: "Store", url: str, jobs: int, journal: JournalFile, ring: "KeyRing", *, as_json: bool = False
) -> "Verdict | None":
    """Audit every stream, and report the outcome; return the overall verdict, None after Ctrl-C.

    A match is not audited if its note in the journal was made of the same stored data. `ring` holds this server's own
    keys.
    """
    total, interrupted = _Sum(matches=stored_rows.only_matches(store)), False
    bar: Any = click.progressbar(
        length=stored_rows.count(store),
        label="Auditing",
        show_pos=True,
        file=sys.stderr,
        item_show_func=lambda _: f"{total.bad} failed" if total.bad else None,
    )
    with _Journal(journal.path) as notes, bar:
        workers = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_open_process_store, initargs=(url, ring))
        try:
            for noted, is_earlier in _audited(workers, 2 * jobs, _asked(store, notes, total, full=journal.full)):
                total.add(noted)
                total.before += is_earlier
                if not is_earlier:
                    notes.write(noted)
                if as_json:
                    click.echo(json.encode(noted))
                bar.update(total.done - bar.pos)
            if (fault := _fault_of_tree(store)) is not None:
                total.add(fault)
                notes.write(fault)
                if as_json:
                    click.echo(json.encode(fault))
        except KeyboardInterrupt:
            interrupted = True
        except BrokenProcessPool:
            raise click.ClickException(
                "An audit process was killed, perhaps because memory ran out. Use fewer --jobs."
            ) from None
        finally:
            workers.shutdown(wait=True, cancel_futures=True)
    for line in _summary(total, interrupted=interrupted, resumable=journal.path is not None):
        click.echo(line, err=as_json)
    if interrupted:
        return None
    return "failed" if total.bad else "unverifiable" if total.unjudged else "verified"


Asked = tuple[str, list[tuple[int, str]], Noted | None]
"""A stream to be audited, with the heads that are known of it, and the note that counts if nothing has changed."""


def _asked(store: "Store", notes: "_Journal", total: _Sum, *, full: bool) -> Iterator[Asked]:
    """Return all streams; count those that are lost."""
    after = 0
    while True:
        heads = stored_rows.heads(store, after)
        for head in heads:
            if head.match_no > after + 1 and (stray := stored_rows.stray(store, after, head.match_no)) is not None:
                total.add(_note_missing(f"number {stray}", HEADLESS))
            after = head.match_no
            before = notes.taken(head.match_id)
            kept = [(before["version"], before["head"])] if before and before["verdict"] != "failed" else []
            again = full or before is None or before["verdict"] == "unverifiable"
            yield head.match_id, kept, None if again else before
        if not heads:
            if (stray := stored_rows.stray(store, after, None)) is not None:
                total.add(_note_missing(f"number {stray}", HEADLESS))
            for match_id in notes.left():
                total.add(_note_missing(match_id, "It is in the journal, but no longer in the database."))
            return


def _fault_of_tree(store: "Store") -> Noted | None:
    """Audit the transparency log; return the journal's line if it fails."""
    from events.operations.audit_tree import audit_tree

    found = audit_tree(store)
    if found.ok:
        return None
    failed = [{"name": found.name, "seq": None, "detail": found.detail}]
    return {**_note_missing("transparency log", ""), "failed": failed}


HEADLESS: Final = "Its commits are in the database, but its head is missing."


def _note_missing(match_id: str, why: str) -> Noted:
    failed = [{"name": "chain", "seq": 1, "detail": why}]
    return {
        "id": match_id,
        "version": 0,
        "head": "",
        "ok": False,
        "verdict": "failed",
        "failed": failed,
        "unjudged": None,
        "stored": "",
    }


def _audited(workers: ProcessPoolExecutor, ahead: int, asked: Iterator[Asked]) -> Iterator[Outcome]:
    """Audit matches, with only as many in progress as keep the processes busy."""
    under_way: set[Future[list[Outcome]]] = set()
    while True:
        while len(under_way) < ahead and (chunk := list(islice(asked, AT_ONCE))):
            under_way.add(_submitted(workers, chunk))
        if not under_way:
            return
        done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
        for future in done:
            yield from future.result()


def _submitted(workers: ProcessPoolExecutor, chunk: list[Asked]) -> Future[list[Outcome]]:
    """Pass matches on. The worker processes ignore Ctrl-C, which only this process handles."""
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
        yield f"{click.style(remove_controls(noted['id']), bold=True)} ({noted['version']} events)"
        for check in noted["failed"]:
            where = "" if check["seq"] is None else f"event {check['seq']}: "
            yield f"  {click.style('✗', fg='red')} {check['name']}: {where}{remove_controls(check['detail'])}"
    if total.bad > len(total.failures):
        yield f"… and {total.bad - len(total.failures):,} more."
    known = f", {total.before:,} of them in earlier runs" if total.before else ""
    yield f"{_counted(total.done, total)} audited{known}: {total.events:,} events, {_counted(total.bad, total)} failed."
    for reason, n in total.unjudged.most_common():
        yield f"{_counted(n, total)} could not be fully audited: {remove_controls(reason)}"
    if interrupted:
        yield "Interrupted: the remaining streams were not audited." + " Run it again to continue." * resumable


# --- In the processes ---------------------------------------------------------------------------------------------

_store: "Store"
_ring: "KeyRing"


def _open_process_store(url: str, ring: "KeyRing") -> None:
    from events.store.opening import open_store

    global _store, _ring
    _store, _ring = open_store(url), ring


def _audit(asked: list[Asked]) -> list[Outcome]:
    return [_audit_one(*one) for one in asked]


def _audit_one(stream_id: str, kept: list[tuple[int, str]], before: Noted | None) -> Outcome:
    """Audit a stream. A match is only read if its note was made of the same stored data."""
    from events.operations import audit_streams
    from events.operations.audit import report as report_match
    from events.proof.own_keys import by_own_keys
    from events.store.records import MATCH

    found, digest = stored_rows.read_stored(_store, stream_id), ""
    if found is None or found.kind != MATCH:
        report = audit_streams.audit_stream(_store, stream_id, kept)
    else:
        digest = stored_rows.stored_digest(found)
        if before is not None and before["stored"] == digest:
            return before, True
        report = report_match(found, kept)
    if report is None:
        return _note_missing(stream_id, HEADLESS), False
    return journal_entry(by_own_keys(report, _ring), digest), False


def journal_entry(report: "Report", digest: str = "") -> Noted:
    """Return the journal's line for a match whose stored data has this digest."""
    failed = [{"name": check.name, "seq": check.seq, "detail": check.detail} for check in report.checks if not check.ok]
    return {
        "id": report.match,
        "version": report.version,
        "head": report.head,
        "ok": report.ok,
        "verdict": report.verdict,
        "failed": to_builtins(failed),
        "unjudged": _why_unjudged(report) if report.verdict == "unverifiable" else None,
        "stored": digest,
    }


def _why_unjudged(report: "Report") -> str:
    """Return why a stream cannot be judged, in the same words for all with the same reason."""
    left = [check for check in report.checks if check.skipped]
    return next((check.detail for check in left if not check.sealed), NOT_DISCLOSED)


# --- The journal --------------------------------------------------------------------------------------------------


class _Journal:
    """The journal is a file with a line for each match that was audited.

    It is also a register of heads: a match that continues must still have its listed head. The digest of the stored
    data shows whether a match was changed since its audit, even if its head was not.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._heads: dict[str, tuple[int, bytes, bytes]] = {}
        self._bad: dict[str, Noted] = {}
        self._unverifiable: set[str] = set()  # counts only streams with a head
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Self:
        if self._path is not None:
            try:
                self._file = self._path.open("a+b")
                self._read(self._file)
            except OSError as error:
                raise click.ClickException(f"{self._path} cannot be used as the journal: {error.strerror}.") from error
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def _read(self, file: IO[bytes]) -> None:
        """Read the journal: the last line of each match. Ignore a line that a crash has cut off."""
        file.seek(0)
        line = b"\n"
        for line in file:
            try:
                noted = json.decode(line, type=Noted)
                match_id, version, head = noted["id"], int(noted["version"]), bytes.fromhex(noted["head"])
                stored = bytes.fromhex(noted.get("stored", ""))
            except (DecodeError, KeyError, TypeError, ValueError):
                continue
            self._bad.pop(match_id, None)
            self._unverifiable.discard(match_id)
            if noted.get("verdict", "verified" if noted.get("ok") is True else "failed") != "failed":
                self._heads[match_id] = version, head, stored
                if noted.get("ok") is not True:
                    self._unverifiable.add(match_id)
            elif head:
                self._heads.pop(match_id, None)
                self._bad[match_id] = {**noted, "verdict": "failed", "stored": stored.hex()}
        if not line.endswith(b"\n"):
            file.write(b"\n")

    def taken(self, match_id: str) -> Noted | None:
        """Return the journal's line for a match and remove it; None if there is none."""
        if match_id in self._bad:
            return self._bad.pop(match_id)
        if match_id not in self._heads:
            return None
        version, head, stored = self._heads.pop(match_id)
        ok = match_id not in self._unverifiable
        verdict = "verified" if ok else "unverifiable"
        return {
            "id": match_id,
            "version": version,
            "head": head.hex(),
            "ok": ok,
            "verdict": verdict,
            "failed": [],
            "unjudged": None,
            "stored": stored.hex(),
        }

    def left(self) -> list[str]:
        """Return the remaining lines."""
        return [*self._heads, *self._bad]

    def write(self, noted: Noted) -> None:
        if self._file is not None:
            self._file.write(json.encode(noted) + b"\n")
            self._file.flush()
