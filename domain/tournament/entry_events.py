"""Defines the events by which players come to a tournament, leave it, rest, and return, until entries are closed."""

from domain.core.values import value
from domain.tournament.tournament_fields import Club, EntrantNo, Reason


@value
class PlayersInvited:
    """Players were invited."""

    players: tuple[str, ...]
    """The ids of the players."""
    by: str
    """The id of the organiser or helper who has invited them."""


@value
class PlayerEntered:
    """A player has entered."""

    entrant: EntrantNo
    player: str
    """The id of the player."""
    club: Club
    nonce: str
    """The player's own part of all draws, in hex; empty where none was given."""
    rating: int | None = None
    """The protected rating of the player, where there are bounds; null: there are none."""
    reliability: int | None = None
    """How many decisions in a hundred the player took in time, where that is asked; null: it is not."""


@value
class PlayerWaits:
    """All places are taken, and a player waits for one."""

    player: str
    """The id of the player."""
    club: Club
    nonce: str
    """The player's own part of all draws, in hex; empty where none was given."""
    rating: int | None = None
    """The protected rating of the player, where there are bounds; null: there are none."""
    reliability: int | None = None
    """How many decisions in a hundred the player took in time, where that is asked; null: it is not."""


@value
class PlayerMovedUp:
    """A place has become free, and the first who waited has it."""

    entrant: EntrantNo
    player: str
    """The id of the player."""
    club: Club
    nonce: str
    """The player's own part of all draws, in hex; empty where none was given."""
    waiting: tuple[str, ...]
    """The ids of those who wait on, in order."""


@value
class PlayerStoppedWaiting:
    """A player waits no longer for a place."""

    player: str
    """The id of the player."""
    waiting: tuple[str, ...]
    """The ids of those who wait on, in order."""


@value
class PlayerEnteredLate:
    """A player has entered after entries were closed, and is paired from the next round on."""

    entrant: EntrantNo
    player: str
    """The id of the player."""
    club: Club
    rating: int | None = None
    """The protected rating of the player, where there are bounds; null: there are none."""
    reliability: int | None = None
    """How many decisions in a hundred the player took in time, where that is asked; null: it is not."""


@value
class PlayerWithdrew:
    """An entrant has left the tournament, after this number of paired rounds."""

    entrant: EntrantNo
    after: int
    """The rounds that had been paired."""


@value
class PlayerDisqualified:
    """An entrant was taken out of the tournament, or has left it before, after this number of paired rounds."""

    entrant: EntrantNo
    after: int
    """The rounds that had been paired when the entrant was taken out, or had left."""
    reason: Reason
    by: str
    """The id of the organiser or helper who has ruled it."""


@value
class PlayerBarred:
    """A player who has not entered was disqualified, and cannot enter."""

    player: str
    """The id of the player, who waits for a place, has waited for one or is invited."""
    reason: Reason
    by: str
    """The id of the organiser or helper who has ruled it."""


@value
class PlayerDropped:
    """An entrant has not come to a table for the second time, and is paired no more."""

    entrant: EntrantNo
    after: int
    """The rounds that had been paired."""


@value
class PlayerRested:
    """An entrant of an arena is not paired until the entrant is back."""

    entrant: EntrantNo


@value
class PlayerReturned:
    """An entrant of an arena who has rested is paired again."""

    entrant: EntrantNo


@value
class EntriesClosed:
    """Entries are closed, and the order of the shuffle `seating` is drawn. The tournament begins."""

    by: str | None
    """The id of the organiser or helper who has closed them; null: their time had come."""
    link: int
    """The place of the seed in the chain."""
    seed: str
    """The seed: hashed as often as `link` says, it is the commitment."""
    order: tuple[int, ...]
    """The entrants, in the order that was drawn."""
    rounds: int | None
    """The number of rounds of a Swiss or a duplicate; null: it follows from who is left."""
