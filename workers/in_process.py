"""Celery's transport in memory, with a bell: a waiting worker is woken by a message instead of looking for one."""

from queue import Empty
from threading import Event
from typing import Any, ClassVar, Final

from kombu.transport import TRANSPORT_ALIASES, memory

BROKER: Final = "in-process://here"
"""The address of the broker of `dealt serve`."""

TRANSPORT_ALIASES["in-process"] = "workers.in_process:Transport"


class RingingChannel(memory.Channel):
    """A channel that rings when a message arrives."""

    def _put(self, queue: str, message: Any, **kwargs: Any) -> None:
        super()._put(queue, message, **kwargs)
        Transport.bell.set()


class Transport(memory.Transport):
    """The transport of `dealt serve`; there is one worker, so there is one bell."""

    Channel = RingingChannel
    bell: ClassVar[Event] = Event()

    def drain_events(self, connection: Any, timeout: float | None = None, **_: Any) -> None:
        """Deliver a message, or wait for one. Raises `TimeoutError`."""
        self.bell.clear()
        assert self.cycle is not None
        try:
            self.cycle.get(self._deliver)
        except Empty:
            if not self.bell.wait(timeout):
                raise TimeoutError from None
