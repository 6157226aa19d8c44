"""The task that calls webhooks: the pending deliveries of one lane are made one by one, in a thread.

Receivers may be slow, so deliveries are separate from the tasks that play bots' turns.
"""

import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

from domain.core.clock import Time
from events import times
from events.errors import Unavailable
from events.notify import lanes
from events.notify.addresses import Allowed, read_allowed_addresses
from events.notify.lanes import LANES, Delivery, Lane, Tried
from events.notify.notices import payload
from events.notify.signatures import headers
from events.settings import Settings
from events.store import leases
from events.store.protocol import Store
from workers import guarded_http
from workers.guarded_http import Failed, Resolve, ResolverBusy
from workers.heartbeat import own_name

IN_A_ROW: Final = 50
"""Maximum number of deliveries that one task makes before other lanes are served."""
THREADS: Final = 16
BUSY_MS: Final = 2_000
"""The time that a lane rests when the resolver was too busy for the name of its host, in milliseconds."""

log = logging.getLogger(__name__)


class WebhookCaller:
    """Calls the webhooks of a store."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        *,
        now: Callable[[], Time] = times.now,
        resolver: Resolve = guarded_http.resolve,
    ) -> None:
        self._store = store
        self._rules: Allowed = read_allowed_addresses(settings)
        self._public_url = settings.dealt_public_url.rstrip("/")
        self._now = now
        self._resolver = resolver

    def deliver(self, webhook_id: str, match_no: int) -> int:
        """Make the pending deliveries of a lane, up to the first failure; return the number of attempts."""
        key = {"webhook_id": webhook_id, "match_no": match_no}
        lane = next(iter(leases.take(self._store, LANES, Lane, self._now(), own_name(), **key)), None)
        tries = 0
        while lane is not None:
            if tries == IN_A_ROW:
                self._give_back(lane, self._now())
                break
            delivery = lanes.next_delivery(self._store, lane, self._now())
            if delivery is None:
                break
            try:
                tried = self._try(delivery)
            except ResolverBusy:
                self._give_back(lane, Time(self._now() + BUSY_MS))
                break
            tries += 1
            lane = lanes.note(self._store, lane, delivery, tried, self._now())
        return tries

    def _give_back(self, lane: Lane, at: Time) -> None:
        self._store.write(lambda connection: leases.give_back(connection, LANES, [lane], at))

    def _try(self, delivery: Delivery) -> Tried:
        at, start = self._now(), time.monotonic()
        body = payload(delivery.notice, delivery.notice_id, self._public_url)
        sent = {
            "Content-Type": "application/json",
            "User-Agent": "Dealt-Webhooks/1",
            **headers(delivery.notice_id, at // 1000, body, delivery.secrets),
        }
        try:
            status = guarded_http.post(delivery.url, sent, body, self._rules, resolver=self._resolver)
            return Tried(at, _since(start), status)
        except Failed as failed:
            return Tried(at, _since(start), None, str(failed))


def _since(start: float) -> int:
    return int(1000 * (time.monotonic() - start))


class Threads:
    """A few threads for work that waits for other servers; they start with the first work."""

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = None

    def __call__(self, work: Callable[[], object]) -> None:
        """Run work soon. A failure is logged, and the lease of its row repeats it."""
        if self._pool is None:
            self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="notifying")
        self._pool.submit(partial(_logged, work))


def _logged(work: Callable[[], object]) -> None:
    try:
        work()
    except Unavailable:  # the store has logged it; the row becomes due again when its lease ends
        return
    except Exception:
        log.exception("sending a notification failed")
