"""Creates the Celery application with its broker settings, and its tasks, which carry only ids."""

import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from typing import Any, Final

from celery import Celery, signals
from celery.worker.consumer import Consumer
from celery.worker.state import maybe_shutdown
from kombu import Connection

from domain.core.game_guard import GameFailed
from events.errors import Unavailable
from events.service import projections as outbox
from events.service.context import Context
from events.settings import Settings
from events.store.pending_records import Due
from events.store.tables import pending_rows
from events.store.tables.order_rows import ORDER
from workers.tasks import bot_turn_tasks, deadline_tasks, order_tasks
from workers.tasks.mail_tasks import Mailer
from workers.tasks.webhook_tasks import Threads, WebhookCaller

PLAY: Final = "workers.tasks.bot_turn_tasks.play_bot_turns"
SETTLE: Final = "workers.tasks.deadline_tasks.settle"
LOOK: Final = "workers.tasks.order_tasks.look"
_TASKS: Final = {outbox.BOT: PLAY, ORDER: LOOK}
"""The task for each kind of work; work of other kinds is settled."""
CALL: Final = "workers.tasks.webhook_tasks.deliver"
MAIL: Final = "workers.tasks.mail_tasks.see_to"

log = logging.getLogger(__name__)


class PatientConsumer(Consumer):
    """Celery's consumer, but it retries a lost broker every second; Celery's waits longer each time."""

    def ensure_connected(self, conn: Connection) -> Connection:
        conn.ensure_connection(
            self._complain, interval_start=1, interval_step=0, interval_max=1, callback=maybe_shutdown
        )
        self.first_connection_attempt = False
        # Celery relies on its child processes: it gives up on one that died unobserved.
        self.pool.maintain_pool()
        return conn

    def _complain(self, error: Exception, seconds: float) -> None:
        log.warning("cannot reach the broker (%s), retrying", error)


def celery_app(
    settings: Settings, broker: str, context: Callable[[], Context], done: Callable[[], None] = lambda: None
) -> Celery:
    """Return the application for a broker's address; each task gets its context from `context`.

    `done` is called after each task for bots and clocks.
    """
    app = Celery("dealt", broker=broker, set_as_current=False)
    app.conf.update(config(settings, broker))

    @app.task(name=PLAY, shared=False, throws=(Unavailable,))
    def play(match_id: str) -> None:
        with _noting_failure(context(), match_id):
            bot_turn_tasks.play_bot_turns(context(), match_id)
            done()

    @app.task(name=SETTLE, shared=False, throws=(Unavailable,))
    def settle(match_id: str) -> None:
        with _noting_failure(context(), match_id):
            deadline_tasks.settle(context(), match_id)
            done()

    @app.task(name=LOOK, shared=False, throws=(Unavailable,))
    def look(match_id: str) -> None:
        with _noting_failure(context(), match_id):
            # Bots' turns are not published immediately, nor are turns after a move while orders are allowed.
            order_tasks.look(context(), match_id)

    _add_notification_tasks(app, settings, context)
    return app


@contextmanager
def _noting_failure(context: Context, match_id: str) -> Iterator[None]:
    """Postpone the work of a failed task, longer each time. A missing database does not count as a failure."""
    try:
        yield
    except Unavailable:
        raise
    except GameFailed as failed:
        log.error("a game has failed: match=%s: %s", match_id, failed)  # noqa: TRY400 -- the cause may quote cards
        pending_rows.note_failure(context.store, match_id, context.now())
    except Exception:
        pending_rows.note_failure(context.store, match_id, context.now())
        raise


def _add_notification_tasks(app: Celery, settings: Settings, context: Callable[[], Context]) -> None:
    """Add the tasks that wait for other servers. They run in threads; leases repeat failed ones."""
    threads = Threads()
    caller = cache(lambda: WebhookCaller(context().store, settings))
    mailer = cache(lambda: Mailer(context().store, settings))

    @app.task(name=CALL, shared=False, throws=(Unavailable,))
    def call(webhook_id: str, match_no: int) -> None:
        threads(partial(caller().deliver, webhook_id, match_no))

    @app.task(name=MAIL, shared=False, throws=(Unavailable,))
    def mail(player_id: str) -> None:
        threads(partial(mailer().see_to, player_id))


def config(settings: Settings, broker: str) -> dict[str, Any]:
    """Return Celery's settings: tasks are acknowledged after they are done, and only tasks are sent."""
    return {
        "task_default_queue": settings.dealt_queue,
        "task_acks_late": True,
        # While Redis is unavailable, Celery would wait for ever to put a message back.
        "task_reject_on_worker_lost": broker.startswith("amqp"),
        "task_publish_retry": False,
        "task_ignore_result": True,
        "task_store_errors_even_if_ignored": False,
        # The database keeps the work; a task that the broker loses is published again.
        "task_default_delivery_mode": "transient",
        "task_serializer": "json",
        "accept_content": ["json"],
        "worker_prefetch_multiplier": 1,
        "worker_enable_remote_control": False,
        "worker_enable_prefetch_count_reduction": False,
        "worker_cancel_long_running_tasks_on_connection_loss": False,
        "worker_consumer": "workers.celery_app:PatientConsumer",
        "worker_hijack_root_logger": False,
        "worker_redirect_stdouts": False,
        "broker_connection_timeout": 3,
        "broker_connection_retry": True,
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,
        "broker_heartbeat": 20,
        "broker_transport_options": transport_options(broker),
    }


def transport_options(broker: str) -> dict[str, Any]:
    """Return the transport options of a broker: confirmed publishing on RabbitMQ, time limits on Redis."""
    if broker.startswith("amqp"):
        return {"confirm_publish": True}
    if broker.startswith("redis"):
        return {
            # Redis has no acknowledgements. Those that Kombu writes into it fail during an outage, and a worker whose
            # acknowledgement failed takes no more tasks. Tasks that a worker loses are published again when their lease
            # ends.
            "ack_emulation": False,
            "socket_timeout": 10,
            "socket_connect_timeout": 3,
            "socket_keepalive": True,
        }
    return {}


class Publisher:
    """Publishes claimed work on the broker, over one connection that is reopened after a failure."""

    def __init__(self, app: Celery) -> None:
        self._app = app
        self._connection: Connection | None = None

    def __call__(self, due: Due) -> None:
        """Publish the task for a row. Connection errors propagate."""
        self.send(_TASKS.get(due.kind, SETTLE), due.match_id)

    def send(self, task: str, *ids: str | int) -> None:
        """Publish a task. Connection errors propagate."""
        try:
            if self._connection is None:
                self._connection = self._app.connection_for_write()
            producer = self._app.amqp.Producer(self._connection.default_channel, auto_declare=False)
            self._app.send_task(task, ids, producer=producer, retry=False, confirm_timeout=3)
        except Exception:
            self.close()
            raise

    def close(self) -> None:
        """Close the connection."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.release()


def hostname() -> str:
    """Return the name of this worker in logs."""
    return f"dealt@{socket.gethostname()}"


@signals.setup_logging.connect
def _keep_logging(**_: Any) -> None:
    """Keep the logging that the command has set up: Celery does not change it because this signal has a receiver."""
