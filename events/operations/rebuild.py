"""This module makes projections anew from the log, stream by stream."""

from collections.abc import Callable, Iterator

from events.log.streams import StreamKind, state_of
from events.store.protocol import Store
from events.store.tables import projection_rows, stream_rows

Rebuild = Callable[[int], None]
"""Make the projections of the stream of this number anew."""


def rebuild_kind(store: Store, kind: StreamKind) -> Iterator[int]:
    """Make the projections of all streams of a kind anew; gives how many are done, now and then."""
    return rebuild_all(store, kind.name, lambda number: _rebuild(store, kind, number))


def rebuild_all(store: Store, kind: str, rebuild: Rebuild) -> Iterator[int]:
    """Do so for all streams of a kind, by its name; gives how many are done, now and then."""
    done, after = 0, 0
    while numbers := stream_rows.numbers(store, after, kind=kind):
        for number in numbers:
            rebuild(number)
        done, after = done + len(numbers), numbers[-1]
        yield done


def _rebuild(store: Store, kind: StreamKind, number: int) -> None:
    projection_rows.rebuild_of(
        store, number, kind.table, kind.key, lambda head, rows: kind.rows(head, state_of(kind, rows))
    )
