"""Follows the log, writes notifications, and dispatches due lanes and mailboxes.

One runs with each dispatcher; any number may run. While no player wants notifications, it only checks for that from
time to time.
"""

from collections.abc import Callable
from typing import Final

from domain.core.clock import Time
from events import times
from events.follow.follower import PAGE, Follower
from events.notify import lanes, ledger, recoveries
from events.notify.former_addresses import FAREWELLS
from events.notify.handler import NoticeHandler
from events.notify.lanes import LANES
from events.notify.mailboxes import MAILS
from events.settings import Settings
from events.store import leases
from events.store.leases import LeasedWork
from events.store.protocol import Store
from workers.tasks.mail_tasks import is_on

PAUSE: Final = 0.25
"""The pause between two looks, in seconds."""
IDLE_PAUSE: Final = 1.0
"""The pause between two looks while no player wants notices, in seconds."""
SWEEP_MS: Final = 3_600_000
MAILED: Final[tuple[LeasedWork, ...]] = (FAREWELLS, MAILS)
"""The kinds of work that are mails to a player."""

Webhook = Callable[[str, int], None]
Mail = Callable[[str], None]


class Notifier:
    """Passes due lanes and mailboxes to `webhook` and `mail`."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        webhook: Webhook,
        mail: Mail,
        *,
        now: Callable[[], Time] = times.now,
        pause: float = PAUSE,
    ) -> None:
        self._store = store
        self._collect_ms = 1000 * settings.dealt_mail_collect_seconds
        notices = NoticeHandler(store, collect_ms=self._collect_ms, now=now)
        self._follower = Follower(store, notices, now=now)
        self._webhook = webhook
        self._mail = mail if is_on(settings) else None
        self._recoveries_each = settings.dealt_mails_to_mailbox_a_day
        self._now = now
        self._pause = pause
        self._sweep_at = Time(0)

    def look(self) -> float:
        """Do all due work; return the seconds until more can be due."""
        followed = self._follower.step()
        now = self._now()
        if now >= self._sweep_at:
            ledger.sweep(self._store, now)
            self._sweep_at = Time(now + SWEEP_MS)
        if followed is not None:
            ledger.write_due_notices(self._store, now, self._collect_ms)
            self._call(now)
        if self._mail:
            self._send(self._mail, now)
        if followed is None:
            return max(self._pause, IDLE_PAUSE)
        return 0.0 if followed == PAGE else self._pause

    def _call(self, now: Time) -> None:
        claimed = lanes.claim(self._store, now)
        leases.hand_on(self._store, LANES, claimed, lambda lane: self._webhook(lane.webhook_id, lane.match_no), now)

    def _send(self, mail: Mail, now: Time) -> None:
        recoveries.schedule_recovery_mails(self._store, self._recoveries_each, now)
        for work in MAILED:
            claimed = leases.claim(self._store, work, now, leases.read_earliest(self._store, work, now))
            leases.hand_on(self._store, work, claimed, lambda row: mail(row.player_id), now)
