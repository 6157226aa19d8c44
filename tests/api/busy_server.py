"""A server with a fair queue on a clock that a test drives: the turns that run share one processor."""

from collections import defaultdict
from dataclasses import dataclass, field

from api.http.fair_queue import Asker, FairQueue

STEP = 0.001
"""Seconds between two looks at the queue."""

MOVE = 0.005
"""Seconds of processor time of a request."""


@dataclass(eq=False)
class Request:
    """A request of a caller, and the time of its arrival."""

    sender: "Sender"
    arrived: float
    left: float = MOVE


@dataclass
class Sender:
    """A caller that has a number of requests at a time, and pauses before it replaces an answered one."""

    caller: Asker
    outstanding: int = 1
    pause: float = 0.0
    times: list[float] = field(default_factory=list)
    """Seconds from each request to its answer."""


def program(network: str, player: str, outstanding: int) -> Sender:
    return Sender(Asker(network, player), outstanding)


def people(network: str, count: int = 7, pause: float = 0.2) -> list[Sender]:
    """Return players who send a request every few tenths of a second, each at another time."""
    return [Sender(Asker(network, f"person {n}"), pause=pause * (1 + 0.15 * n)) for n in range(count)]


def median_of(senders: list[Sender]) -> float:
    times = sorted(time for sender in senders for time in sender.times)
    return times[len(times) // 2]


def longest_of(senders: list[Sender]) -> float:
    return max(time for sender in senders for time in sender.times)


def serve(*senders: Sender, seconds: float = 10.0, slots: int = 16) -> dict[str, float]:
    """Let the senders ask for some time. Return the processor time that each network used, in seconds."""
    queue: FairQueue[Request] = FairQueue(slots)
    used: dict[str, float] = defaultdict(float)
    due = [(sender.pause, sender) for sender in senders for _ in range(sender.outstanding)]
    running: list[Request] = []
    for step in range(int(seconds / STEP)):
        now = step * STEP
        for sender in [sender for at, sender in due if at <= now]:
            queue.enter(sender.caller, Request(sender, now), now)
        due = [(at, sender) for at, sender in due if at > now]
        running += queue.begin(now)
        for request in list(running):
            used[request.sender.caller.network] += STEP / len(running)
            request.left -= STEP / len(running)
        for request in [each for each in running if each.left <= STEP / 100]:
            running.remove(request)
            queue.end(request, MOVE, now + STEP)
            request.sender.times.append(now + STEP - request.arrived)
            due.append((now + STEP + request.sender.pause, request.sender))
    return used
