"""The parts of a scheduler. Each polls in its own thread, in a scheduler process or in `dealt serve`."""

from collections.abc import Callable
from functools import partial

from celery import Celery

from events.proof.keys import key_ring
from events.service.context import Context
from events.service.uptime_beats import UptimeBeats
from events.settings import Settings
from events.store.protocol import Store
from events.transparency.quorum import read_quorum
from workers.celery_app import CALL, MAIL, Publisher
from workers.dispatcher import LONGEST_BACKOFF, PAUSE, Dispatcher
from workers.notifier import Notifier
from workers.polling import Poll
from workers.rater import Rater
from workers.tournament_runner import TournamentRunner
from workers.tree_keeper import TreeKeeper
from workers.witness_asker import WitnessAsker


class Scheduler:
    """The polls of a scheduler's parts, by name.

    `at_work` sends the heartbeat of the process. `pause` is the dispatcher's. `done` is called after a tournament was
    written.
    """

    def __init__(
        self,
        settings: Settings,
        store: Store,
        app: Celery,
        at_work: UptimeBeats,
        pause: float = PAUSE,
        done: Callable[[], None] = lambda: None,
    ) -> None:
        # There is one for each publishing thread.
        self._publishers = publisher, word = Publisher(app), Publisher(app)
        bots_alone = settings.dealt_bots_at_once
        self._dispatcher = Dispatcher(store, publisher, pause=pause, bots_alone=bots_alone, beat=at_work.beat)
        notifier = Notifier(store, settings, partial(word.send, CALL), partial(word.send, MAIL))
        keeper = TreeKeeper(store, key_ring(settings), seconds=settings.dealt_checkpoint_seconds)
        quorum = read_quorum(settings)
        note_work = at_work.beat_after_freeze
        context = Context(store, woken=self.wake)
        context.note_work = note_work
        poll = partial(Poll, note_work=note_work)
        self.polls = {
            "dispatcher": poll(self._dispatcher.look, "cannot dispatch", LONGEST_BACKOFF),
            "notifier": poll(notifier.look, "cannot send notifications"),
            "rater": poll(Rater(store).look, "cannot rate matches"),
            "tournament runner": poll(TournamentRunner(context, done).look, "cannot run tournaments"),
            "tree keeper": poll(keeper.look, "cannot keep the transparency log"),
        }
        if quorum.witnesses:
            self.polls["witness asker"] = poll(WitnessAsker(store, quorum).look, "cannot ask witnesses")

    def wake(self) -> None:
        """Make the dispatcher query immediately."""
        self.polls["dispatcher"].wake()

    def find_trouble(self) -> str | None:
        """Return the name of an unreachable service, in a word; None if there is none."""
        return self._dispatcher.trouble

    def stop(self) -> None:
        """Make all polls end soon."""
        for poll in self.polls.values():
            poll.stop()

    def close(self) -> None:
        """Close the connections to the broker."""
        for publisher in self._publishers:
            publisher.close()
