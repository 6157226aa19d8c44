"""Defines the events of a match (contract 3; rules 1.5)."""

from collections.abc import Mapping
from typing import Any, Final, Literal

from domain.core.cards import Seat
from domain.core.staking import LeavingStack, TableStakes
from domain.core.values import value
from domain.core.visibility import Private
from domain.match.bot_seats import SeatHandedToBot, SeatTakenBack
from domain.match.clocks import BankSpent, ClockCredited, DecisionRequested
from domain.match.creation import MatchCreated, Sitting
from domain.match.draws import DrawAccepted, DrawDeclined, DrawOffered
from domain.match.group import AllTablesOver, CommitmentsShared, DealsShared
from domain.match.match_shuffles import (
    FairnessCommitted,
    NonceCommitted,
    NoncesAwaited,
    NoncesClosed,
    NonceSubmitted,
    SeedRevealed,
)
from domain.match.pauses import HandContinued
from domain.match.resignations import SeatResigned
from domain.match.state import Result
from domain.match.take_backs import (
    MoveTakenBack,
    TakeBackGranted,
    TakeBackRefused,
    TakeBackRequested,
    UndoKept,
    UndoLost,
)
from domain.match.time_outs import DecisionTimedOut

# --- The lobby, and what the shuffles follow from -----------------------------------------------------


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
class CommitmentsAborted:
    """The match is given up before its start, after these seats have committed to nonces."""

    seats: tuple[Seat, ...]
    """The seats that had sent hashes."""


@value
class MatchStarted:
    options: Mapping[str, Any]
    """All options of the match."""
    seats: tuple[Sitting, ...]
    """Who sits where."""
    nonces: tuple[str, ...]
    """The nonces of the first epoch, seat by seat; empty where a seat gave none."""


# --- Decisions and their time -------------------------------------------------------------------------


# --- What seats say beside their moves ----------------------------------------------------------------


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


LIFE: Final = frozenset(EVENTS)

OF_NO_HAND: Final = LIFE - {MoveSigned}
"""The events of a match's life belong to no hand, but for a signed move, which is opened with the cards of its hand."""
