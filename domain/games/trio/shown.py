"""Declares what a table of Trio shows."""

from typing import Literal, NotRequired, TypedDict

from domain.core.cards import Seat
from domain.core.shown import TableShown


class PlaceShown(TypedDict):
    """This is a position of the middle."""

    state: Literal["face_down", "face_up", "taken"]
    """How it is."""
    number: int | None
    """The number of the card that lies there, where the reader knows it."""


class SourceShown(TypedDict):
    """This says where a card lies: at an end of a hand, or in the middle."""

    kind: Literal["hand", "middle"]
    """Which of the two."""
    seat: NotRequired[Seat]
    """The seat whose hand it is."""
    end: NotRequired[Literal["lowest", "highest"]]
    """The end of the hand."""
    position: NotRequired[int]
    """The position in the middle, from 0."""


class FaceUpShown(TypedDict):
    """This is a card that lies face up."""

    source: SourceShown
    """Where it lies."""
    number: int | None
    """Its number; null once the reader is not shown it any longer."""


class TrioShownOnTable(TypedDict):
    """This is a trio that was taken."""

    seat: Seat
    """The seat that took it."""
    team: int | None
    """The number of its team; null where each seat plays alone."""
    number: int
    """The number of its cards."""


class SwapShown(TypedDict):
    """This is the last time at which teams could swap cards."""

    open: bool
    """Whether it is still on."""
    reason: Literal["start", "trio"]
    """Why there is a swap."""
    teams: list[int]
    """The teams that may swap."""
    answered: list[Seat]
    """The seats that have answered."""
    made: list[int]
    """The teams that have swapped."""
    offered: int | None
    """The card that the reader has offered."""
    gave: int | None
    """The card that the reader gave."""
    got: int | None
    """The card that the reader got."""


class TrioShown(TableShown):
    """This is the table of a game of Trio."""

    turn_no: int
    """The number of the turn in the match, from 1."""
    turn: Seat | None
    """The seat whose turn it is."""
    first_player: Seat | None
    """The seat that began."""
    hand: list[int]
    """The reader's cards, by their numbers."""
    hands: list[list[int] | None]
    """The hand of each seat; null where the reader may not see it."""
    middle: list[PlaceShown]
    """The positions of the middle."""
    face_up: list[FaceUpShown]
    """The cards that lie face up in this turn."""
    trios: list[TrioShownOnTable]
    """The trios that were taken."""
    teams: list[list[Seat]]
    """The seats of each team; none where each seat plays alone."""
    swap: SwapShown | None
    """The last swap of the teams."""
