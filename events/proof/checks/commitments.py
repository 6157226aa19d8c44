"""This check looks at nonces that were promised by hashes: all hashes are closed before the first nonce is opened."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeGuard

from domain.core.fairness import nonce_hash
from events.proof.findings import Fact, seats_of, whole_number


def untimely_nonce(facts: Sequence[Fact]) -> tuple[int, str] | None:
    """Find the first event by which a nonce is opened too soon, or is not the one that was promised, and say why."""
    options = facts[0].data.get("options") if facts else None
    if not isinstance(options, Mapping) or not options.get("nonce_commit"):
        return None
    promised = _Promised(facts)
    for fact in facts:
        see = _SEES.get(fact.type)
        if see is not None and (why := see(promised, fact)) is not None:
            return fact.seq, why
    return None


class _Promised:
    """These are the hashes of an epoch, those of all tables of the group once they are closed, and what is open."""

    def __init__(self, facts: Sequence[Fact]) -> None:
        group = facts[0].data.get("deal_group")
        self.group: Mapping[str, Any] | None = group if isinstance(group, Mapping) else None
        self.seats = seats_of(facts)
        self.hashes: dict[int | None, Any] = {}
        self.open = False
        self.closed: Sequence[Sequence[Any]] = ()


def _seat(fact: Fact) -> int | None:
    seat = fact.data.get("seat")
    return seat if type(seat) is int else None


def _epoch(promised: _Promised, fact: Fact) -> None:
    promised.hashes, promised.open = {}, False


def _left(promised: _Promised, fact: Fact) -> None:
    promised.hashes.pop(_seat(fact), None)


def _promised(promised: _Promised, fact: Fact) -> str | None:
    if promised.open or promised.closed:
        return "A hash is given after the hashes were closed."
    promised.hashes[_seat(fact)] = fact.data.get("hash")
    return None


def _awaited(promised: _Promised, fact: Fact) -> str | None:
    if fact.data.get("stage") != "nonces":
        return None
    if promised.group is not None and not promised.closed:
        return "Nonces are opened before the hashes of all tables are closed."
    promised.open = True
    return None


def _closed(promised: _Promised, fact: Fact) -> str | None:
    rows, group = fact.data.get("hashes"), promised.group or {}
    own = [promised.hashes.get(seat) or "" for seat in range(promised.seats)]
    table = whole_number(group.get("table"))
    if promised.closed or not _are_rows(rows, promised.seats) or len(rows) != group.get("tables"):
        return "The hashes of a group must be those of all its tables, and occur once."
    if not 0 <= table < len(rows) or list(rows[table]) != own:
        return "The hashes of this table differ."
    promised.closed = rows
    return None


def _are_rows(rows: Any, seats: int) -> TypeGuard[Sequence[Sequence[Any]]]:
    return isinstance(rows, (list, tuple)) and all(isinstance(row, (list, tuple)) and len(row) == seats for row in rows)


def _opened(promised: _Promised, fact: Fact) -> str | None:
    if not promised.open:
        return "A nonce is opened before the hashes are closed."
    fits = _fits(fact.data.get("nonce"), promised.hashes.get(_seat(fact)))
    return None if fits else "A nonce does not match its promised hash."


def _shared(promised: _Promised, fact: Fact) -> str | None:
    rows = fact.data.get("nonces")
    if promised.group is None or not _are_rows(rows, promised.seats):
        return None
    if len(rows) != len(promised.closed):
        return "Nonces of tables are shared before their hashes were closed."
    pairs = [pair for row, due in zip(rows, promised.closed, strict=True) for pair in zip(row, due, strict=True)]
    kept = all(nonce == "" or _fits(nonce, digest) for nonce, digest in pairs)
    return None if kept else "A nonce of another table does not match its promised hash."


def _fits(nonce: Any, digest: Any) -> bool:
    return isinstance(nonce, str) and nonce.isascii() and nonce_hash(nonce) == digest


_SEES: Final[Mapping[str, Callable[[_Promised, Fact], str | None]]] = {
    "FairnessCommitted": _epoch,
    "SeatLeft": _left,
    "NonceCommitted": _promised,
    "NoncesAwaited": _awaited,
    "CommitmentsShared": _closed,
    "NonceSubmitted": _opened,
    "DealsShared": _shared,
}
