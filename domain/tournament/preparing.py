"""Decides how entrants prepare before the first round, in pods: who is in which, and what comes of a pod's match."""

from typing import Any

from domain.core.game import Refused
from domain.tournament.tournament_commands import FinishPod, RepeatPod
from domain.tournament.tournament_events import PlayerUnprepared, PodFinished, PodRepeated
from domain.tournament.tournament_plan import TournamentPlan
from domain.tournament.tournament_state import Tournament
from domain.tournament.tournament_terms import Preparation


def made_pods(order: tuple[int, ...], seats: int) -> tuple[tuple[int, ...], ...]:
    """Cut the order into as few pods as can be, which differ by one entrant at most, the larger ones first."""
    count = -(-len(order) // seats)
    each, more = divmod(len(order), count)
    sizes = [each + (pod < more) for pod in range(count)]
    return tuple(order[sum(sizes[:pod]) : sum(sizes[: pod + 1])] for pod in range(count))


def fault_of_preparation(preparation: Preparation, plan: TournamentPlan) -> str | None:
    """Say why entrants cannot prepare so; None if they can."""
    if not 2 <= preparation.fewest <= preparation.seats:
        return "A pod has two seats at least."
    if plan.format != "swiss" or plan.fill != "bye" or plan.late:
        return "Who prepares plays a Swiss with byes, and without late entries."
    return None


def finish_pod(t: Tournament, command: FinishPod) -> tuple[Any, ...]:
    """End a pod; who has gained nothing there is out. Nothing comes of a match that is not awaited."""
    if not _awaited(t, command):
        return ()
    _check_there(t, command.pod, command.without)
    return (PodFinished(command.pod, command.match, command.head, command.without), *_unprepared(t, command.without))


def repeat_pod(t: Tournament, command: RepeatPod) -> tuple[Any, ...]:
    """Let a pod be played without those who have not come; it is over if nobody has."""
    if not _awaited(t, command):
        return ()
    _check_there(t, command.pod, command.absent)
    pod, absent = command.pod, command.absent
    rest = tuple(one for one in t.pods[pod] if one not in absent)
    if not absent:
        raise Refused("bad_arguments", "All have come.")
    if not rest:
        return (PodFinished(pod, command.match, command.head, absent), *_unprepared(t, absent))
    again = PodRepeated(pod, command.match, command.head, absent, rest, t.pod_attempts[pod] + 1)
    return (again, *_unprepared(t, absent))


def _awaited(t: Tournament, command: FinishPod | RepeatPod) -> bool:
    there = 0 <= command.pod < len(t.pods) and not t.pods_over[command.pod]
    return there and command.attempt == t.pod_attempts[command.pod]


def _check_there(t: Tournament, pod: int, named: tuple[int, ...]) -> None:
    """Raise `Refused` unless these are entrants of a pod, each named once."""
    if len(set(named)) < len(named) or not set(named) <= set(t.pods[pod]):
        raise Refused("bad_arguments", "They are not in this pod.")


def _unprepared(t: Tournament, entrants: tuple[int, ...]) -> tuple[Any, ...]:
    return tuple(PlayerUnprepared(one, t.round) for one in entrants if one not in t.left)
