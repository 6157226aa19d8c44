"""Runs processes that do the same thing at the same time for a while: writers, clients."""

import multiprocessing
import time
import traceback
from array import array
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

Tasks = Mapping[str, Callable[[], Any]]
"""The tasks of a member of the crew, by name; one call is one piece of work."""

START_SECONDS = 0.05


@dataclass(slots=True, frozen=True)
class Done:
    """The work of a crew: pieces of work per second, and how long each took, in seconds, ascending."""

    rate: float
    times: "array[float]"

    def quantile(self, q: float) -> float:
        """Return the time within which this share of the work was done."""
        return self.times[min(int(q * len(self.times)), len(self.times) - 1)]


@dataclass(slots=True, frozen=True)
class Crew:
    """Holds the processes, and the pipe to each."""

    members: tuple[tuple[BaseProcess, "Connection[Any, Any]"], ...]
    tasks: tuple[str, ...]

    def work(self, task: str, seconds: float, members: int | None = None) -> Done:
        """Let the first `members` do a task over and over for this many seconds."""
        pipes = [pipe for _, pipe in self.members[:members]]
        start = time.time() + START_SECONDS
        for pipe in pipes:
            pipe.send((task, start, seconds))
        times: array[float] = array("d")
        rate = 0.0
        for pipe in pipes:
            took, mine = _answer(pipe)
            rate += len(mine) / took
            times += mine
        return Done(rate, array("d", sorted(times)))


def _answer(pipe: "Connection[Any, Any]") -> Any:
    answer = pipe.recv()
    if isinstance(answer, Failed):
        raise answer
    return answer


class Failed(Exception):
    """A member of the crew has failed; the message says how."""


@contextmanager
def crew(size: int, make: Callable[..., Tasks], *given: Any) -> Iterator[Crew]:
    """Start the processes, each of which makes its tasks by `make(its number, *given)`."""
    context = multiprocessing.get_context("spawn")
    members = []
    for i in range(size):
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs, make, i, *given), daemon=True)
        process.start()
        theirs.close()
        members.append((process, ours))
    try:
        tasks: tuple[str, ...] = ()
        for _, pipe in members:
            tasks = _answer(pipe)
        yield Crew(tuple(members), tasks)
    finally:
        for process, pipe in members:
            with suppress(OSError):
                pipe.close()
            process.join(5)
            process.terminate()


def _serve(pipe: "Connection[Any, Any]", make: Callable[..., Tasks], *given: Any) -> None:
    with suppress(EOFError, BrokenPipeError, KeyboardInterrupt):
        try:
            tasks = make(*given)
        except Exception:
            pipe.send(Failed(traceback.format_exc()))
            return
        pipe.send(tuple(tasks))
        while True:
            task, start, seconds = pipe.recv()
            time.sleep(max(0.0, start - time.time()))
            try:
                pipe.send(_worked(tasks[task], seconds))
            except Exception:
                pipe.send(Failed(traceback.format_exc()))


def _worked(task: Callable[[], Any], seconds: float) -> tuple[float, "array[float]"]:
    times: array[float] = array("d")
    clock = time.perf_counter
    began = last = clock()
    while last - began < seconds:
        task()
        now = clock()
        times.append(now - last)
        last = now
    return last - began, times
