"""This module keeps how the entrants of some tournaments stand: for many it takes long to find."""

from collections import OrderedDict
from threading import Lock
from typing import Final

from domain.tournament.tournament_standings import Standing
from events.service.tournament_rounds import ranked_entrants
from events.service.tournaments import HeldTournament

MOST: Final = 16
"""The most rankings that are kept."""

_kept: OrderedDict[bytes, list[tuple[int, Standing]]] = OrderedDict()
_lock = Lock()


def ranking_of(found: HeldTournament) -> list[tuple[int, Standing]]:
    """Give the ranking of a tournament as it was found. It follows from the log, which the digest of its head names."""
    digest = found.head.head
    with _lock:
        if digest in _kept:
            _kept.move_to_end(digest)
            return _kept[digest]
    made = ranked_entrants(found.state)
    with _lock:
        _kept[digest] = made
        if len(_kept) > MOST:
            _kept.popitem(last=False)
    return made
