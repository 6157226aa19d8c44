"""This module gives the values by which a request that waits sees that there is news: one query for all that wait."""

from collections.abc import Collection, Mapping

from events.store import tables
from events.store.protocol import Store
from events.store.records import Turn


def of_matches(store: Store, match_nos: Collection[int]) -> Mapping[int, int]:
    """Give the versions of matches, by match number."""
    return tables.streams.versions(store, match_nos)


def of_inboxes(store: Store, player_ids: Collection[str]) -> Mapping[str, tuple[Turn, ...]]:
    """Give a value that changes with the inbox of each of these players."""
    return tables.inbox.stamp(store, player_ids)
