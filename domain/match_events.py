"""The words of a match's life: what it is created from, its commands and its events (CONTRACT 3, RULES 1.5)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from domain.cards import Seat
from domain.clock import Clock, Time
from domain.options import Odd, Range
from domain.values import value
from domain.visibility import Private

# --- What a match is created from ---------------------------------------------------------------

Level = Literal["random", "easy", "steady", "strong"]
Reveal = Literal["hand_end", "game_end", "match_end", "never"]


@value
class Common:
    """The options that every game has (RULES 1.11)."""

    fairness_reveal: Reveal | None = None  # None: the game's own default
    nonce_commit: bool = False
    nonce_seconds: Annotated[int, Range(0, 30 * 24 * 3600)] = 0
    pause_between_hands: bool = False
    on_resign: Literal["bot", "end"] = "bot"


@value
class Series:
    """How many games make a match (RULES 1.10)."""

    best_of: Annotated[int, Odd(1, 99)] = 1


@value
class SeatPlan:
    """A seat as the match was created with it."""

    kind: Literal["open", "invite", "bot"]
    level: Level | None = None


@value
class Sitting:
    """A seat as the match started with it."""

    seat: Seat
    kind: Literal["player", "bot"]
    player: str | None
    level: Level | None


# --- Commands -----------------------------------------------------------------------------------


@value
class Sit:
    """Take the seat, or add a nonce to one's own."""

    player: str
    nonce: str | None = None
    nonce_hash: str | None = None
    eaten_at: Time | None = None  # when the player last ate an avocado (RULES 6.2)


@value
class Leave:
    """Leave the seat before the start."""


@value
class Cancel:
    """Give the match up before the start."""


@value
class Expire:
    """The lobby has stood too long."""


@value
class CloseNonces:
    """The time for nonces is over."""


@value
class TimeOut:
    """The seat's time is over."""


@value
class Resign:
    """Give the game up, or the whole match."""

    whole_match: bool = False


@value
class OfferDraw:
    """Offer to call the game drawn."""


@value
class AcceptDraw:
    """Agree to call the game drawn."""


@value
class DeclineDraw:
    """Play on after a draw was offered."""


@value
class ContinueMatch:
    """Be ready for the next hand."""


@value
class TakeSeatBack:
    """Play on oneself after a bot sat in."""


SEAT_COMMANDS: Mapping[str, type] = {
    "resign": Resign,
    "offer_draw": OfferDraw,
    "accept_draw": AcceptDraw,
    "decline_draw": DeclineDraw,
    "continue_match": ContinueMatch,
    "take_seat_back": TakeSeatBack,
}
"""The commands of the match that a seat sends like a move, by their names in the API."""

# --- Events -------------------------------------------------------------------------------------


@value
class MatchCreated:
    game: str
    rules: str
    options: Mapping[str, Any]
    preset: str | None
    seats: tuple[SeatPlan, ...]
    visibility: Literal["public", "unlisted", "private"]
    clock: Clock
    series: Series
    creator: str | None


@value
class FairnessCommitted:
    scheme: str
    epoch: int
    links: int
    commitment: str


@value
class SeatTaken:
    seat: Seat
    player: str


@value
class SeatLeft:
    seat: Seat


@value
class AvocadoRemembered:
    """Said in the lobby; the others learn it at the start (RULES 6.2)."""

    seat: Seat
    eaten_at: Private[Time]


@value
class NoncesAwaited:
    """The seats may now send hashes, or nonces, until then; `until` None: until all have."""

    epoch: int
    stage: Literal["hashes", "nonces"]
    until: Time | None


@value
class NonceCommitted:
    seat: Seat
    epoch: int
    hash: str


@value
class NonceSubmitted:
    seat: Seat
    epoch: int
    nonce: str


@value
class NoncesClosed:
    epoch: int
    stage: Literal["hashes", "nonces"]


@value
class MatchStarted:
    options: Mapping[str, Any]
    seats: tuple[Sitting, ...]
    nonces: tuple[str, ...]


@value
class SeedRevealed:
    epoch: int
    link: int
    seed: str
    hand_no: int
    hand_key: str


@value
class DecisionRequested:
    seat: Seat
    decision: str
    deadline: Time


@value
class DecisionTimedOut:
    seat: Seat
    decision: str


@value
class BankSpent:
    """The seat has used its bank; `left` in milliseconds."""

    seat: Seat
    left: int


@value
class SeatResigned:
    seat: Seat
    whole_match: bool


@value
class SeatHandedToBot:
    seat: Seat


@value
class SeatTakenBack:
    seat: Seat


@value
class DrawOffered:
    seat: Seat


@value
class DrawAccepted:
    seat: Seat


@value
class DrawDeclined:
    seat: Seat


@value
class HandContinued:
    seat: Seat


@value
class Result:
    """How a match ended: places from 1, games won, and the scores of the last game, seat by seat."""

    winners: tuple[Seat, ...]
    places: tuple[int, ...]
    wins: tuple[int, ...]
    scores: tuple[int, ...]


@value
class MatchEnded:
    result: Result | None
    reason: Literal["played", "resignation", "cancelled", "expired"]


EVENTS: tuple[type, ...] = (
    MatchCreated, FairnessCommitted, SeatTaken, SeatLeft, AvocadoRemembered, NoncesAwaited, NonceCommitted, NonceSubmitted,
    NoncesClosed, MatchStarted, SeedRevealed, DecisionRequested, DecisionTimedOut, BankSpent, SeatResigned,
    SeatHandedToBot, SeatTakenBack, DrawOffered, DrawAccepted, DrawDeclined, HandContinued, MatchEnded,
)  # fmt: skip

TEXTS: Mapping[type, str] = {
    MatchCreated: "A match of {game} is created.",
    FairnessCommitted: "The shuffles of epoch {epoch} are committed: {commitment}.",
    SeatTaken: "Seat {seat} is taken.",
    SeatLeft: "Seat {seat} is free again.",
    AvocadoRemembered: "Seat {seat} remembers an avocado.",
    NoncesAwaited: "The seats may send their {stage}.",
    NonceCommitted: "Seat {seat} commits to a nonce.",
    NonceSubmitted: "Seat {seat} gives the nonce {nonce}.",
    NoncesClosed: "The time for {stage} is over.",
    MatchStarted: "The match starts.",
    SeedRevealed: "The seed of hand {hand_no} is revealed: {seed}.",
    DecisionRequested: "Seat {seat} is to decide.",
    DecisionTimedOut: "Seat {seat} runs out of time.",
    BankSpent: "Seat {seat} draws on its time bank.",
    SeatResigned: "Seat {seat} resigns.",
    SeatHandedToBot: "A bot plays on for seat {seat}.",
    SeatTakenBack: "Seat {seat} is taken back from the bot.",
    DrawOffered: "Seat {seat} offers a draw.",
    DrawAccepted: "Seat {seat} accepts the draw.",
    DrawDeclined: "Seat {seat} declines the draw.",
    HandContinued: "Seat {seat} is ready for the next hand.",
    MatchEnded: "The match is over ({reason}).",
}
