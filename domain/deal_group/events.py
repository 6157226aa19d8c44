"""What a group of tables is told, and what happens to it."""

from typing import Final

from domain.core.values import value

Nonces = tuple[tuple[str, ...], ...]
"""The nonces of all tables, table by table and seat by seat; an empty one where a seat gave none."""


@value
class StartGroup:
    """All tables are ready to begin, with these nonces."""

    nonces: Nonces


@value
class EndGroup:
    """All tables are over, and wait for each other."""


@value
class CancelGroup:
    """Its creator does not want it any longer."""


@value
class ExpireGroup:
    """Its lobbies have stood for too long."""


@value
class GroupCreated:
    """Tables were created that get the same deals; `tables` are the ids of their matches, in order."""

    creator: str
    tables: tuple[str, ...]


@value
class GroupStarted:
    """All tables begin. Their hands follow from the nonces of all of them."""

    nonces: Nonces


@value
class GroupOver:
    """All tables are over: each may open its deals."""


@value
class GroupCancelled:
    """No table ever begins, because their creator wants it so."""


@value
class GroupExpired:
    """No table ever begins, because not all seats were taken in time."""


EVENTS: Final = (GroupCreated, GroupStarted, GroupOver, GroupCancelled, GroupExpired)
