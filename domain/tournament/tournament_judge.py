"""Judges the stream of a tournament by its events alone: each must be what the rules make of what came before it.

What was told to the tournament is read from the first event that follows from it. It is told once more, the draws are
drawn again from the seeds that the events disclose, and all that follows is compared.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from domain.core.choices import Ask
from domain.core.fairness import DrawContext, drawn, is_link
from domain.core.fault import Fault
from domain.core.game import Refused
from domain.core.values import same
from domain.tournament.entry_decide import LAPSED
from domain.tournament.entry_events import (
    EntriesClosed,
    PlayerBarred,
    PlayerDisqualified,
    PlayerEntered,
    PlayerEnteredLate,
    PlayerRested,
    PlayerReturned,
    PlayersInvited,
    PlayerStoppedWaiting,
    PlayerWaits,
    PlayerWithdrew,
)
from domain.tournament.formats.arena import NOT_BEGUN
from domain.tournament.table_events import (
    PairingEnded,
    RoundPaired,
    TableAdjudicated,
    TableDrawn,
    TableFinished,
    TableForfeited,
    TableRuled,
    TablesPaired,
)
from domain.tournament.tournament_commands import (
    AdjudicateTable,
    BarPlayer,
    CancelTournament,
    CloseEntries,
    ComeBack,
    DiscloseDeals,
    Disqualify,
    EndPairing,
    Enter,
    FinishPod,
    FinishTable,
    ForfeitTable,
    InvitePlayers,
    LapseEntries,
    Pause,
    RepeatPod,
    Rest,
    Resume,
    RuleTable,
    Withdraw,
)
from domain.tournament.tournament_decide import announce, decide
from domain.tournament.tournament_events import (
    DealsDisclosed,
    DrawsCommitted,
    PodFinished,
    PodRepeated,
    PreparationAnnounced,
    TournamentAnnounced,
    TournamentCancelled,
    TournamentPaused,
    TournamentResumed,
)
from domain.tournament.tournament_state import Tournament, evolve

HASH: Final = re.compile(r"[0-9a-f]{64}")
"""A seed, and what it is bound by, is 32 bytes in lower-case hex."""

UNKNOWN: Final = bytes(32).hex()
"""Stands for a seed that no event discloses; what is drawn from it is compared with nothing."""


DRAWN: Final = EntriesClosed | RoundPaired | TablesPaired
"""The events that disclose the seed from which they were drawn."""


class DisclosedDraws:
    """Answers what was drawn from the seeds that the events of a tournament disclose."""

    def __init__(self, tournament: str, events: Sequence[Any]) -> None:
        self._tournament = tournament
        self._seeds: dict[int, str] = {}
        for event in events:
            if isinstance(event, DRAWN) and HASH.fullmatch(event.seed):
                self._seeds.setdefault(event.link, event.seed)

    def answer(self, ask: Ask, epoch: int, links: int, link: int, nonces: tuple[str, ...]) -> Any:
        context = DrawContext(self._tournament, epoch, link, ask.purpose, ask.n, nonces)
        return drawn(ask, bytes.fromhex(self.seed(epoch, links, link)), context)

    def seed(self, epoch: int, links: int, link: int) -> str:
        return self._seeds.get(link, UNKNOWN)


def judged(tournament: str, events: Sequence[Any]) -> Fault | None:
    """Give the first event that does not follow; None if all do. The log ends where a command has led."""
    t = Tournament()
    chance = DisclosedDraws(tournament, events)
    at = 0
    while at < len(events):
        try:
            due = _due(t, events, at, chance)
        except Refused as refused:
            return Fault(at, f"This is refused: {refused.sentence or refused.code}")
        except Exception:  # what was written by hand may be anything
            return Fault(at, "This cannot happen here.")
        for event in due:
            if at >= len(events):
                return Fault(at, "What follows by itself is not there.")
            if not same(events[at], event):
                return Fault(at, "The rules make something else of it.")
            if isinstance(event, DrawsCommitted) and not _are_commitments(event):
                return Fault(at, "A commitment is 64 hexadecimal digits.")
            if isinstance(event, DRAWN) and not is_link(event.seed, event.link, t.commitment):
                return Fault(at, "The seed is not that of the commitment.")
            t = evolve(t, event)
            at += 1
    return None


def _are_commitments(event: DrawsCommitted) -> bool:
    return all(HASH.fullmatch(one) for one in (event.commitment, event.deals) if one is not None)


def _due(t: Tournament, events: Sequence[Any], at: int, chance: DisclosedDraws) -> tuple[Any, ...]:
    """Give the events that must come next. Raises whatever comes of events that nobody has decided."""
    first = events[at]
    if not t.commitment:
        assert isinstance(first, TournamentAnnounced)
        prepares = events[at + 1] if isinstance(events[at + 1], PreparationAnnounced) else None
        committed = events[at + 1 if prepares is None else at + 2]
        assert isinstance(committed, DrawsCommitted)
        return announce(first, committed.commitment, prepares.preparation if prepares else None, committed.deals)
    due = decide(t, _TOLD[type(first)](t, first), chance)
    assert due
    return due


def _cancels(event: TournamentCancelled) -> Any:
    """Say what has cancelled a tournament: somebody, or a time that was over."""
    if event.by is not None:
        return CancelTournament(event.by, event.reason)
    return {NOT_BEGUN: EndPairing(), LAPSED: LapseEntries()}.get(event.reason, CloseEntries(None))


_TOLD: Final[Mapping[type, Callable[[Tournament, Any], Any]]] = {
    PlayersInvited: lambda t, e: InvitePlayers(e.by, e.players),
    PlayerEntered: lambda t, e: Enter(e.player, e.club, e.nonce, e.rating, e.reliability),
    PlayerWaits: lambda t, e: Enter(e.player, e.club, e.nonce, e.rating, e.reliability),
    PlayerEnteredLate: lambda t, e: Enter(e.player, e.club, rating=e.rating, reliability=e.reliability),
    PlayerStoppedWaiting: lambda t, e: Withdraw(e.player),
    PlayerRested: lambda t, e: Rest(t.players[e.entrant]),
    PlayerReturned: lambda t, e: ComeBack(t.players[e.entrant]),
    PairingEnded: lambda t, e: EndPairing(),
    PlayerWithdrew: lambda t, e: Withdraw(t.players[e.entrant]),
    PlayerDisqualified: lambda t, e: Disqualify(e.by, e.entrant, e.reason),
    PlayerBarred: lambda t, e: BarPlayer(e.by, e.player, e.reason),
    EntriesClosed: lambda t, e: CloseEntries(e.by),
    PodFinished: lambda t, e: FinishPod(e.pod, t.pod_attempts[e.pod], e.match, e.head, e.without),
    PodRepeated: lambda t, e: RepeatPod(e.pod, t.pod_attempts[e.pod], e.match, e.head, e.absent),
    TableFinished: lambda t, e: FinishTable(
        e.round,
        e.table,
        t.attempts[e.table],
        e.match,
        e.head,
        e.result.places,
        e.result.wins,
        e.result.games,
        e.result.drawn,
        e.result.chips,
        e.result.scores,
        e.absent,
    ),
    TableDrawn: lambda t, e: FinishTable(
        e.round,
        e.table,
        e.attempt - 1,
        e.match,
        e.head,
        e.result.places,
        e.result.wins,
        e.result.games,
        e.result.drawn,
        scores=e.result.scores,
        absent=e.absent,
    ),
    TableForfeited: lambda t, e: ForfeitTable(e.round, e.table, t.attempts[e.table], e.match, e.head, e.absent),
    TableAdjudicated: lambda t, e: AdjudicateTable(
        e.round, e.table, t.attempts[e.table], e.match, e.head, e.late, e.absent
    ),
    TableRuled: lambda t, e: RuleTable(e.by, e.table, e.result.places, e.reason),
    TournamentPaused: lambda t, e: Pause(e.by, e.reason),
    TournamentResumed: lambda t, e: Resume(e.by),
    TournamentCancelled: lambda t, e: _cancels(e),
    DealsDisclosed: lambda t, e: DiscloseDeals(e.seed),
}
"""The command of each event of a tournament that is the first to follow from one."""
