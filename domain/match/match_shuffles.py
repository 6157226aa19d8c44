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
from domain.match import status
from domain.match.match_part import MatchPart
from domain.match.state import Chance, Match, people_in_play

LINKS: Final = 4096
MOST_LINKS: Final = 65_536

Epoch = Annotated[int, Doc("The number of the epoch, from 1: the hands that share one commitment.")]
Stage = Annotated[Literal["hashes", "nonces"], Doc("The awaited step: sending hashes of nonces, or nonces.")]


@value
class FairnessCommitted:
    scheme: str
    """The scheme of the shuffles; `ct1` is the only one."""
    epoch: Epoch
    links: int
    """The number of hands that the commitment covers."""
    commitment: str
    """The digest, in hex, that the seeds of these hands hash down to."""


@value
class NoncesAwaited:
    """The seats may send hashes, or nonces, until this time; None means until all have sent them."""

    epoch: Epoch
    stage: Stage
    until: Time | None
    """Deadline for sending them; null if there is none."""
    credited: int = 0
    """The seconds by which this deadline was extended."""


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
    """The nonce: 16 to 64 hex digits."""


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
    """Extend the time for nonces by this many seconds after an outage."""

    seconds: int


def next_stage(m: Match, now: Time) -> tuple[Any, ...]:
    """Open the next stage of collecting nonces, if one is due."""
    shuffles = m.shuffles
    if not status.nonce_seconds(m) or not people_in_play(m) or status.hashes_complete(m):
        return ()
    until = Time(now + 1000 * status.nonce_seconds(m))
    if shuffles.stage == "":
        return (NoncesAwaited(shuffles.epoch, "hashes" if m.common.nonce_commit else "nonces", until),)
    if shuffles.stage == "hashes_closed" or (shuffles.stage == "hashes" and status.all_nonces_sent(m)):
        return (NoncesAwaited(shuffles.epoch, "nonces", until),)
    return ()


def put_off_nonces(m: Match, seat: Seat, c: AwaitNonces, now: Time) -> Iterable[Any]:
    """Postpone the end of the stage."""
    shuffles = m.shuffles
    until = Time((shuffles.stage_until or now) + 1000 * c.seconds)
    yield NoncesAwaited(shuffles.epoch, _stage(m), until, shuffles.stage_credited + c.seconds)


def _stage(m: Match) -> Literal["hashes", "nonces"]:
    return "hashes" if m.shuffles.stage == "hashes" else "nonces"


def is_stage_over(m: Match, now: Time) -> bool:
    """Return whether the time for this stage of collecting nonces is over."""
    return m.shuffles.stage_until is not None and m.shuffles.stage_until <= now


def disclose_seed(m: Match, chance: Chance) -> tuple[Any, ...]:
    """Disclose the seed of the first undisclosed hand, if it is due."""
    shuffles = m.shuffles
    if not shuffles.undisclosed or not _DISCLOSES[m.common.fairness_reveal or m.game.setup.reveal](m):
        return ()
    if status.is_for_its_players(m) and not m.group.all_over:
        return ()
    epoch, place, hand_no = shuffles.undisclosed[0]
    seed = chance.seed(epoch, shuffles.links, place)
    return (SeedRevealed(epoch, place, seed, hand_no, chance.hand_key(hand_no).hex()),)


_DISCLOSES: Final[Mapping[str, Callable[[Match], bool]]] = {
    "hand_end": lambda m: not m.hand_open,
    "game_end": lambda m: m.game.outcome(m.table) is not None,
    "match_end": lambda m: status.verdict(m) is not None,
    "never": lambda m: False,
}


def begin_epoch(m: Match, chance: Chance, now: Time) -> tuple[Any, ...] | None:
    """Begin an epoch when the links have run out, and collect its nonces; None when all is ready for a deal."""
    # The root at a tournament table leads to the next root, so its own link, the last, is never disclosed.
    shuffles = m.shuffles
    if status.link_of_hand(m) > shuffles.links - (m.created.tournament is not None):
        return (commit_shuffles(m, chance, shuffles.epoch + 1),)
    if shuffles.epoch == 1 or shuffles.stage == "nonces_closed" or m.group.shared or m.created.deal_known is not None:
        return None
    if waiting := next_stage(m, now):
        return waiting
    if status.collects_nonces(m):
        return () if not status.all_nonces_sent(m) else (NoncesClosed(shuffles.epoch, "nonces"),)
    return None


def commit_shuffles(m: Match, chance: Chance, epoch: int) -> FairnessCommitted:
    """Commit to the shuffles of an epoch."""
    known = m.created.deal_known
    links = m.shuffles.links or (known.deals.links if known else 0)
    links = links or links_needed(m.game, m.options, len(m.seats), m.created.series.best_of)
    return FairnessCommitted(SCHEME, epoch, links, chance.commitment(epoch, links))


def links_needed(game: AnyGame, options: Any, seats: int, best_of: int) -> int:
    """Return the maximum number of hands that the options allow, or 4,096 (contract 3)."""
    hands = game.setup.most_hands(options, seats)
    return LINKS if hands is None else min(hands * 3 * best_of, MOST_LINKS)


def evolve_shuffles(m: Match, event: Any) -> None:
    """Assign commitments, nonces and disclosed seeds to the match."""
    shuffles = m.shuffles
    match event:
        case FairnessCommitted():
            shuffles.epoch = event.epoch
            shuffles.links = event.links
            shuffles.begun = 0
            shuffles.commitment = event.commitment
            shuffles.nonces = shuffles.hashes = (None,) * len(m.seats)
            shuffles.stage, shuffles.brought_nonce = "", (False,) * len(m.seats)
        case NoncesAwaited():
            shuffles.stage = event.stage
            shuffles.stage_until = event.until
            shuffles.stage_credited = event.credited
        case NonceCommitted():
            shuffles.hashes = put_at(shuffles.hashes, event.seat, event.hash)
        case NonceSubmitted():
            shuffles.nonces = put_at(shuffles.nonces, event.seat, event.nonce)
            shuffles.brought_nonce = put_at(shuffles.brought_nonce, event.seat, True)
        case NoncesClosed():
            shuffles.collected += ((event.stage, m.players, shuffles.hashes, shuffles.nonces),)
            shuffles.stage, shuffles.stage_until = f"{event.stage}_closed", None
        case SeedRevealed():
            shuffles.undisclosed = shuffles.undisclosed[1:]
            shuffles.disclosed = (*shuffles.disclosed, event.hand_no)


def read_put_off(m: Match, event: NoncesAwaited) -> tuple[Seat, AwaitNonces] | None:
    """Return the command that postponed the end of a stage; None if the stage has no end."""
    if event.until is None or m.shuffles.stage_until is None:
        return None
    return 0, AwaitNonces((event.until - m.shuffles.stage_until) // 1000)


SHUFFLES: Final = MatchPart(
    texts={
        FairnessCommitted: "Shuffles committed; verifiable later: {commitment}.",
        NoncesAwaited: "The seats could send {stage}{until}.",
        NonceCommitted: "Seat {seat} committed to a nonce.",
        NonceSubmitted: "Seat {seat} sent the nonce {nonce}.",
        NoncesClosed: "The time to send {stage} ended.",
        SeedRevealed: "The shuffle of hand {hand_no} was revealed: seed {seed}.",
    },
    words={
        "stage": {"hashes": "the hashes of their nonces", "nonces": "their nonces"}.__getitem__,
        "until": lambda until: "" if until is None else f" until {words.moment(until)}",
    },
    outside_play=frozenset(
        {FairnessCommitted, NoncesAwaited, NonceCommitted, NonceSubmitted, NoncesClosed, SeedRevealed}
    ),
    ends_undo=frozenset({SeedRevealed}),
    evolve=evolve_shuffles,
    decide={
        CloseNonces: lambda m, seat, c, now: (NoncesClosed(m.shuffles.epoch, _stage(m)),),
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
