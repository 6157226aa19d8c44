"""Reads the data of the shuffles from events: commitments, nonces, and disclosed seeds."""

from collections.abc import Sequence
from typing import Any, Final

from domain.core.fairness import SCHEME
from events.proof.findings import Fact, seats_of, whole_number

_ABOUT_SHUFFLES: Final = frozenset(
    [
        "MatchCreated",
        "FairnessCommitted",
        "NonceSubmitted",
        "SeatLeft",
        "SeedRevealed",
    ]
)


def tells_fairness(kind: str) -> bool:
    """Return whether `fairness` depends on events of this type."""
    return kind in _ABOUT_SHUFFLES


def fairness(facts: Sequence[Fact]) -> dict[str, Any]:
    """Return the data of the shuffles in the events, by epoch."""
    epochs: list[dict[str, Any]] = []
    seats = seats_of(facts)
    for fact in facts:
        data = fact.data
        if fact.type == "FairnessCommitted":
            epochs.append(
                {
                    "epoch": data.get("epoch"),
                    "links": data.get("links"),
                    "commitment": data.get("commitment"),
                    "nonces": [""] * seats,
                    "revealed": [],
                }
            )
        elif fact.type in ("NonceSubmitted", "SeatLeft") and epochs and data.get("seat") in range(seats):
            epochs[-1]["nonces"][data["seat"]] = data.get("nonce", "")
        elif fact.type == "SeedRevealed" and epochs:
            revealed = {name: data.get(name) for name in ("link", "hand_no", "seed")}
            epochs[min(max(whole_number(data.get("epoch")), 1), len(epochs)) - 1]["revealed"].append(revealed)
    return {"scheme": SCHEME, "epochs": epochs, "contributed": seats_with_nonces(facts)}


def seats_with_nonces(facts: Sequence[Fact]) -> list[int]:
    """Return the seats that sent a nonce for the last epoch."""
    seats: set[int] = set()
    for fact in facts:
        match fact.type:
            case "FairnessCommitted":
                seats = set()
            case "NonceSubmitted":
                seats |= {whole_number(fact.data.get("seat"))}
            case "SeatLeft":
                seats -= {whole_number(fact.data.get("seat"))}
    return sorted(seats)
