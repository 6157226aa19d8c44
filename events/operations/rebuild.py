"""Rebuilds projections from the log, stream by stream."""

from collections.abc import Callable, Collection, Iterator
from typing import Any

from domain.core.game_guard import GameFailed
from domain.ratings.rating_changes import FORMULA
from events.errors import Busy, GameNotInstalled
from events.follow.follower import Follower
from events.log.streams import StreamKind, Writer
from events.ratings.rated_handler import RatedHandler
from events.ratings.rating_fold import RatingFold
from events.service.stream_writer import TRIES
from events.store.protocol import Store
from events.store.tables import rating_rows, stream_rows


def rebuild_kind(
    writer: Writer,
    kind: StreamKind[Any],
    tables: Collection[str] = (),
    failed: Callable[[int, GameFailed], None] | None = None,
) -> Iterator[int]:
    """Rebuild the projections of all streams of a kind, or those named; yield the progress from time to time.

    The rows of a match whose game is not installed, or has failed, stay as they are; `failed` is given its number.
    """
    done, after = 0, 0
    while numbers := stream_rows.numbers(writer.store, after, kind=kind.name):
        for number in numbers:
            try:
                kind.rebuild_rows(writer, number, tables)
            except GameNotInstalled:
                continue
            except GameFailed as error:
                if failed is None:
                    raise
                failed(number, error)
        done, after = done + len(numbers), numbers[-1]
        yield done


def rebuild_ratings(store: Store, *, from_logs: bool = False) -> Iterator[int]:
    """Recompute all ratings from the stored notes on matches; yield the progress from time to time.

    Missing notes are read from the log; with `from_logs`, all are read again, which takes as long as reading the log. A
    running server rates at the same time, and its work is counted too. Raises `Busy` if it is always faster.
    """
    if from_logs:
        store.write(rating_rows.begin_with_the_log)
    else:
        _begin_ratings(store)
    follower, fold = Follower(store, RatedHandler(store)), RatingFold(store)
    done, place, going = 0, 0, True
    while going:
        going = bool(follower.step())
        going |= bool(fold.step())
        state = rating_rows.state(store)
        at = 0 if state is None else state.place
        if at < place:  # Another process has begun again.
            done = place = 0
        done, place = done + rating_rows.count(store, place, at), at
        yield done


def _begin_ratings(store: Store) -> None:
    for _ in range(TRIES):
        if rating_rows.begin_ratings(store, FORMULA, rating_rows.state(store)):
            return
    raise Busy
