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
        Timestamp | None, says("Until when they may send it; null: until all have, or nothing is awaited.")
    ]
    reveal: Annotated[str, one_of(get_args(Reveal)), says("When the seeds of the shuffles are disclosed.")]
    provable: Annotated[bool, says("False: nothing is ever disclosed, and the shuffles can never be checked.")]
    creator_aborted: Annotated[
        int | None,
        says("In a lobby with `nonce_commit`: how many matches its creator has cancelled after commitments."),
    ]
    note: Annotated[str | None, says("A warning to read before you sit down.")]


def fairness_answer(m: life.Match) -> FairnessAnswer:
    """Return how the shuffles of a match are proved."""
    reveal = m.common.fairness_reveal or m.game.setup.reveal
    elsewhere = m.created.rules == DEALT_ELSEWHERE
    return FairnessAnswer(
        scheme=SCHEME,
        epoch=m.epoch,
        links=m.links,
        commitment=m.commitment,
        revealed=len(m.disclosed),
        contributed=m.contributed,
        awaits=m.stage if life.collects_nonces(m) else None,
        awaits_until=time_or_none(m.stage_until),
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
        return UNPROVABLE + (f" In return, {unseen} stay hidden for good." if unseen else "")
    if not unseen:
        return None
    return (
        f"Once the shuffles are disclosed, {DISCLOSED[reveal]}, everybody can see all cards, {unseen} too."
        " With never they would stay hidden, but nobody could check how the cards were shuffled."
    )


DISCLOSED: Final = {
    "hand_end": "after each hand",
    "game_end": "after each game",
    "match_end": "when the match is over",
}


DEALT_THERE: Final = "The hand was dealt on another server, so its shuffle cannot be checked here."
KNOWN_DEALS: Final = (
    "The deals of this match are those of another: somebody may know every card. What is proved is how they were"
    " dealt, not that nobody knew them."
)
OPEN_TABLES: Final = (
    "Anybody may take an open seat of these tables, and who sits at one may tell another what is dealt. With seats by"
    " `invite` only those play who were invited."
)
ABORTED: Final = "The match was aborted after commitments: seats had committed to nonces when its creator cancelled it."
UNCHECKED: Final = "The game is not installed here: its deals cannot be computed again."
UNPROVABLE: Final = (
    "The seeds of this match are never disclosed: nobody will be able to check how its cards were shuffled."
)
