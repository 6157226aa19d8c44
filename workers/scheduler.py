"""The parts of a scheduler. Each polls in its own thread, in a scheduler process or in `dealt serve`."""

from collections.abc import Callable
from functools import partial

from celery import Celery

from events.proof.keys import key_ring
from events.service.context import Context
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
    """A scheduler has a poll for each of its parts, by name.

    `beat` notes that the process is at work. `pause` is the dispatcher's. `done` is called after tournaments were
    written.
    """

    def __init__(
        self,
        settings: Settings,
        store: Store,
        app: Celery,
        beat: Callable[[], None],
        pause: float = PAUSE,
        done: Callable[[], None] = lambda: None,
    ) -> None:
        # One for each thread that publishes.
        self._publishers = publisher, word = Publisher(app), Publisher(app)
        bots_alone = settings.dealt_bots_at_once
        self._dispatcher = Dispatcher(store, publisher, pause=pause, bots_alone=bots_alone, beat=beat)
        notifier = Notifier(store, settings, partial(word.send, CALL), partial(word.send, MAIL))
        keeper = TreeKeeper(store, key_ring(settings), seconds=settings.dealt_checkpoint_seconds)
        quorum = read_quorum(settings)
        self.polls = {
            "dispatcher": Poll(self._dispatcher.look, "cannot dispatch", LONGEST_BACKOFF),
            "notifier": Poll(notifier.look, "cannot tell anybody"),
            "rater": Poll(Rater(store).look, "cannot rate matches"),
            "tournament runner": Poll(
                TournamentRunner(Context(store, woken=self.wake), done).look, "cannot run tournaments"
            ),
            "tree keeper": Poll(keeper.look, "cannot keep the transparency log"),
        }
        if quorum.witnesses:
            self.polls["witness asker"] = Poll(WitnessAsker(store, quorum).look, "cannot ask witnesses")

    def wake(self) -> None:
        """Have the dispatcher look immediately."""
        self.polls["dispatcher"].wake()

    def find_trouble(self) -> str | None:
        """Return in a word what cannot be reached."""
        return self._dispatcher.trouble

    def stop(self) -> None:
        """Let all polls end soon."""
        for poll in self.polls.values():
            poll.stop()

    def close(self) -> None:
        """Close the connections to the broker."""
        for publisher in self._publishers:
            publisher.close()
