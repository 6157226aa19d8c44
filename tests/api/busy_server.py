"""A server with a fair queue on a clock that a test drives: the turns that run share one processor."""

from collections import defaultdict
from dataclasses import dataclass, field
from statistics import median

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


@dataclass(eq=False)
class Sender:
    """A caller that has a number of requests at a time, and pauses before it replaces an answered one."""

    caller: Asker
    outstanding: int = 1
    pause: float = 0.0
    most: int = 1_000_000
    """The number of its requests, after which it stops."""
    times: list[float] = field(default_factory=list)
    """Seconds from each request to its answer."""
    ended: float = 0.0
    """The time of its last answer."""


def people(network: str, count: int, pause: float) -> list[Sender]:
    """Return players who send one request at a time, and pause for different times between two."""
    return [Sender(Asker(network, n), pause=pause * (1 + 0.3 * n / count)) for n in range(1, count + 1)]


def usual_time(senders: list[Sender]) -> float:
    """Return the median of the seconds to an answer."""
    return median(time for sender in senders for time in sender.times)


def serve(*senders: Sender, seconds: float = 10.0, slots: int = 16) -> dict[Asker, float]:
    """Let the senders ask for some time. Return the processor time that each caller used, in seconds."""
    queue: FairQueue[Request] = FairQueue(slots)
    used: dict[Asker, float] = defaultdict(float)
    due = [(sender.pause, sender) for sender in senders for _ in range(sender.outstanding)]
    running: list[Request] = []
    for step in range(int(seconds / STEP)):
        now = step * STEP
        for sender in [sender for at, sender in due if at <= now and sender.most]:
            sender.most -= 1
            queue.enter(sender.caller, Request(sender, now), now)
        due = [(at, sender) for at, sender in due if at > now]
        running += queue.begin(now)
        for request in running:
            used[request.sender.caller] += STEP / len(running)
            request.left -= STEP / len(running)
        for request in [each for each in running if each.left <= STEP / 100]:
            running.remove(request)
            queue.end(request, MOVE, now + STEP)
            request.sender.times.append(now + STEP - request.arrived)
            request.sender.ended = now + STEP
            due.append((now + STEP + request.sender.pause, request.sender))
    return used
