"""This check looks at the shuffles: seeds were committed to and disclosed in time, and the deals follow from them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from domain.core.game import AnyGame, Lifecycle
from domain.match import Chance
from domain.match.creation import PREPARING
from events.log.codec import canonical
from events.proof.checks.commitments import untimely_nonce
from events.proof.checks.deals import first_wrong
from events.proof.contributions import Contributions, contributions, counts, describe_contributions
from events.proof.disclosed import Disclosed
from events.proof.epochs import fairness
from events.proof.findings import Claims, Fact, Finding, bad, good, seats_of, skip_check, whole_number

DEALT_ELSEWHERE: Final = "phh"
"""The version of the rules that is named by a hand of poker which was taken from its hand history."""


def check_shuffles(
    game: AnyGame | None,
    facts: Sequence[Fact],
    claims: Claims,
    disclosed: Disclosed,
    chance: Chance | None,
    unknown: str,
) -> Finding:
    """Check the commitments and the seeds, and compute again every deal whose seed is known.

    `unknown` says why the game's deals are not known, if `game` is None.
    """
    if disclosed.fault:
        return bad("shuffles", *disclosed.fault)
    if facts and facts[0].data.get("rules") == DEALT_ELSEWHERE:
        return _dealt_elsewhere(game, facts)
    if not disclosed.commitments and facts:
        return bad("shuffles", 1, "No shuffles were committed to.")
    if claims.fairness is not None and canonical(claims.fairness) != canonical(fairness(facts)):
        return bad("shuffles", None, "`fairness` does not follow from the events.")
    if game and (wrong := _untimely(game, facts)):
        return bad("shuffles", *wrong)
    n = len(disclosed.seeds)
    seeds = "1 seed hashes down to its commitment" if n == 1 else f"{n} seeds hash down to their commitments"
    if wrong := untimely_nonce(facts):
        return bad("shuffles", *wrong)
    note = _note(facts)
    if game is None:
        return skip_check("shuffles", f"{unknown} {seeds}, and the deals cannot be recomputed.{note}")
    if seats_of(facts) not in game.setup.seats:
        return bad("shuffles", 1, "The game does not allow this number of seats.")
    if wrong := first_wrong(game, facts, chance or disclosed):
        return bad("shuffles", *wrong)
    if not chance and not disclosed.seeds and any(fact.type == game.lifecycle.hand_starts.__name__ for fact in facts):
        return skip_check("shuffles", f"No seed has been disclosed.{note}", sealed=True)
    return good("shuffles", f"{seeds}, and all deals follow from them.{note}")


def _dealt_elsewhere(game: AnyGame | None, facts: Sequence[Fact]) -> Finding:
    """Check a hand that names hand histories as its rules: only poker has them, and they commit to no shuffles."""
    if game and not game.words.hand_history:
        return bad("shuffles", 1, f"Hands of {game.words.title} cannot come from a hand history.")
    committed = next((fact.seq for fact in facts if fact.type in ("FairnessCommitted", "SeedRevealed")), None)
    if committed is not None:
        return bad("shuffles", committed, "A hand from a hand history has no shuffles by this scheme.")
    return skip_check("shuffles", "The hand was dealt on another server, by shuffles without a commitment.")


_DUE: Final[Mapping[Any, Callable[[Lifecycle], frozenset[str]]]] = {
    "hand_end": lambda game: frozenset([game.hand_starts.__name__, game.game_starts.__name__, "MatchEnded"]),
    "game_end": lambda game: frozenset([game.game_starts.__name__, "MatchEnded"]),
    "match_end": lambda game: frozenset(["MatchEnded"]),
    "never": lambda game: frozenset(),
}
"""The events that may not come before the seeds of all hands begun so far, by the option for disclosure (rules 1.7).
"""


def _told_late(created: Mapping[str, Any]) -> bool:
    """Return whether a match is a table of a duplicate group, or a pod of a tournament."""
    of = created.get("tournament")
    return bool(created.get("deal_group")) or (isinstance(of, dict) and of.get("round") == PREPARING)


def _untimely(game: AnyGame, facts: Sequence[Fact]) -> tuple[int, str] | None:
    """Find the first event before which a seed is missing that public data makes due, or a seed out of turn."""
    options = facts[0].data.get("options") if facts else None
    reveal = options.get("fairness_reveal") if isinstance(options, dict) else None
    reveal = game.setup.reveal if reveal is None else reveal
    if not isinstance(reveal, str) or reveal not in _DUE:
        return None
    if reveal != "never" and _told_late(facts[0].data):
        reveal = "match_end"  # nothing of it is told before others are over
    known = bool(facts[0].data.get("deal_known"))  # its links are those of the match that was played before
    begins, due = game.lifecycle.hand_starts.__name__, _DUE[reveal](game.lifecycle)
    begun: list[tuple[int, int]] = []
    epoch = link = shown = 0
    for fact in facts:
        if len(begun) > shown and fact.type in due:
            return fact.seq, f"The seed of hand {shown + 1} must be disclosed before this."
        if fact.type == "FairnessCommitted":
            epoch, link = epoch + 1, 0
        elif fact.type == begins:
            link += 1
            begun.append((epoch, link))
        elif fact.type == "SeedRevealed":
            named = tuple(whole_number(fact.data.get(name)) for name in ("epoch", "link", "hand_no"))
            if reveal == "never" or shown == len(begun) or named[2] != shown + 1:
                return (
                    fact.seq,
                    "Seeds must be disclosed hand by hand, each after its hand, and only when allowed.",
                )
            if not known and named[:2] != begun[shown]:
                return (
                    fact.seq,
                    "Seeds must be disclosed hand by hand, each after its hand, and only when allowed.",
                )
            shown += 1
    return None


def _note(facts: Sequence[Fact]) -> str:
    """Return what the shuffles of a match do not prove, and who contributed to them."""
    sent = [fact for fact in facts if fact.type == "NonceSubmitted"]
    known = KNOWN if facts and facts[0].data.get("deal_known") else ""
    found = contributions(facts)
    if facts and facts[0].data.get("tournament"):
        return IN_TOURNAMENT + known + describe_contributions(Contributions(found.contributed))
    if found.contributed or any(map(_brings_nonces, facts)):
        return known + describe_contributions(found)
    return (
        (AT_CREATION if sent and all(fact.commit == 1 for fact in sent) else NOBODY)
        + known
        + describe_contributions(found)
    )


KNOWN: Final = " The deals are those of another match: players may have known every card."
"""The note for a match with known deals."""

IN_TOURNAMENT: Final = (
    " The deals follow from the tournament's secret and its entrants' nonces: its record shows who contributed."
)
"""The note for a match at a tournament table."""

AT_CREATION: Final = (
    " All nonces came with the creation: the server knew them before it committed to its seeds, and may have chosen."
)
"""The note if no nonce came after the server's commitment."""

NOBODY: Final = (
    " No seat gave a nonce that counts: this proves that nothing was changed afterwards,"
    " not that the server did not choose."
)


def _brings_nonces(fact: Fact) -> bool:
    """Return whether an event has nonces of other tables, or of another match."""
    known = fact.data.get("deal_known") if fact.type == "MatchCreated" else None
    deals = known.get("deals") if isinstance(known, Mapping) else None
    there = fact.data if fact.type == "DealsShared" else deals if isinstance(deals, Mapping) else {}
    rows = there.get("nonces")
    flat = [x for row in rows for x in (row if isinstance(row, (list, tuple)) else [row])] if rows else []
    return any(map(counts, flat))
