"""This module has Celery's transport in memory with an event: a message wakes a waiting worker, which need not poll."""

from queue import Empty
from threading import Event
from typing import Any, ClassVar, Final

from kombu.transport import TRANSPORT_ALIASES, memory

BROKER: Final = "in-process://here"
"""The address of the broker of `dealt serve`."""

TRANSPORT_ALIASES["in-process"] = "workers.in_process:Transport"


class RingingChannel(memory.Channel):
    """This channel sets the event of its transport when a message arrives."""

    def _put(self, queue: str, message: Any, **kwargs: Any) -> None:
        super()._put(queue, message, **kwargs)
        Transport.bell.set()


class Transport(memory.Transport):
    """This is the transport of `dealt serve`. There is one worker, so there is one event."""

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
