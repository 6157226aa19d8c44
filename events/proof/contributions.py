"""Lists the contributors to the shuffles of a match's last epoch, or to the draws of a tournament."""

from collections.abc import Sequence
from typing import Any

from domain.core.fairness import NONCE, is_guessable
from domain.core.values import value
from events.proof.findings import Fact, seats_of


@value
class Contributions:
    """The players' seats, or the entrants of a tournament, each in one of three lists.

    Only `contributed` has any before the nonces are closed.

    `contributed` gave a nonce that counts. `unopened` committed to a nonce that the record does not open. For the
    `unvouched` seats, the record has no contribution: their player gave no nonce that counts, or the server left it
    out.
    """

    contributed: tuple[int, ...] = ()
    unopened: tuple[int, ...] = ()
    unvouched: tuple[int, ...] = ()


def contributions(facts: Sequence[Fact]) -> Contributions:
    """Return the contributions of the seats to the last epoch.

    A nonce counts for the player who sent it first in that epoch, and only if the server was bound before.
    """
    seats = seats_of(facts)
    players: dict[int, Any] = {}
    promised: set[int] = set()
    nonces: dict[int, bool] = {}
    first: dict[str, tuple[int, str] | None] = {}
    bound, started, awaited = 0, False, False
    for fact in facts:
        seat: Any = fact.data.get("seat")
        is_seat = type(seat) is int and 0 <= seat < seats
        match fact.type:
            case "FairnessCommitted":
                bound, promised, nonces, awaited = fact.commit, set(), {}, False
            case "NoncesAwaited" | "NoncesClosed":
                awaited = fact.type == "NoncesAwaited"
            case "MatchStarted" | "MatchEnded":
                started, awaited = True, False
            case "SeatTaken" if is_seat:
                players[seat] = fact.data.get("player")
            case "SeatLeft" if is_seat:
                players.pop(seat, None)
                promised.discard(seat)
                nonces.pop(seat, None)
            case "NonceCommitted" if is_seat:
                promised.add(seat)
            case "NonceSubmitted" if is_seat:
                nonce, player = str(fact.data.get("nonce")), players.get(seat)
                giver = (bound, player) if fact.commit != bound and isinstance(player, str) else None
                nonces[seat] = first.setdefault(nonce, giver) == giver is not None and counts(nonce)
    contributed = tuple(seat for seat in sorted(players) if nonces.get(seat))
    if awaited or not started:
        return Contributions(contributed)
    unopened = tuple(seat for seat in sorted(players) if seat in promised and seat not in nonces)
    return Contributions(contributed, unopened, tuple(sorted(players.keys() - {*contributed, *unopened})))


def contributions_of_entrants(facts: Sequence[Fact]) -> Contributions:
    """Return the entrants' contributions to a tournament's draws and deals, by number.

    The server is bound before anyone enters. A nonce counts for the player who gave it first.
    """
    first: dict[str, Any] = {}
    count: dict[int, bool] = {}
    for fact in facts:
        if fact.type in ("PlayerEntered", "PlayerWaits", "PlayerMovedUp"):
            nonce, player, entrant = str(fact.data.get("nonce")), fact.data.get("player"), fact.data.get("entrant")
            is_first = first.setdefault(nonce, player) == player
            if type(entrant) is int:
                count[entrant] = is_first and counts(nonce)
    contributed = tuple(sorted(entrant for entrant, does in count.items() if does))
    return Contributions(contributed, (), tuple(sorted(count.keys() - {*contributed})))


def counts(nonce: Any) -> bool:
    """Return whether a nonce in a record is not guessable."""
    return isinstance(nonce, str) and NONCE.fullmatch(nonce) is not None and not is_guessable(nonce)


def describe_contributions(found: Contributions, who: str = "Seat") -> str:
    """Return the contributions of seats or entrants in words; they blame no one for a missing nonce."""
    said = [
        (found.contributed, "{} contributed a nonce."),
        (
            found.unopened,
            "{} committed to a nonce that was not sent, or that the server left out.",
        ),
        (found.unvouched, "{} sent no nonce that counts, or the server left it out."),
    ]
    return "".join(" " + words.format(_name_seats(who, numbers)) for numbers, words in said if numbers)


def _name_seats(who: str, numbers: Sequence[int]) -> str:
    *others, last = map(str, numbers)
    return f"{who}s {', '.join(others)} and {last} each" if others else f"{who} {last}"
