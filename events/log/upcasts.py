"""This module lifts stored data, step by step, to the schema version that the code knows.

An event's schema version is 1 unless `VERSIONS` says more. A step for (type, v) takes the data and the secret parts
as version v stored them and gives them as version v + 1. Steps run before a fold and nowhere else: what is served and
hashed is what was written (contract 6).
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import to_builtins

from domain.core.clock import Clock

Stored = tuple[dict[str, Any], dict[str, dict[str, Any]]]
"""The data of a stored event: the public part, and the secret parts by field and reader."""

VERSIONS: Mapping[str, int] = {
    "MatchCreated": 3,
    "StacksArrived": 2,
    "SeatTaken": 2,
    "DecisionRequested": 2,
    "BankSpent": 2,
    "NoncesAwaited": 2,
    "DecisionTimedOut": 2,
    "MoveTakenBack": 2,
    "GameWon": 2,
    "TurnStarted": 2,
    "TriggersNoted": 2,
    "AbilityTriggered": 2,
    "SpellResolved": 2,
    "CombatDamageDealt": 2,
    "PumpApplied": 2,
    "TournamentAnnounced": 2,
    "DrawsCommitted": 2,
    "TableFinished": 2,
    "TableDrawn": 2,
    "TableAdjudicated": 2,
    "PlayerEntered": 2,
    "PlayerWaits": 2,
    "PlayerEnteredLate": 2,
}


def _with(data: Mapping[str, Any], **added: Any) -> dict[str, Any]:
    """Give data with the fields that a version has added. `ValueError` if one is there: no server has written it."""
    if there := data.keys() & added.keys():
        raise ValueError(f"there was no field {min(there)} yet")
    return {**data, **added}


def _with_clock(data: Mapping[str, Any]) -> dict[str, Any]:
    """Give the data of a match's creation with the fields that clocks did not have; raises as `_with` does."""
    added = {name: x for name, x in to_builtins(Clock()).items() if name not in FIRST_CLOCK}
    return {**data, "clock": _with(data["clock"], **added)}


def _undrawn(data: Mapping[str, Any]) -> dict[str, Any]:
    """Give the data of the beginning of a turn whose draw is an event of its own; raises as `_with` does."""
    begun = _with(data, faded=[], draws=0, card=None, then=None)
    del begun["card"]
    return begun


def _about_nothing(data: Mapping[str, Any]) -> dict[str, Any]:
    """Give the data of abilities that have triggered, which did not say by what; raises as `_with` does."""
    if type(data["triggers"]) is not list:
        raise ValueError("the triggers are a list")
    return {**data, "triggers": [_with(row, about=None) for row in data["triggers"]]}


def _by_hands(data: Mapping[str, Any]) -> dict[str, Any]:
    """Give the data of stacks that arrived where no clock said what is paid; raises as `_with` does."""
    _with(data["stakes"], timed_from=None)
    return dict(data)  # as today's version has them, which leaves out a time where there is none


FIRST_CLOCK = ("per_decision_seconds", "bank_seconds", "on_expiry", "max_defaults")
"""The fields of a clock in version 1 of `MatchCreated`."""

ENTERED = ("PlayerEntered", "PlayerWaits", "PlayerEnteredLate")
"""The events by which somebody comes to a tournament."""

PLAYED = ("TableFinished", "TableDrawn", "TableAdjudicated")
"""The events by which the match of a table of a tournament has ended that has begun."""

STEPS: Mapping[tuple[str, int], Callable[[Stored], Stored]] = {
    ("MatchCreated", 1): lambda stored: (_with(_with_clock(stored[0]), deal_group=None, deal_known=None), stored[1]),
    ("MatchCreated", 2): lambda stored: (_with(stored[0], tournament=None), stored[1]),
    ("StacksArrived", 1): lambda stored: (_by_hands(stored[0]), stored[1]),
    ("SeatTaken", 1): lambda stored: (_with(stored[0], player_key=None), stored[1]),
    ("DecisionRequested", 1): lambda stored: (_with(stored[0], opened=stored[0]["deadline"]), stored[1]),
    ("BankSpent", 1): lambda stored: (_with(stored[0], moves=0), stored[1]),
    ("NoncesAwaited", 1): lambda stored: (_with(stored[0], credited=0), stored[1]),
    ("DecisionTimedOut", 1): lambda stored: (_with(stored[0], defaults=0), stored[1]),
    ("MoveTakenBack", 1): lambda stored: (_with(stored[0], deadlines=[]), stored[1]),
    ("GameWon", 1): lambda stored: (_with(stored[0], scores=[]), stored[1]),
    ("TurnStarted", 1): lambda stored: (_undrawn(stored[0]), stored[1]),
    ("TriggersNoted", 1): lambda stored: (_about_nothing(stored[0]), stored[1]),
    ("AbilityTriggered", 1): lambda stored: (_with(stored[0], about=None), stored[1]),
    ("SpellResolved", 1): lambda stored: (_with(stored[0], then=None), stored[1]),
    ("CombatDamageDealt", 1): lambda stored: (_with(stored[0], life=None, then=None), stored[1]),
    **{(kind, 1): lambda stored: (_with(stored[0], reliability=None), stored[1]) for kind in ENTERED},
    **{(kind, 1): lambda stored: (_with(stored[0], absent=[]), stored[1]) for kind in PLAYED},
    ("TournamentAnnounced", 1): lambda stored: (_with(stored[0], rules=1), stored[1]),
    ("DrawsCommitted", 1): lambda stored: (_with(stored[0], deals=None), stored[1]),
    ("PumpApplied", 1): lambda stored: (_with(stored[0], until_turn_of=None), stored[1]),
}


def version(kind: str) -> int:
    """Give the schema version that events of this type are written with."""
    return VERSIONS.get(kind, 1)


def lift(kind: str, v: int, stored: Stored) -> Stored:
    """Give the data as today's version has it.

    Raises `LookupError` for a version that the code does not know, `ValueError` for fields that a version did not have.
    """
    while v < version(kind):
        stored, v = STEPS[kind, v](stored), v + 1
    if v > version(kind):
        raise LookupError(f"{kind} has schema version {v}; this server knows it up to {version(kind)}")
    return stored
