"""Measures starts and outages: a `dealt serve` whose bots play is killed again and again, and started again."""

import os
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from sqlalchemy import func, select

from bench.rounds import rounds
from bench.tables import Line, Table
from events.store.opening import open_store
from events.store.protocol import Store
from events.store.schema.log_schema import commits
from tests.services import free_port
from tests.system.processes import Person, Process, answers, until

IMPORT_SECONDS, READY_SECONDS, OUTAGE_SECONDS = 1.2, 2.0, 5.0
"""Limits for the computing time of an import and of a start, and for a pause of the bots."""

AS_A_START_DOES = "from events.garbage import few_collections\nwith few_collections(): import api.app"

BOTS = [{"kind": "bot", "level": "easy"}] * 4
LONGEST_WAIT = 60


def measure(*, quick: bool) -> Table:
    """Measure the computing time of imports and starts, and the pause of the bots after a kill."""
    made = Table("start: `dealt serve` on SQLite, killed while bots play; floor: `import flask, sqlalchemy`")
    timed = {"ours": lambda: _import(AS_A_START_DOES), "floor": lambda: _import("import flask, sqlalchemy")}
    imports = rounds(3 if quick else 9, timed)
    ours, floor = median(imports["ours"]), median(imports["floor"])
    made.lines.append(_line("import api.app, computing time", ours, IMPORT_SECONDS, floor))
    with TemporaryDirectory() as folder:
        outages, starts = _killed(Path(folder), 6 if quick else 40)
    made.lines.append(_line("a start until it is ready, computing time, median", median(starts), READY_SECONDS))
    made.lines.append(Line("SIGKILL until the next commit of a bot, median", median(outages), "s"))
    made.lines.append(_line(f"the longest of {len(outages)} such pauses", max(outages), OUTAGE_SECONDS))
    return made


def _line(what: str, seconds: float, most: float, floor: float | None = None) -> Line:
    return Line(what, seconds, "s", floor, None if floor is None else seconds / floor, f"≤ {most:g} s", seconds <= most)


def _import(program: str) -> float:
    """Return the computing time of a process that imports modules, in seconds."""
    process = subprocess.Popen([sys.executable, "-c", program])
    _, code, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(code)
    assert process.returncode == 0
    return used.ru_utime + used.ru_stime


def _killed(folder: Path, kills: int) -> tuple[list[float], list[float]]:
    """Kill a server several times; return the pause of the bots after each kill, and each start's computing time."""
    outages, starts = [], []
    rng = random.Random(1)
    process, base = _start(folder)
    try:
        ann = Person(base)
        with closing(open_store(f"sqlite:///{folder}/dealt.sqlite3")) as store:
            match = ann.create(seats=BOTS)
            for _ in range(kills):
                time.sleep(rng.uniform(0.3, 1))
                if ann.see(match)["status"] != "playing":
                    match = ann.create(seats=BOTS)
                killed = int(time.time() * 1000)
                process.kill()
                process, ann.base = _start(folder)
                starts.append(_computed(process))
                if ann.see(match)["status"] == "playing" or _next(store, killed):
                    outages.append((_await_next(store, killed) - killed) / 1000)
    finally:
        process.kill()
    return outages, starts


def _start(folder: Path) -> tuple[Process, str]:
    port = free_port()
    process, base = Process("serve", "--port", str(port), "--data", str(folder)), f"http://127.0.0.1:{port}"
    until(lambda: answers(base), LONGEST_WAIT)
    return process, base


def _computed(process: Process) -> float:
    """Return the computing time of a process and its children so far, in seconds."""
    ticks = sum(sum(_ticks(pid)) for pid in (process.popen.pid, *process.children()))
    return ticks / os.sysconf("SC_CLK_TCK")


def _ticks(pid: int) -> Sequence[int]:
    return [int(part) for part in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]]


def _await_next(store: Store, at: int) -> int:
    until(lambda: _next(store, at), LONGEST_WAIT)
    return _next(store, at)


def _next(store: Store, at: int) -> int:
    """Return the time of the first commit after a kill, or 0. One right after `at` may be from before the kill."""
    after = select(func.min(commits.c.at_ms)).where(commits.c.at_ms > at + 20)
    return store.read(after)[0][0] or 0
