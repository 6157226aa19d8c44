"""Defines the inputs of a new match: the options of every game, the seats, the series (contract 3)."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from domain.core.cards import Seat
from domain.core.clock import Clock
from domain.core.fairness import KnownDeals
from domain.core.game import MOST_GAMES
from domain.core.options import Odd, Range
from domain.core.strengths import Level
from domain.core.types import Title
from domain.core.values import value

Reveal = Literal["hand_end", "game_end", "match_end", "never"]


MOST_RATING: Final = 10_000
"""The largest bound of ratings, in points."""


@value
class Common:
    """The options that every game has (rules 1.11)."""

    fairness_reveal: Annotated[Reveal | None, Title("Shuffles are published")] = None
    """When the seeds of the shuffles are published, which disclose all cards; null for the game's default."""
    nonce_commit: Annotated[bool, Title("Players commit to their nonces")] = False
    """Whether seats commit to their nonces by hashes, and send the nonces once all hashes are in."""
    nonce_seconds: Annotated[int, Range(0, 30 * 24 * 3600), Title("Seconds to wait for nonces")] = 0
    """Seconds that the start waits for nonces, the random contributions of the seats to the shuffles.

    With 0, it does not wait. With `nonce_commit`, 0 means 60 seconds for the hashes and 60 for the nonces.
    """
    pause_between_hands: bool = False
    """Whether the next hand waits until every player has sent `continue_match`."""
    on_resign: Annotated[Literal["bot", "end"], Title("When a player resigns")] = "bot"
    """Effect of a resignation with more than two seats: a bot takes over, or the game ends."""
    take_backs: Annotated[bool, Title("Takebacks")] = False
    """Whether a move can be taken back if all other players agree."""
    standing_orders: Annotated[bool, Title("Standing orders")] = False
    """Whether players may set standing orders for when they are away, which needs a clock.

    The default is true if the first decision may take an hour or more.
    """
    rated: Annotated[bool, Title("Rated")] = False
    """Whether the result counts for the players' ratings.

    Needs a clock, one seat per player, and at least two people, or one against bots of a fixed strength.
    """
    least_rating: Annotated[int, Range(0, MOST_RATING)] | None = None
    """Minimum rating for an open seat; null for no limit."""
    most_rating: Annotated[int, Range(0, MOST_RATING)] | None = None
    """Maximum rating for an open seat; null for no limit."""
    seats_per_player: Annotated[int, Range(1, 99)] | None = None
    """Maximum seats per player.

    If omitted or null: the seats of a side, or as many as the creator takes.
    """


COMMON_TITLES: Final[Mapping[str, Mapping[str, str]]] = {
    "fairness_reveal": {
        "hand_end": "After each hand",
        "game_end": "After each game",
        "match_end": "After the match",
    },
    "on_resign": {"bot": "A bot plays on", "end": "The game ends"},
}
"""Titles of the choices of these options, by the option."""


@value
class Series:
    """The number of games in a match."""

    best_of: Annotated[int, Odd(1, MOST_GAMES)] = 1
    """Maximum games of the match, not counting drawn games; the default depends on the game."""


@value
class SeatPlan:
    """A seat as the match was created with it."""

    kind: Literal["open", "invite", "bot"]
    """The kind of seat: open to any player, for one player by invitation, or for a bot."""
    level: Level | None = None
    """The level of the bot; null if a player takes the seat."""
    player: str | None = None
    """The player for whom an invited seat is reserved."""


@value
class Sitting:
    """A seat as the match started with it."""

    seat: Seat
    kind: Literal["player", "bot"]
    """Whether a player or a bot sits there."""
    player: str | None
    """The id of the player; null for a bot."""
    level: Level | None
    """The level of the bot; null for a player."""


@value
class DealGroup:
    """The duplicate group of a match; `table` is the number of its table among `tables`, from 0."""

    id: str
    """The id of the group."""
    table: int
    """The number of this table, from 0."""
    tables: int
    """The number of tables in the group."""


@value
class DealKnown:
    """The finished match whose deals the match repeats, and the first hand that it repeats."""

    match: str
    """The id of the match that was played before."""
    hand_no: int
    """The first hand of that match to replay, from 1."""
    deals: KnownDeals
    """The data from which its shuffles follow."""


PREPARING: Final = 0
"""The round number of the preparation before a tournament's first round."""


@value
class TournamentTable:
    """The tournament table at which a match is played."""

    id: str
    """The id of the tournament."""
    round: int
    """The number of the round, from 1; 0: entrants prepare for the first."""
    table: int
    """The number of the table, or of the pod, from 0."""
    attempt: int
    """The number of the match at this table, from 0; higher if the table is replayed."""


@value
class MatchCreated:
    game: str
    """The name of the game."""
    rules: str
    """The version of the rules."""
    options: Mapping[str, Any]
    """All options of the game, and those that every game has."""
    preset: str | None
    """The preset behind the options; null if there is none."""
    seats: tuple[SeatPlan, ...]
    """The seats, in order."""
    visibility: Literal["public", "unlisted", "private"]
    """The readers of the match: everyone, everyone who knows its address, or only its players and its creator."""
    clock: Clock
    """The clock of the match."""
    series: Series
    """Number of games in the match."""
    creator: str | None
    """The id of the player who created it; null if no player did."""
    deal_group: DealGroup | None = None
    """The duplicate group of the match; null if it is in none."""
    deal_known: DealKnown | None = None
    """The match whose deals are repeated; null if the deals are new."""
    tournament: TournamentTable | None = None
    """The tournament table of the match; null if it is in none."""
