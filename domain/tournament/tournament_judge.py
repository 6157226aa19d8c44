"""Judges the stream of a tournament from its events: each must follow by the rules from those before it.

Each command is read from the first event that it led to. The command is decided again with the seeds that the events
disclose, and all events that follow are compared.
"""

import re
from collections.abc import Sequence
from typing import Any, Final

from domain.core.choices import Ask
from domain.core.fairness import DrawContext, draw_answer, is_link
from domain.core.fault import Fault
from domain.core.game import Refused
from domain.core.types import fields_of
from domain.core.values import is_same
from domain.tournament.announcement import DrawsCommitted, TournamentAnnounced, announce_tournament
from domain.tournament.entrants import CloseEntries
from domain.tournament.format import Causes
from domain.tournament.organiser import CancelTournament, TournamentCancelled
from domain.tournament.pods import PreparationAnnounced
from domain.tournament.tournament_decide import decide
from domain.tournament.tournament_events import EVENTS, evolve, gather_parts
from domain.tournament.tournament_state import Tournament

HASH: Final = re.compile(r"[0-9a-f]{64}")
"""The form of seeds and commitments: 32 bytes in lower-case hex."""

UNKNOWN: Final = bytes(32).hex()
"""Replaces a seed that no event discloses; nothing is compared with draws from it."""


DRAWN: Final[tuple[Any, ...]] = tuple(cls for cls in EVENTS if "link" in fields_of(cls))
"""The events that disclose the seed from which they were drawn."""


class DisclosedDraws:
    """Answers draws from the seeds that the events of a tournament disclose."""

    def __init__(self, tournament: str, events: Sequence[Any]) -> None:
        self._tournament = tournament
        self._seeds: dict[int, str] = {}
        for event in events:
            if isinstance(event, DRAWN) and HASH.fullmatch(event.seed):
                self._seeds.setdefault(event.link, event.seed)

    def answer(self, ask: Ask, epoch: int, links: int, link: int, nonces: tuple[str, ...]) -> Any:
        context = DrawContext(self._tournament, epoch, link, ask.purpose, ask.n, nonces)
        return draw_answer(ask, bytes.fromhex(self.seed(epoch, links, link)), context)

    def seed(self, epoch: int, links: int, link: int) -> str:
        return self._seeds.get(link, UNKNOWN)


def find_tournament_fault(tournament: str, events: Sequence[Any]) -> Fault | None:
    """Return the first event that does not follow; None if all do. The log must end with all events of a command."""
    t = Tournament()
    chance = DisclosedDraws(tournament, events)
    at = 0
    while at < len(events):
        try:
            due = _due(t, events, at, chance)
        except Refused as refused:
            return Fault(at, f"The rules refuse this: {refused.sentence or refused.code}")
        except Exception:  # hand-written input is untrusted
            return Fault(at, "This event is not possible here.")
        for event in due:
            if at >= len(events):
                return Fault(at, "An event that must follow automatically is missing.")
            if not is_same(events[at], event):
                return Fault(at, "The rules give a different result.")
            if isinstance(event, DrawsCommitted) and not _are_commitments(event):
                return Fault(at, "A commitment is 64 hexadecimal digits.")
            if isinstance(event, DRAWN) and not is_link(event.seed, event.link, t.commitment):
                return Fault(at, "The seed does not match the commitment.")
            t = evolve(t, event)
            at += 1
    return None


def _are_commitments(event: DrawsCommitted) -> bool:
    return all(HASH.fullmatch(one) for one in (event.commitment, event.deals) if one is not None)


def _due(t: Tournament, events: Sequence[Any], at: int, chance: DisclosedDraws) -> tuple[Any, ...]:
    """Return the events that must come next. Raises any error that forged events cause."""
    first = events[at]
    if not t.commitment:
        assert isinstance(first, TournamentAnnounced)
        prepares = events[at + 1] if isinstance(events[at + 1], PreparationAnnounced) else None
        committed = events[at + 1 if prepares is None else at + 2]
        assert isinstance(committed, DrawsCommitted)
        return announce_tournament(
            first, committed.commitment, prepares.preparation if prepares else None, committed.deals
        )
    due = decide(t, _CAUSES[type(first)](t, first), chance)
    assert due
    return due


def _cause_of_cancellation(event: TournamentCancelled) -> Any:
    """Return the command that cancelled a tournament: the organiser's, or an automatic one when a time was over."""
    if event.by is not None:
        return CancelTournament(event.by, event.reason)
    return _CANCELS.get(event.reason, CloseEntries(None))


_CANCELS: Final = gather_parts(lambda part: part.cancels)
_CAUSES: Final[Causes] = {
    **gather_parts(lambda part: part.causes),
    TournamentCancelled: lambda t, e: _cause_of_cancellation(e),
}
"""The command of each type of event that can be the first to follow from a command."""
