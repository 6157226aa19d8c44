"""Lists the events of a match. Each is defined in the module of its subject (contract 3; rules 1.5)."""

from typing import Final

from domain.match.bot_seats import SeatHandedToBot, SeatTakenBack
from domain.match.clocks import BankSpent, ClockCredited, DecisionRequested
from domain.match.creation import MatchCreated
from domain.match.draws import DrawAccepted, DrawDeclined, DrawOffered
from domain.match.group import AllTablesOver, CommitmentsShared, DealsShared
from domain.match.match_results import GameWon, MatchAnnulled, MatchEnded
from domain.match.match_shuffles import (
    FairnessCommitted,
    NonceCommitted,
    NoncesAwaited,
    NoncesClosed,
    NonceSubmitted,
    SeedRevealed,
)
from domain.match.move_signatures import CauseSealed, MoveSigned
from domain.match.pauses import HandContinued
from domain.match.resignations import SeatResigned
from domain.match.seating import CommitmentsAborted, KeyProved, MatchStarted, SeatLeft, SeatTaken
from domain.match.stakes import StacksArrived, StacksLeft
from domain.match.take_backs import (
    MoveTakenBack,
    TakeBackGranted,
    TakeBackRefused,
    TakeBackRequested,
    UndoKept,
    UndoLost,
)
from domain.match.time_outs import DecisionTimedOut

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
