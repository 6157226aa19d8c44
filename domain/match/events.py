"""Defines what a match is created from, its commands and its events (contract 3; rules 1.5)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

from domain.core import text as words
from domain.core.cards import Seat
from domain.core.clock import Clock, Time
from domain.core.event_fields import HandNo
from domain.core.fairness import KnownDeals
from domain.core.game import MOST_GAMES
from domain.core.options import Odd, Range
from domain.core.types import Doc
from domain.core.values import value
from domain.core.visibility import Private

# --- What a match is created from ---------------------------------------------------------------

Level = Literal["random", "easy", "steady", "strong"]
Reveal = Literal["hand_end", "game_end", "match_end", "never"]


@value
class Common:
    """These are the options that every game has (rules 1.11)."""

    fairness_reveal: Reveal | None = None
    """When the seeds of the shuffles are published, and with them all cards; null means the game's own default."""
    nonce_commit: bool = False
    """Whether seats promise their nonces by a hash first, and open them once all hashes are there."""
    nonce_seconds: Annotated[int, Range(0, 30 * 24 * 3600)] = 0
    """The seconds that the start waits for nonces.

    With 0 it does not wait; with `nonce_commit` 0 means a wait of 60 seconds for the hashes, and of as many for the
    nonces.
    """
    pause_between_hands: bool = False
    """Whether a hand begins only when every person has sent `continue_match`."""
    on_resign: Literal["bot", "end"] = "bot"
    """What happens with more than two seats when one resigns: a bot plays on for it, or the game ends."""
    take_backs: bool = False
    """Whether a move may be taken back if all whom it concerns agree."""
    standing_orders: bool = False
    """Whether players may leave orders for when they are away, which needs a clock.

    Where it is left out, it is true if the first decision may take an hour or more.
    """
    seats_per_player: Annotated[int, Range(1, 99)] | None = None
    """The most seats that one player may take.

    If it is left out or null, that is the seats of a side, or as many as the creator takes.
    """


@value
class Series:
    """A series says how many games make a match."""

    best_of: Annotated[int, Odd(1, MOST_GAMES)] = 1
    """The most games of the match, unless games are drawn; if it is left out, the game's own default counts."""


@value
class SeatPlan:
    """This is a seat as the match was created with it."""

    kind: Literal["open", "invite", "bot"]
    """Whether anybody may sit down, one player by invitation, or a bot."""
    level: Level | None = None
    """How well the bot plays; null where a player is to sit."""
    player: str | None = None
    """The player for whom an invited seat is kept."""


@value
class Sitting:
    """This is a seat as the match started with it."""

    seat: Seat
    kind: Literal["player", "bot"]
    """Whether a player sits there or a bot."""
    player: str | None
    """The id of the player; null for a bot."""
    level: Level | None
    """How well the bot plays; null for a player."""


@value
class DealGroup:
    """The tables of a group get the same deals; `table` is the number of this one among `tables`, from 0."""

    id: str
    """The id of the group."""
    table: int
    """The number of this table, from 0."""
    tables: int
    """How many tables the group has."""


@value
class DealKnown:
    """The deals of a finished match are played once more, from this hand on."""

    match: str
    """The id of the match that was played before."""
    hand_no: int
    """The hand of that match with which this one begins, from 1."""
    deals: KnownDeals
    """What its shuffles follow from."""


# --- Commands -----------------------------------------------------------------------------------


@value
class Sit:
    """Take the seat, or add a nonce to one's own seat."""

    player: str
    nonce: str | None = None
    nonce_hash: str | None = None
    entry: Any = None
    """What the game asks of a seat before it begins."""
    player_key: str | None = None
    """The player's own key, with which the moves of the seat are signed; given when the seat is taken."""


@value
class Leave:
    """Leave the seat before the start."""


@value
class Cancel:
    """Give the match up before the start."""


@value
class Expire:
    """End a lobby that has been open too long."""


@value
class CloseNonces:
    """End the time for nonces."""


@value
class AwaitNonces:
    """Give the seats this many seconds more for nonces, since the server was down."""

    seconds: int


@value
class ShareDeals:
    """Begin at a table of a group once all its tables are ready, with the nonces of all, table by table."""

    nonces: tuple[tuple[str, ...], ...]


@value
class ShareCommitments:
    """Begin to open nonces at a table of a group: these are the hashes of all tables, table by table."""

    hashes: tuple[tuple[str, ...], ...]


@value
class OpenDeals:
    """Open the deals of a group of which every table is over."""


@value
class TimeOut:
    """Settle the decision of a seat whose time is over."""


@value
class Credit:
    """Give a seat time back that it could not use."""

    seconds: int
    why: Literal["outage", "vacation"]


@value
class Resign:
    """Give the game up, or the whole match."""

    whole_match: bool = False
    """Whether the seat gives up the whole match, in a series, and not this game alone."""


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
class RequestTakeBack:
    """Ask to take one's last move back."""


@value
class GrantTakeBack:
    """Let the requested move be taken back."""


@value
class RefuseTakeBack:
    """Let the move stand."""


@value
class TakeSeatBack:
    """Play on oneself after a bot sat in."""


SEAT_COMMANDS: Mapping[str, type] = {
    "resign": Resign,
    "offer_draw": OfferDraw,
    "accept_draw": AcceptDraw,
    "decline_draw": DeclineDraw,
    "continue_match": ContinueMatch,
    "request_take_back": RequestTakeBack,
    "grant_take_back": GrantTakeBack,
    "refuse_take_back": RefuseTakeBack,
    "take_seat_back": TakeSeatBack,
}
"""A seat sends these commands of the match like a move, by their names in the API."""

Epoch = Annotated[int, Doc("The number of the epoch, from 1: the hands that share one commitment.")]
Stage = Annotated[Literal["hashes", "nonces"], Doc("Whether hashes of nonces are awaited, or the nonces.")]
Decision = Annotated[str, Doc("What the seat is to decide, in a word.")]

# --- Events -------------------------------------------------------------------------------------


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
class SeatTaken:
    """The player sits down. With `player_key`, a public key in hex, the seat moves only by moves signed with it."""

    seat: Seat
    player: str
    """The id of the player."""
    player_key: str | None = None
    """The public key in hex; null: the moves of the seat are not signed."""


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
    """The last table of the group is over, so that all may be told."""


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
    """The number of the hand in its epoch, from 1: so often the seed is hashed to give the commitment."""
    seed: str
    """The seed of the hand, in hex."""
    hand_no: HandNo
    hand_key: str
    """The key, in hex, from which the keys of all seals of the hand follow."""


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


@value
class ClockStopped:
    """The clock has stopped; only version 1 of the rules wrote this, where `UndoKept` is written now."""

    seat: Seat
    left: int
    """The milliseconds that the seat had left."""


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
class MatchEnded:
    result: Result | None
    """How the match came out; null where it was never played."""
    reason: Literal["played", "resignation", "draw", "abandoned", "cancelled", "expired"]
    """What has ended the match."""


EVENTS: tuple[type, ...] = (
    MatchCreated,
    FairnessCommitted,
    SeatTaken,
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
    ClockStopped,
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
    MatchEnded,
)

TEXTS: Mapping[type, str] = {
    MatchCreated: "A match of {game} for {seats:count} seats is created.",
    FairnessCommitted: "The server commits to the shuffles of epoch {epoch}: {commitment}.",
    SeatTaken: "Seat {seat} joins the table.",
    SeatLeft: "Seat {seat} leaves the table.",
    NoncesAwaited: "The seats may send {stage}{until}.",
    NonceCommitted: "Seat {seat} commits to a nonce.",
    NonceSubmitted: "Seat {seat} gives the nonce {nonce}.",
    NoncesClosed: "No more of {stage} are awaited.",
    CommitmentsShared: "The tables of the group have committed to their nonces, and open them from here on.",
    CommitmentsAborted: "The match is aborted after commitments: {seats:committed} had sent hashes of nonces.",
    DealsShared: "The tables of the group have the same deals from here on.",
    MatchStarted: "The match starts: {seats}.",
    AllTablesOver: "All tables of the group are over.",
    SeedRevealed: "The shuffle of hand {hand_no} is disclosed: seed {seed}.",
    DecisionRequested: "Seat {seat} has until {deadline} to decide ({decision}).",
    DecisionTimedOut: "Seat {seat} has run out of time ({decision}).",
    ClockCredited: "The deadline of seat {seat} moves to {deadline} ({why}).",
    BankSpent: "Seat {seat} has drawn on its time bank: {left} left.",
    ClockStopped: "Seat {seat} has moved with {left} left.",
    UndoKept: "The move of seat {seat} can be taken back.",
    UndoLost: "The last move can no longer be taken back.",
    SeatResigned: "Seat {seat} gives up the {whole_match}.",
    SeatHandedToBot: "A bot plays on for seat {seat}.",
    SeatTakenBack: "Seat {seat} is played by its player again.",
    DrawOffered: "Seat {seat} offers a draw.",
    DrawAccepted: "Seat {seat} accepts the draw.",
    DrawDeclined: "Seat {seat} declines the draw.",
    TakeBackRequested: "Seat {seat} asks to take the last move back.",
    TakeBackGranted: "Seat {seat} lets the move be taken back.",
    TakeBackRefused: "Seat {seat} lets the move stand.",
    MoveTakenBack: "The last move of seat {seat} is taken back.",
    MoveSigned: "Seat {seat} has signed its move.",
    CauseSealed: "Whether seat {seat} moved by itself is sealed.",
    HandContinued: "Seat {seat} is ready for the next hand.",
    GameWon: "{winner:won}",
    MatchEnded: "The match {:ended}.",
}


_WITHOUT_RESULT: Mapping[str, str] = {
    "cancelled": "is cancelled before its start",
    "abandoned": "is abandoned: nobody has ever moved",
}


def ended(event: MatchEnded) -> str:
    """Say how a match came out."""
    if event.result is None:
        return _WITHOUT_RESULT.get(event.reason, "has not started in time")
    games = f"; games won: {words.each(event.result.wins)}" if max(event.result.wins) > 1 else ""
    return f"is over: {words.won(event.result.winners)}{words.why(event.reason)}{games}"


def won(side: Sequence[Seat]) -> str:
    """Say which seats have won a game together."""
    who = words.won(side)
    return f"{who[0].upper()}{who[1:]} the game."


IN_WORDS: words.Words = {
    "count": lambda row: str(len(row)),
    "stage": {"hashes": "the hashes of their nonces", "nonces": "their nonces"}.__getitem__,
    "until": lambda until: "" if until is None else f" until {words.moment(until)}",
    "seats": lambda row: ", ".join(f"seat {s.seat} is {f'a bot ({s.level})' if s.level else 'a player'}" for s in row),
    "committed": words.seats,
    "deadline": words.moment,
    "decision": lambda name: name.replace("_", " "),
    "left": words.duration,
    "won": lambda winner: won([] if winner is None else [winner]),
    "whole_match": lambda whole: "match" if whole else "game",
    "ended": ended,
}

_text = words.event_text(TEXTS, IN_WORDS)


def text(event: Any, title: str) -> str:
    """Write an event of a match's life in one English line; `title` is that of the game."""
    return _text(replace(event, game=title) if type(event) is MatchCreated else event)
