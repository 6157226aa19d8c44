"""Moves finished matches out of the log, into files.

1. A match is written to a file as a member, read back from these bytes, and audited as it was read.
2. The file is complete and on the disk, and so is its manifest, which is named `….pending`.
3. Each match is listed in `archived` and its commits are deleted, in one transaction.
4. The manifest gets its own name.

A run that is killed continues at its step: before the manifest exists, the next run deletes the file. After that, it
finishes the file. No match leaves the log before a file on the disk has it.
"""

import os
from collections.abc import Iterator
from dataclasses import field, replace
from hashlib import sha256
from pathlib import Path
from typing import IO, Final

from domain.core.values import mutable
from events.operations.audit import report
from events.operations.manifests import ListedMatch, Unfit, digest, read_lines, write_lines
from events.proof.keys import KeyRing
from events.service.worker_health import FOLLOWERS
from events.settings import read_archive_folder
from events.store import archive_files
from events.store.archive import create_private
from events.store.archive_files import FORMAT, SUFFIX
from events.store.protocol import Store
from events.store.records import MATCH, ArchivedLog
from events.store.tables import archived_rows, checkpoint_rows, stored_rows

IN_FILE: Final = 1_000
"""Maximum number of matches in a file."""

PENDING: Final = ".pending"
"""The ending of a manifest some of whose matches may still be in the log."""


@mutable
class Archived:
    """The outcome of a run: the number of archived matches, the finished files, and the matches that stay, with why."""

    matches: int = 0
    files: list[str] = field(default_factory=list)
    kept: dict[str, str] = field(default_factory=dict)


def manifest_of(file: Path) -> Path:
    """Return the name of the manifest of a file."""
    return file.with_name(file.name + ".manifest")


def archive_matches(store: Store, ended_before_ms: int, ring: KeyRing) -> Iterator[Archived]:
    """Archive all matches that ended before a time; yield the total after each file.

    Finishes interrupted runs first. Only one run may use the directory at a time. Raises `Unfit`, `OSError`.
    """
    folder, total = read_archive_folder(), Archived()
    for pending in _recover(store, folder):
        yield _detach_all(store, pending, total)
    after = 0
    while True:
        candidates = archived_rows.find_candidates(store, ended_before_ms, _handled(store), after, IN_FILE)
        if not candidates:
            return
        after = candidates[-1].match_no
        file = folder / f"matches-{_next_number(store, folder):06}{SUFFIX}"
        if lines := _write_file(store, file, [one.match_id for one in candidates], total):
            pending = manifest_of(file).with_name(manifest_of(file).name + PENDING)
            draft = _draft(pending)
            write_lines(draft, FORMAT, file, lines, ring)
            _settle(draft, pending)
            yield _detach_all(store, pending, total)


def _handled(store: Store) -> int:
    """Return the position up to which every follower has read the log."""
    return min(checkpoint_rows.read_position(store, name) for name in FOLLOWERS)


def _next_number(store: Store, folder: Path) -> int:
    """Return the number of a new file. Numbers are not used again, even if a file was lost."""
    names = [archived_rows.last_file(store), *(path.name for path in folder.glob(f"matches-*{SUFFIX}*"))]
    return max(int(name[8:14]) if name[8:14].isdecimal() else 0 for name in names) + 1


def _draft(path: Path) -> Path:
    return path.with_name(path.name + ".draft")


def _recover(store: Store, folder: Path) -> list[Path]:
    """Delete what a killed run wrote before it had a manifest; return the manifests that it did not finish."""
    for draft in folder.glob("matches-*.draft"):
        draft.unlink()
    for file in sorted(folder.glob(f"matches-*{SUFFIX}")):
        has_manifest = any(path.exists() for path in (manifest_of(file), Path(f"{manifest_of(file)}{PENDING}")))
        if not has_manifest and not archived_rows.any_in_file(store, file.name):
            file.unlink()
    return sorted(folder.glob(f"matches-*.manifest{PENDING}"))


# --- The file -------------------------------------------------------------------------------------------------


def _write_file(store: Store, file: Path, match_ids: list[str], total: Archived) -> list[ListedMatch]:
    """Write the provable ones among these matches to a new file; return the lines of its manifest."""
    draft = _draft(file)
    create_private(draft)
    with draft.open("wb") as out:
        written = [_write_match(store, out, match_id, total) for match_id in match_ids]
    lines = [line for line in written if line is not None]
    if lines:
        _settle(draft, file)
    else:
        draft.unlink()
    return lines


def _settle(draft: Path, path: Path) -> None:
    """Rename a draft once it is on the disk."""
    with draft.open("rb") as file:
        os.fsync(file.fileno())
    draft.rename(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _write_match(store: Store, out: IO[bytes], match_id: str, total: Archived) -> ListedMatch | None:
    """Write a match and audit it as written; return its line, or None if it must stay in the log."""
    found = stored_rows.read_stored(store, match_id)
    if found is None:
        return None
    member = archive_files.encode_match(MATCH, found.head, found.commits)
    read = archive_files.decode_match(member).commits
    made = report(replace(found, commits=read))
    if read != found.commits or made.verdict != "verified":
        failed = [f"{check.name}: {check.detail}" for check in made.checks if not check.ok or check.skipped]
        total.kept[match_id] = failed[0] if failed else "It cannot be read back."
        return None
    head = found.head
    line = ListedMatch(
        MATCH, match_id, head.version, head.head.hex(), out.tell(), len(member), sha256(member).hexdigest()
    )
    out.write(member)
    return line


# --- The log --------------------------------------------------------------------------------------------------


def _detach_all(store: Store, pending: Path, total: Archived) -> Archived:
    """Detach the matches of a file from the log, and finish its manifest. Raises `Unfit`."""
    file = pending.with_name(pending.name.removesuffix(f".manifest{PENDING}"))
    about, lines = read_lines(pending, FORMAT, ListedMatch)
    if digest(file) != about.sha256:
        raise Unfit(f"{file} does not match its manifest.")
    for line in lines:
        found = stored_rows.read_stored(store, line.id)
        if found is None:
            continue
        there = ArchivedLog(
            found.head.match_no,
            line.version,
            bytes.fromhex(line.head),
            file.name,
            line.start_byte,
            line.size,
            bytes.fromhex(line.sha256),
        )
        if archive_files.read_commits(there) == found.commits and archived_rows.detach(store, there):
            total.matches += 1
    manifest = manifest_of(file)
    pending.rename(manifest)
    total.files.append(file.name)
    return total
