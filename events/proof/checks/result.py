"""Compares the seats, the status and the result of a match with the claims about them."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from events.log.codec import canonical
from events.proof.findings import Claims, Fact, Finding, bad, good, has_sealed_parts, skip_check

FINISHED: Final = ("played", "resignation", "draw")
_SITTING: Final = ("SeatTaken", "SeatLeft")


def check_result(facts: Sequence[Fact], claims: Claims) -> Finding:
    """Check the claims about a match outside its events, and that nothing follows its end."""
    for name, said in claims.created.items():
        if not facts or canonical(facts[0].data.get(name)) != canonical(said):
            return bad("result", 1, f"The match was created with a different {name}.")
    if claims.created_at is not None and (not facts or claims.created_at != facts[0].at):
        return bad("result", 1, "The stored creation time of the match is different.")
    if claims.seats is not None and (seq := _unseated(claims.seats, sitting(facts))) is not None:
        return bad("result", seq, "The seats do not follow from the events.")
    ends = [fact for fact in facts if fact.type == "MatchEnded"]
    status = _status(facts, ends)
    if claims.status is not None and claims.status != status:
        return bad("result", len(facts) or None, f"The match should be {status}, not {claims.status}.")
    result = ends[0].data.get("result") if ends else None
    if claims.status is not None and canonical(claims.result) != canonical(result):
        return bad(
            "result",
            ends[0].seq if ends else len(facts),
            "The result is not that of the last event.",
        )
    if not ends:
        return good("result", "The match is not over, and has no result.")
    after = facts[facts.index(ends[0]) + 1 :]
    annulled = [fact.type for fact in after] == ["MatchAnnulled"] and after[0].commit == after[0].seq
    if after and not annulled:
        return bad("result", ends[0].seq, "Only MatchAnnulled may follow MatchEnded.")
    if any(map(has_sealed_parts, facts)):
        return skip_check("result", "The result cannot be checked: the play is not disclosed.", sealed=True)
    ruled = ", and was voided" if annulled else ""
    return good("result", f"The match ended: {ends[0].data.get('reason')}{ruled}.")


def sitting(facts: Sequence[Fact]) -> list[dict[str, Any]]:
    """Return the player of each seat, and the event that seated them."""
    plans = facts[0].data.get("seats") if facts else None
    sits = [
        {"seat": s, "kind": plan.get("kind"), "player": None, "level": plan.get("level"), "by": 1}
        for s, plan in enumerate(plans if isinstance(plans, (list, tuple)) else [])
        if isinstance(plan, dict)
    ]
    kinds = [seat["kind"] for seat in sits]
    for fact in facts:
        seat = fact.data.get("seat")
        if fact.type in _SITTING and type(seat) is int and 0 <= seat < len(sits):
            player = fact.data.get("player")
            kind = kinds[seat] if player is None else "player"
            sits[seat] |= {"player": player, "kind": kind, "by": fact.seq}
    return sits


def seats_nowhere(facts: Sequence[Fact], sits: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether a player takes or leaves a seat that the match does not have, among events that stay sealed."""
    named = [fact.data.get("seat") for fact in facts if fact.type in _SITTING]
    return any(type(seat) is not int or not 0 <= seat < len(sits) for seat in named)


def _unseated(said: Sequence[Mapping[str, Any]], sits: Sequence[Mapping[str, Any]]) -> int | None:
    """Return the event that contradicts the claimed players of the seats; None if all agree."""
    if len(said) != len(sits):
        return 1
    for there, seat in zip(said, sits, strict=True):
        if any(seat.get(name) != x for name, x in there.items()):
            by: int = seat["by"]
            return by
    return None


def _status(facts: Sequence[Fact], ends: Sequence[Fact]) -> str:
    if ends:
        reason = ends[0].data.get("reason")
        return "finished" if reason in FINISHED else str(reason)
    return "playing" if any(fact.type == "MatchStarted" for fact in facts) else "lobby"
