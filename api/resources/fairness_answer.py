"""Presents how the shuffles of a match are proved, with the warnings for new players."""

from collections.abc import Sequence
from typing import Annotated, Final, get_args

from api.http.openapi_operations import Answer, Timestamp, one_of, says
from api.http.responses import time_or_none
from api.resources.seat_answer import reliability
from domain import match as life
from domain.core.fairness import SCHEME
from domain.games.catalogue import GAMES
from domain.match.creation import Reveal
from events.proof.checks.shuffles import DEALT_ELSEWHERE


class FairnessAnswer(Answer):
    scheme: Annotated[str, one_of((SCHEME,)), says("The scheme of the shuffles.")]
    epoch: Annotated[int, says("The number of the epoch, from 1: the hands that share one commitment.")]
    links: Annotated[int, says("Hands that the commitment covers.")]
    commitment: Annotated[
        str,
        says(
            "Empty for a hand of poker that was imported as a hand history, because another server dealt it.",
            pattern="^([0-9a-f]{64})?$",
        ),
    ]
    revealed: Annotated[int, says("Hands that are disclosed.")]
    contributed: Annotated[Sequence[int], says("Seats that gave a nonce.")]
    awaits: Annotated[
        Annotated[str, one_of(("hashes", "nonces"))] | None,
        says("The next step of the seats: sending hashes or nonces."),
    ]
    awaits_until: Annotated[
        Timestamp | None, says("Deadline for sending it; null if there is none, or nothing is awaited.")
    ]
    reveal: Annotated[str, one_of(get_args(Reveal)), says("When the seeds of the shuffles are disclosed.")]
    provable: Annotated[bool, says("False if nothing is ever disclosed, so the shuffles cannot be checked.")]
    creator_aborted: Annotated[
        int | None,
        says("In a lobby with `nonce_commit`: matches that its creator cancelled after commitments."),
    ]
    note: Annotated[str | None, says("A warning to read before you sit down.")]


def fairness_answer(m: life.Match) -> FairnessAnswer:
    """Return how the shuffles of a match are proved."""
    reveal = m.common.fairness_reveal or m.game.setup.reveal
    elsewhere = m.created.rules == DEALT_ELSEWHERE
    return FairnessAnswer(
        scheme=SCHEME,
        epoch=m.shuffles.epoch,
        links=m.shuffles.links,
        commitment=m.shuffles.commitment,
        revealed=len(m.shuffles.disclosed),
        contributed=m.contributed,
        awaits=m.shuffles.stage if life.collects_nonces(m) else None,
        awaits_until=time_or_none(m.shuffles.stage_until),
        reveal=reveal,
        provable=reveal != "never" and not elsewhere,
        creator_aborted=_creator_aborted(m),
        note=_note(m, reveal),
    )


def _creator_aborted(m: life.Match) -> int | None:
    if m.status != "lobby" or not m.common.nonce_commit or m.created.creator is None:
        return None
    return reliability([m.created.creator])[m.created.creator].aborted_after_commitments


def _note(m: life.Match, reveal: str) -> str | None:
    if m.game.name not in GAMES:
        return UNCHECKED
    if m.created.rules == DEALT_ELSEWHERE:
        return DEALT_THERE
    notes = [
        KNOWN_DEALS if m.created.deal_known else None,
        OPEN_TABLES if m.created.deal_group and anybody_may_sit(m) else None,
        ABORTED if m.aborted else None,
        disclosure_notes(m.game.words.unseen, reveal),
    ]
    return " ".join(note for note in notes if note) or None


def anybody_may_sit(m: life.Match) -> bool:
    """Return whether a seat is open to any player, apart from those that the creator has taken."""
    seats = zip(m.created.seats, m.players, strict=True)
    return any(plan.kind == "open" and player != m.created.creator for plan, player in seats)


def disclosure_notes(unseen: str, reveal: str) -> str | None:
    """Return the warning for new players: what is disclosed, or the consequence if nothing is."""
    if reveal == "never":
        return UNPROVABLE + (f" In return, {unseen} stay hidden permanently." if unseen else "")
    if not unseen:
        return None
    return (
        f"The shuffles are disclosed {DISCLOSED[reveal]}. Then everyone can see all cards, including {unseen}."
        " With `never`, they would stay hidden, but no one could check how the cards were shuffled."
    )


DISCLOSED: Final = {
    "hand_end": "after each hand",
    "game_end": "after each game",
    "match_end": "when the match is over",
}


DEALT_THERE: Final = "The hand was dealt on another server, so its shuffle cannot be checked here."
KNOWN_DEALS: Final = (
    "Another match has the same deals, so a player may know every card. The record proves how the cards were dealt,"
    " not that they were unknown."
)
OPEN_TABLES: Final = (
    "Anyone can take an open seat at these tables, and players at one table can reveal the deals to those at another."
    " With `invite` seats, only invited players take part."
)
ABORTED: Final = "The match was aborted after commitments: seats had committed to nonces when its creator cancelled it."
UNCHECKED: Final = "The game is not installed here: its deals cannot be computed again."
UNPROVABLE: Final = "The seeds of this match are never disclosed, so no one can check how its cards were shuffled."
