"""Defines the events of a match (contract 3; rules 1.5)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from domain.core.cards import Seat
from domain.core.clock import Clock, Time
from domain.core.event_fields import HandNo
from domain.core.staking import LeavingStack, TableStakes
from domain.core.types import Doc
from domain.core.values import value
from domain.core.visibility import Private
from domain.match.creation import DealGroup, DealKnown, SeatPlan, Series, Sitting, TournamentTable

Epoch = Annotated[int, Doc("The number of the epoch, from 1: the hands that share one commitment.")]
Stage = Annotated[Literal["hashes", "nonces"], Doc("Whether hashes of nonces are awaited, or the nonces.")]
Decision = Annotated[str, Doc("What the seat is to decide, in a word.")]


# --- The lobby, and what the shuffles follow from -----------------------------------------------------


@value
class MatchCreated:
    game: str
    """The name of the game."""
    rules: str
    """The version of the rules."""
    options: Mapping[str, Any]
    """All options of the game, and those that every game has."""
    preset: str | None
    """The preset that the options began with; null: none."""
    seats: tuple[SeatPlan, ...]
    """The seats, in order."""
    visibility: Literal["public", "unlisted", "private"]
    """Who may read the match: all; all who know its address; or its players and its creator."""
    clock: Clock
    """The clock of the match."""
    series: Series
    """How many games make the match."""
    creator: str | None
    """The id of the player who created it; null where nobody did."""
    deal_group: DealGroup | None = None
    """The group of tables that get the same deals; null: the match is in none."""
    deal_known: DealKnown | None = None
    """The deals that are played once more; null: the deals are new."""
    tournament: TournamentTable | None = None
    """The table of a tournament that the match is played at; null: it is in none."""


@value
class FairnessCommitted:
    scheme: str
    """The scheme of the shuffles; `ct1` is the only one."""
    epoch: Epoch
    links: int
    """The number of hands that the commitment covers."""
    commitment: str
    """The digest, in hex, that the seeds of these hands are hashed to."""


@value
class StacksArrived:
    """The seats bring stacks from other tables of a tournament, or those that they begin it with."""

    stakes: TableStakes
    """What they bring, and how long is played with it."""


@value
class SeatTaken:
    """The player sits down. With `player_key`, a public key in hex, the seat moves only by moves signed with it."""

    seat: Seat
    player: str
    """The id of the player."""
    player_key: str | None = None
    """The public key in hex; null: the moves of the seat are not signed."""


@value
class KeyProved:
    """The player has signed with the key of the seat that was just taken, and so holds its secret."""

    seat: Seat
    signature: str
    """The signature over who takes which seat, in hex."""


@value
class SeatLeft:
    seat: Seat


@value
class NoncesAwaited:
    """The seats may now send hashes, or nonces, until then; None means until all have done so."""

    epoch: Epoch
    stage: Stage
    until: Time | None
    """When they must be there; null: when all have sent them."""
    credited: int = 0
    """The seconds by which the end of this stage has been put off so far."""


@value
class NonceCommitted:
    seat: Seat
    epoch: Epoch
    hash: str
    """The SHA-256 of the nonce, in hex."""


@value
class NonceSubmitted:
    seat: Seat
    epoch: Epoch
    nonce: str
    """The part of the seat in the shuffles: 16 to 64 hex digits."""


@value
class NoncesClosed:
    epoch: Epoch
    stage: Stage


@value
class CommitmentsShared:
    """No table of the group takes hashes of nonces any longer: these are all of them, table by table, seat by seat."""

    hashes: tuple[tuple[str, ...], ...]
    """For each table the hashes of its seats, in hex; empty where a seat gave none."""


@value
class CommitmentsAborted:
    """The match is given up before its start, after these seats have committed to nonces."""

    seats: tuple[Seat, ...]
    """The seats that had sent hashes."""


@value
class DealsShared:
    """The tables of a group begin, with the nonces of all of them, table by table and seat by seat."""

    nonces: tuple[tuple[str, ...], ...]
    """For each table the nonces of its seats, in hex; empty where a seat gave none."""


@value
class AllTablesOver:
    """The last table of the group is over, or the tournament for which entrants prepare, so that all may be told."""


@value
class MatchStarted:
    options: Mapping[str, Any]
    """All options of the match."""
    seats: tuple[Sitting, ...]
    """Who sits where."""
    nonces: tuple[str, ...]
    """The nonces of the first epoch, seat by seat; empty where a seat gave none."""


@value
class SeedRevealed:
    epoch: Epoch
    link: int
    """The number of the hand in its epoch, from 1; the seed is hashed this number of times to give the commitment."""
    seed: str
    """The seed of the hand, in hex."""
    hand_no: HandNo
    hand_key: str
    """The key, in hex, from which the keys of all seals of the hand follow."""


# --- Decisions and their time -------------------------------------------------------------------------


@value
class DecisionRequested:
    seat: Seat
    decision: Decision
    deadline: Time
    """When the decision falls due."""
    opened: Time
    """When the time for it began."""


@value
class ClockCredited:
    """The seat's decision falls due later: the server was down, or the player on vacation."""

    seat: Seat
    seconds: int
    """By how many seconds it falls due later."""
    why: Literal["outage", "vacation"]
    """Whether the server was down, or the player on vacation."""
    deadline: Time
    """When the decision falls due now."""


@value
class DecisionTimedOut:
    seat: Seat
    decision: Decision
    defaults: int
    """The number of decisions in a row that the seat has let expire."""


@value
class BankSpent:
    """The seat has this much of its bank left: milliseconds, and the decisions that a Canadian period still serves."""

    seat: Seat
    left: int
    """The milliseconds that the seat has left."""
    moves: int
    """The decisions that a Canadian period still serves; 0 with other clocks."""


# --- What seats say beside their moves ----------------------------------------------------------------


@value
class UndoKept:
    """The seat's move can be taken back; `left` are the milliseconds it had left for it, None without a deadline."""

    seat: Seat
    left: int | None
    """The milliseconds that the seat had left for the move; null: it had no deadline."""


@value
class UndoLost:
    """The last move can no longer be taken back: something hidden was shown, or another seat has answered."""


@value
class SeatResigned:
    seat: Seat
    whole_match: bool
    """Whether the seat gives up the whole match, and not this game alone."""


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
class TakeBackRequested:
    seat: Seat


@value
class TakeBackGranted:
    seat: Seat


@value
class TakeBackRefused:
    seat: Seat


@value
class MoveTakenBack:
    """The table is again as it was before the seat's last move. What has happened stays in the log."""

    seat: Seat
    deadlines: tuple[Time | None, ...]
    """The deadlines of the seats' open decisions, from here on."""


@value
class MoveSigned:
    """The player has signed the move that follows in the commit; others may read it with the cards of the hand.

    `move` is the move as it was signed, `{name, args}`, and `signature` is in hex.
    """

    seat: Seat
    move: Private[Any]
    """The move as it was signed: its name and arguments."""
    signature: Private[str]
    """The signature of the move (Ed25519), in hex."""


@value
class CauseSealed:
    """The seat made the move by hand, or a standing order of it did; others may know which after the match."""

    seat: Seat
    true_cause: Private[str]
    """Whether the seat made the `move` by hand, or an `order` did."""


# --- How it goes on, and ends -------------------------------------------------------------------------


@value
class GameWon:
    """The game is over; `winner` is the first seat of the side that won, `NOBODY` where it was drawn or shared.

    `scores` are those of the game, seat by seat.
    """

    winner: Seat | None
    """The first seat of the side that has won; null where the game is drawn or shared."""
    scores: tuple[int, ...]
    """The score of each seat in the game."""


@value
class HandContinued:
    seat: Seat


@value
class Result:
    """A result says how a match ended: places from 1, games won, and the scores of the last game, seat by seat.

    A drawn match has no winners; those between whom it is drawn share the first place.
    """

    winners: tuple[Seat, ...]
    """The seats that have won; none where the match is drawn."""
    places: tuple[int, ...]
    """The place of each seat, from 1; seats that are level share one."""
    wins: tuple[int, ...]
    """The number of games that each seat has won."""
    scores: tuple[int, ...]
    """The score of each seat in the last game."""


@value
class StacksLeft:
    """The stacks leave the table, and are brought to others of the tournament."""

    stacks: tuple[LeavingStack, ...]
    """The stack of each seat: first of the one that would pay next what seats pay in turn."""


@value
class MatchEnded:
    result: Result | None
    """How the match came out; null where it was never played."""
    reason: Literal["played", "resignation", "draw", "abandoned", "cancelled", "expired"]
    """What has ended the match."""


@value
class MatchAnnulled:
    """The operator has annulled the match: it counts for ratings and statistics no longer. Its result is kept."""

    reason: str
    """Why it was annulled, in a sentence."""


EVENTS: tuple[type, ...] = (
    MatchCreated,
    FairnessCommitted,
    StacksArrived,
    SeatTaken,
    KeyProved,
    SeatLeft,
    NoncesAwaited,
    NonceCommitted,
    NonceSubmitted,
    NoncesClosed,
    CommitmentsShared,
    CommitmentsAborted,
    DealsShared,
    MatchStarted,
    AllTablesOver,
    SeedRevealed,
    DecisionRequested,
    DecisionTimedOut,
    ClockCredited,
    BankSpent,
    UndoKept,
    UndoLost,
    SeatResigned,
    SeatHandedToBot,
    SeatTakenBack,
    DrawOffered,
    DrawAccepted,
    DrawDeclined,
    TakeBackRequested,
    TakeBackGranted,
    TakeBackRefused,
    MoveTakenBack,
    MoveSigned,
    CauseSealed,
    HandContinued,
    GameWon,
    StacksLeft,
    MatchEnded,
    MatchAnnulled,
)
