"""Defines the commands and the events of a group of tables."""

from typing import Final

from domain.core.values import value

Nonces = tuple[tuple[str, ...], ...]
"""The nonces of all tables, table by table and seat by seat; empty for a seat that gave none."""


@value
class CommitGroup:
    """Close the hashes of nonces at all tables, and open the nonces."""

    hashes: Nonces


@value
class StartGroup:
    """Begin all tables, which are ready, with these nonces."""

    nonces: Nonces


@value
class EndGroup:
    """End the group: all tables are over, and wait for each other."""


@value
class CancelGroup:
    """Cancel the group for its creator."""


@value
class ExpireGroup:
    """End a group whose lobbies have expired."""


@value
class GroupCreated:
    """Tables were created that get the same deals; `tables` are the ids of their matches, in order."""

    creator: str
    tables: tuple[str, ...]


@value
class GroupCommitted:
    """Hashes of nonces are closed; these are those of all tables, empty for a seat that gave none."""

    hashes: Nonces


@value
class GroupStarted:
    """All tables begin. Their hands follow from the nonces of all of them."""

    nonces: Nonces


@value
class GroupOver:
    """All tables are over: each may open its deals."""


@value
class GroupCancelled:
    """No table ever begins, because their creator cancelled the group."""


@value
class GroupExpired:
    """No table ever begins, because not all seats were taken in time."""


EVENTS: Final = (GroupCreated, GroupCommitted, GroupStarted, GroupOver, GroupCancelled, GroupExpired)
