"""Rebuilds projections from the log, stream by stream."""

from collections.abc import Callable, Iterator
from typing import Any

from domain.ratings import FORMULA
from events.follow.follower import Follower
from events.log.streams import StreamKind
from events.ratings.rated_handler import RatedHandler
from events.ratings.rating_fold import RatingFold
from events.store.protocol import Store
from events.store.tables import projection_rows, rating_rows, stream_rows

Rebuild = Callable[[int], None]
"""Rebuild the projections of the stream with this number."""


def rebuild_kind(store: Store, kind: StreamKind[Any]) -> Iterator[int]:
    """Rebuild the projections of all streams of a kind; yield the progress from time to time."""
    return rebuild_all(store, kind.name, lambda number: _rebuild(store, kind, number))


def rebuild_all(store: Store, kind: str, rebuild: Rebuild) -> Iterator[int]:
    """Do so for all streams of a kind, by its name; gives how many are done, now and then."""
    done, after = 0, 0
    while numbers := stream_rows.numbers(store, after, kind=kind):
        for number in numbers:
            rebuild(number)
        done, after = done + len(numbers), numbers[-1]
        yield done


def rebuild_ratings(store: Store, *, from_logs: bool = False) -> Iterator[int]:
    """Recompute all ratings from the stored notes on matches; yield the progress from time to time.

    Missing notes are read from the log; with `from_logs`, all are read again, which takes as long as reading the log. A
    running server rates at the same time, and its work is counted too.
    """
    if from_logs:
        store.write(rating_rows.begin_with_the_log)
    else:
        # A server that rates a match in between has to be waited for.
        while not rating_rows.begin_ratings(store, FORMULA, rating_rows.state(store)):
            pass
    follower, fold = Follower(store, RatedHandler(store)), RatingFold(store)
    done, place, going = 0, 0, True
    while going:
        going = bool(follower.step())
        going |= bool(fold.step())
        state = rating_rows.state(store)
        at = 0 if state is None else state.place
        if at < place:  # somebody else has begun anew
            done = place = 0
        done, place = done + rating_rows.count(store, place, at), at
        yield done


def _rebuild(store: Store, kind: StreamKind[Any], number: int) -> None:
    projection_rows.rebuild_stream_rows(store, number, kind.key, lambda head, rows: kind.rows(head, kind.fold(rows)))
