"""Pods, in which entrants prepare before the first round, and the consequences of a pod's match."""

from typing import Annotated, Any, Final

from domain.core.game import Refused
from domain.core.types import Doc
from domain.core.values import put_at, value
from domain.tournament.format import TournamentPart
from domain.tournament.tournament_plan import Preparation
from domain.tournament.tournament_state import EntrantNo, Tournament


@value
class PreparationAnnounced:
    """Entrants prepare before the first round, and bring their gains to all tables."""

    preparation: Preparation
    """The game of the preparation, and the pods."""


@value
class PodsMade:
    """Entrants begin to prepare, pod by pod."""

    pods: tuple[tuple[int, ...], ...]
    """The entrants of each pod, in the order of the shuffle `seating`."""


@value
class PodFinished:
    """The match of a pod is over. It is disclosed when the tournament is over too."""

    pod: Annotated[int, Doc("The number of the pod, from 0.")]
    match: str
    """The id of the match."""
    head: str
    """The digest of its last event so far, which covers all earlier ones."""
    without: tuple[int, ...]
    """The entrants without gains."""


@value
class PodRepeated:
    """The match of a pod did not begin because of no-shows; it is played without these entrants."""

    pod: Annotated[int, Doc("The number of the pod, from 0.")]
    match: str
    """The id of the match that did not start."""
    head: str
    """The digest of its last event, which covers all of it."""
    absent: tuple[int, ...]
    """The entrants who did not show up."""
    entrants: tuple[int, ...]
    """The remaining entrants of the pod."""
    attempt: int
    """The number of the next match in this pod, from 1."""


@value
class PlayerUnprepared:
    """An entrant gained nothing in the preparation, and is not paired."""

    entrant: EntrantNo
    after: int
    """The number of paired rounds, which is 0."""


@value
class FinishPod:
    """Record that the match of a pod is over, and which of its entrants have gained nothing."""

    pod: int
    attempt: int
    match: str
    head: str
    without: tuple[int, ...]


@value
class RepeatPod:
    """Record that the match of a pod did not begin, because these entrants did not take their seats."""

    pod: int
    attempt: int
    match: str
    head: str
    absent: tuple[int, ...]


def make_pods(order: tuple[int, ...], seats: int) -> tuple[tuple[int, ...], ...]:
    """Divide the order into as few pods as possible, which differ by at most one entrant, the larger ones first."""
    count = -(-len(order) // seats)
    each, more = divmod(len(order), count)
    sizes = [each + (pod < more) for pod in range(count)]
    return tuple(order[sum(sizes[:pod]) : sum(sizes[: pod + 1])] for pod in range(count))


def finish_pod(t: Tournament, command: FinishPod) -> tuple[Any, ...]:
    """End a pod; entrants who gained nothing are out. Ignore a match that the pod does not wait for."""
    if not _is_awaited(t, command):
        return ()
    _check_in_pod(t, command.pod, command.without)
    return (PodFinished(command.pod, command.match, command.head, command.without), *_unprepared(t, command.without))


def repeat_pod(t: Tournament, command: RepeatPod) -> tuple[Any, ...]:
    """Play a pod without the absent entrants; it is over if no one showed up."""
    if not _is_awaited(t, command):
        return ()
    _check_in_pod(t, command.pod, command.absent)
    pod, absent = command.pod, command.absent
    rest = tuple(one for one in t.pods[pod] if one not in absent)
    if not absent:
        raise Refused("bad_arguments", "All entrants have shown up.")
    if not rest:
        return (PodFinished(pod, command.match, command.head, absent), *_unprepared(t, absent))
    again = PodRepeated(pod, command.match, command.head, absent, rest, t.pod_attempts[pod] + 1)
    return (again, *_unprepared(t, absent))


def _is_awaited(t: Tournament, command: FinishPod | RepeatPod) -> bool:
    there = 0 <= command.pod < len(t.pods) and not t.pods_over[command.pod]
    return there and command.attempt == t.pod_attempts[command.pod]


def _check_in_pod(t: Tournament, pod: int, named: tuple[int, ...]) -> None:
    """Raise `Refused` unless these are entrants of a pod, each named once."""
    if len(set(named)) < len(named) or not set(named) <= set(t.pods[pod]):
        raise Refused("bad_arguments", "These entrants are not in this pod.")


def _unprepared(t: Tournament, entrants: tuple[int, ...]) -> tuple[Any, ...]:
    return tuple(PlayerUnprepared(one, t.round) for one in entrants if one not in t.left)


def evolve_pods(t: Tournament, event: Any) -> None:
    """Assign the pods and their results to the tournament."""
    match event:
        case PlayerUnprepared():
            t.left = {**t.left, event.entrant: event.after}
        case PreparationAnnounced():
            t.preparation = event.preparation
        case PodsMade():
            t.pods, t.pods_over = event.pods, (False,) * len(event.pods)
            t.pod_attempts = (0,) * len(event.pods)
        case PodFinished():
            t.pods_over = put_at(t.pods_over, event.pod, True)
            t.pod_matches = {**t.pod_matches, event.pod: event.match}
        case PodRepeated():
            t.pods = put_at(t.pods, event.pod, event.entrants)
            t.pod_attempts = put_at(t.pod_attempts, event.pod, event.attempt)


PODS: Final = TournamentPart(
    events=(PreparationAnnounced, PodsMade, PodFinished, PodRepeated, PlayerUnprepared),
    evolve=evolve_pods,
    decisions={
        FinishPod: lambda t, command, by, chance: finish_pod(t, command),
        RepeatPod: lambda t, command, by, chance: repeat_pod(t, command),
    },
    causes={
        PodFinished: lambda t, e: FinishPod(e.pod, t.pod_attempts[e.pod], e.match, e.head, e.without),
        PodRepeated: lambda t, e: RepeatPod(e.pod, t.pod_attempts[e.pod], e.match, e.head, e.absent),
    },
)
