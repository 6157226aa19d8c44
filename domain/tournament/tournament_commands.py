"""Defines what a tournament is told: by players, by those who run it, and by the matches at its tables."""

from domain.core.staking import LeavingStack
from domain.core.values import value


@value
class Enter:
    """Let a player enter; `nonce` is the player's own part of all draws, in hex, or empty."""

    player: str
    club: str | None = None
    nonce: str = ""
    rating: int | None = None
    """The player's protected rating, where there are bounds; null: it is not asked for."""
    reliability: int | None = None
    """How many decisions in a hundred the player took in time, where there is a bound; null: it is not asked for."""


@value
class InvitePlayers:
    """Let players enter, and see, a tournament whose entries are by invitation."""

    by: str
    players: tuple[str, ...]


@value
class Withdraw:
    """Let a player leave."""

    player: str


@value
class Rest:
    """Pair a player of an arena no more, until the player is back."""

    player: str


@value
class ComeBack:
    """Pair a player of an arena again."""

    player: str


@value
class EndPairing:
    """Say that the time of an arena is over."""


@value
class CloseEntries:
    """Close entries and begin; `by` is who runs the tournament, None if their time has come."""

    by: str | None


@value
class LapseEntries:
    """End a tournament whose entries nobody has closed for as long as they may be open."""


@value
class Disqualify:
    """Take an entrant out of the tournament, who may have left it."""

    by: str
    entrant: int
    reason: str


@value
class BarPlayer:
    """Let a player never enter who has not, but waits for a place, has waited for one or is invited."""

    by: str
    player: str
    reason: str


@value
class FinishPod:
    """Say that the match of a pod is over, and which of its entrants have gained nothing."""

    pod: int
    attempt: int
    match: str
    head: str
    without: tuple[int, ...]


@value
class RepeatPod:
    """Say that the match of a pod has not begun, since these entrants have not taken their seats."""

    pod: int
    attempt: int
    match: str
    head: str
    absent: tuple[int, ...]


@value
class FinishTable:
    """Say how the match of a table has ended: places, games won, the number of games and of those that nobody won.

    `attempt` is the number of the match at its table, from 0. `head` is the digest of its last event.
    """

    round: int
    table: int
    attempt: int
    match: str
    head: str
    places: tuple[int, ...]
    wins: tuple[int, ...]
    games: int
    drawn: int
    chips: tuple[LeavingStack, ...] | None = None
    """The stacks that leave the table, where they go from table to table."""
    scores: tuple[int, ...] | None = None
    """The score of each seat, in a duplicate."""
    absent: tuple[int, ...] = ()
    """The entrants who had not taken their seats in time; the match has begun, and their clocks have run."""


@value
class ForfeitTable:
    """Say that the match of a table has not begun, since these entrants have not taken their seats."""

    round: int
    table: int
    attempt: int
    match: str
    head: str
    absent: tuple[int, ...]


@value
class AdjudicateTable:
    """Say that a table is late at its deadline, and which entrants are to move."""

    round: int
    table: int
    attempt: int
    match: str
    head: str
    late: tuple[int, ...]
    absent: tuple[int, ...] = ()
    """The entrants who had not taken their seats in time; the match has begun, and their clocks have run."""


@value
class RuleTable:
    """Rule the result of a table of the open round, by the place of each seat; if nobody is first, all have lost."""

    by: str
    table: int
    places: tuple[int, ...]
    reason: str


@value
class Pause:
    """Close and pair no rounds until the tournament goes on."""

    by: str
    reason: str


@value
class Resume:
    """Let the tournament go on."""

    by: str


@value
class CancelTournament:
    """End the tournament without an outcome."""

    by: str
    reason: str


@value
class DiscloseDeals:
    """Disclose the secret of the deals, in hex: the tournament and all its matches are over."""

    seed: str
