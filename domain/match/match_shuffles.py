"""Shuffles: the server commits to them, the seats add their nonces, and the seeds are disclosed."""

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, Final, Literal

from domain.core import text as words
from domain.core.cards import Seat
from domain.core.clock import Time
from domain.core.event_fields import HandNo
from domain.core.fairness import SCHEME
from domain.core.game import AnyGame
from domain.core.types import Doc
from domain.core.values import put_at, value
from domain.match.match_part import MatchPart
from domain.match.state import Chance, Match, people_in_play
from domain.match.status import (
    all_nonces_sent,
    collects_nonces,
    hashes_complete,
    is_for_its_players,
    link_of_hand,
    nonce_seconds,
    verdict,
)

LINKS: Final = 4096
MOST_LINKS: Final = 65_536

Epoch = Annotated[int, Doc("The number of the epoch, from 1: the hands that share one commitment.")]
Stage = Annotated[Literal["hashes", "nonces"], Doc("Whether hashes of nonces are awaited, or the nonces.")]


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
class NoncesAwaited:
    """The seats may now send hashes, or nonces, until then; None means until all have done so."""

    epoch: Epoch
    stage: Stage
    until: Time | None
    """When they must be there; null: when all have sent them."""
    credited: int = 0
    """The seconds by which the end of this stage has been postponed."""


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
class SeedRevealed:
    epoch: Epoch
    link: int
    """The number of the hand in its epoch, from 1; the seed is hashed this number of times to give the commitment."""
    seed: str
    """The seed of the hand, in hex."""
    hand_no: HandNo
    hand_key: str
    """The key, in hex, from which the keys of all seals of the hand follow."""


@value
class CloseNonces:
    """End the time for nonces."""


@value
class AwaitNonces:
    """Give the seats this many more seconds for nonces after an outage."""

    seconds: int


def next_stage(m: Match, now: Time) -> tuple[Any, ...]:
    """Open the next stage of collecting nonces, if one is due."""
    if not nonce_seconds(m) or not people_in_play(m) or hashes_complete(m):
        return ()
    until = Time(now + 1000 * nonce_seconds(m))
    if m.stage == "":
        return (NoncesAwaited(m.epoch, "hashes" if m.common.nonce_commit else "nonces", until),)
    if m.stage == "hashes_closed" or (m.stage == "hashes" and all_nonces_sent(m)):
        return (NoncesAwaited(m.epoch, "nonces", until),)
    return ()


def put_off_nonces(m: Match, seat: Seat, c: AwaitNonces, now: Time) -> Iterable[Any]:
    """Postpone the end of the stage."""
    until = Time((m.stage_until or now) + 1000 * c.seconds)
    yield NoncesAwaited(m.epoch, _stage(m), until, m.stage_credited + c.seconds)


def _stage(m: Match) -> Literal["hashes", "nonces"]:
    return "hashes" if m.stage == "hashes" else "nonces"


def is_stage_over(m: Match, now: Time) -> bool:
    """Return whether the time for this stage of collecting nonces is over."""
    return m.stage_until is not None and m.stage_until <= now


def disclose_seed(m: Match, chance: Chance) -> tuple[Any, ...]:
    """Disclose the seed of the first undisclosed hand, if it is due."""
    if not m.undisclosed or not _DISCLOSES[m.common.fairness_reveal or m.game.setup.reveal](m):
        return ()
    if is_for_its_players(m) and not m.all_over:
        return ()
    epoch, place, hand_no = m.undisclosed[0]
    seed = chance.seed(epoch, m.links, place)
    return (SeedRevealed(epoch, place, seed, hand_no, chance.hand_key(hand_no).hex()),)


_DISCLOSES: Final[Mapping[str, Callable[[Match], bool]]] = {
    "hand_end": lambda m: not m.hand_open,
    "game_end": lambda m: m.game.outcome(m.table) is not None,
    "match_end": lambda m: verdict(m) is not None,
    "never": lambda m: False,
}


def begin_epoch(m: Match, chance: Chance, now: Time) -> tuple[Any, ...] | None:
    """Begin an epoch when the links have run out, and collect its nonces; None when all is ready for a deal."""
    # The root of a table of a tournament leads to the next one, so its own link, the last, is never disclosed.
    if link_of_hand(m) > m.links - (m.created.tournament is not None):
        return (commit_shuffles(m, chance, m.epoch + 1),)
    if m.epoch == 1 or m.stage == "nonces_closed" or m.shared or m.created.deal_known is not None:
        return None
    if waiting := next_stage(m, now):
        return waiting
    if collects_nonces(m):
        return () if not all_nonces_sent(m) else (NoncesClosed(m.epoch, "nonces"),)
    return None


def commit_shuffles(m: Match, chance: Chance, epoch: int) -> FairnessCommitted:
    """Commit to the shuffles of an epoch."""
    known = m.created.deal_known
    links = m.links or (known.deals.links if known else 0)
    links = links or links_needed(m.game, m.options, len(m.seats), m.created.series.best_of)
    return FairnessCommitted(SCHEME, epoch, links, chance.commitment(epoch, links))


def links_needed(game: AnyGame, options: Any, seats: int, best_of: int) -> int:
    """Return the maximum number of hands that the options allow, or 4,096 (contract 3)."""
    hands = game.setup.most_hands(options, seats)
    return LINKS if hands is None else min(hands * 3 * best_of, MOST_LINKS)


def evolve_shuffles(m: Match, event: Any) -> None:
    """Assign the known shuffle data to the match."""
    match event:
        case FairnessCommitted():
            m.epoch, m.links, m.begun, m.commitment = event.epoch, event.links, 0, event.commitment
            m.nonces = m.hashes = (None,) * len(m.seats)
            m.stage, m.brought_nonce = "", (False,) * len(m.seats)
        case NoncesAwaited():
            m.stage, m.stage_until, m.stage_credited = event.stage, event.until, event.credited
        case NonceCommitted():
            m.hashes = put_at(m.hashes, event.seat, event.hash)
        case NonceSubmitted():
            m.nonces = put_at(m.nonces, event.seat, event.nonce)
            m.brought_nonce = put_at(m.brought_nonce, event.seat, True)
        case NoncesClosed():
            m.collected += ((event.stage, m.players, m.hashes, m.nonces),)
            m.stage, m.stage_until = f"{event.stage}_closed", None
        case SeedRevealed():
            m.undisclosed, m.disclosed = m.undisclosed[1:], (*m.disclosed, event.hand_no)


def read_put_off(m: Match, event: NoncesAwaited) -> tuple[Seat, AwaitNonces] | None:
    """Read by how much the end of the stage was postponed; None if no end was set."""
    if event.until is None or m.stage_until is None:
        return None
    return 0, AwaitNonces((event.until - m.stage_until) // 1000)


SHUFFLES: Final = MatchPart(
    texts={
        FairnessCommitted: "Shuffles committed; verifiable later: {commitment}.",
        NoncesAwaited: "The seats may send {stage}{until}.",
        NonceCommitted: "Seat {seat} commits to a nonce.",
        NonceSubmitted: "Seat {seat} gives the nonce {nonce}.",
        NoncesClosed: "The time for {stage} is over.",
        SeedRevealed: "The shuffle of hand {hand_no} can now be verified: seed {seed}.",
    },
    words={
        "stage": {"hashes": "the hashes of their nonces", "nonces": "their nonces"}.__getitem__,
        "until": lambda until: "" if until is None else f" until {words.moment(until)}",
    },
    evolve=evolve_shuffles,
    decide={
        CloseNonces: lambda m, seat, c, now: (NoncesClosed(m.epoch, _stage(m)),),
        AwaitNonces: put_off_nonces,
    },
    admits={
        "time": {
            CloseNonces: lambda m, seat, c, now: is_stage_over(m, now),
            AwaitNonces: lambda m, seat, c, now: is_stage_over(m, now) and c.seconds > 0,
        }
    },
    read_command={
        NoncesClosed: lambda m, event: (0, CloseNonces()),
        NoncesAwaited: read_put_off,
    },
)
