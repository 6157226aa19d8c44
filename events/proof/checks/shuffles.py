"""Checks the shuffles: seeds were committed to and disclosed in time, and the deals follow from them.

Nonces that were promised by hashes are opened once all hashes are closed. Deals are computed again and compared with
the events (docs/proof.md, "Deals").
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeGuard

from domain.core.choices import Ask
from domain.core.dealing import Dealing, EventCheck, WrongDeal, length, whole
from domain.core.fairness import NONCE, nonce_hash
from domain.core.game import AnyGame, Lifecycle
from domain.core.game_guard import GameFailed
from domain.match import Chance
from domain.match.creation import PREPARING
from events.log.codec import canonical
from events.proof.contributions import Contributions, contributions, counts, describe_contributions
from events.proof.disclosed import Disclosed
from events.proof.epochs import fairness
from events.proof.findings import Claims, Fact, Finding, bad, good, seats_of, skip_check, whole_number


def first_wrong(game: AnyGame, facts: Sequence[Fact], chance: Chance) -> tuple[int, str] | None:
    """Recompute every deal whose seed `chance` knows; return the first wrong event, and the reason."""
    created = facts[0].data
    options, seats = created.get("options"), length(created.get("seats"))
    draws = _Draws(chance, seats)
    dealing = Dealing(seats, options if isinstance(options, dict) else {}, draws.answer)
    _remember_anew(game, dealing)
    sees = _sees(game)
    for fact in facts:
        try:
            draws.see(fact)
            for see in sees.get(fact.type, ()):
                see(dealing, fact)
        except WrongDeal as wrong:
            return fact.seq, str(wrong)
        except GameFailed as failed:
            return fact.seq, f"The deal cannot be recomputed because the game has failed: {failed}."
        except (LookupError, TypeError, ValueError, AttributeError):  # a forged event lacks a field
            return fact.seq, "The event lacks a required field of its type."
    return None


def _sees(game: AnyGame) -> Mapping[str, list[EventCheck]]:
    """Return the function for each type of event: those of all games, then those of this one."""
    sees: dict[str, list[EventCheck]] = {
        "FairnessCommitted": [_epoch_begins],
        "MoveTakenBack": [_taken_back(game)],
        game.lifecycle.game_starts.__name__: [_game_begins(game)],
        game.lifecycle.hand_starts.__name__: [_hand_begins(game)],
    }
    for kind, see in game.deal.sees.items():
        sees.setdefault(kind.__name__, []).append(see)
    return sees


def _remember_anew(game: AnyGame, dealing: Dealing) -> None:
    dealing.cuts = []
    dealing.known = game.deal.fresh() if game.deal.fresh else None


def _epoch_begins(dealing: Dealing, fact: Any) -> None:
    dealing.hands = 0


def _game_begins(game: AnyGame) -> EventCheck:
    return lambda dealing, fact: _remember_anew(game, dealing)


def _hand_begins(game: AnyGame) -> EventCheck:
    def see(dealing: Dealing, fact: Any) -> None:
        dealing.hands, dealing.started = dealing.hands + 1, fact.data
        _remember_anew(game, dealing)

    return see


def _taken_back(game: AnyGame) -> EventCheck:
    return lambda dealing, fact: game.deal.taken_back(dealing) if game.deal.taken_back else None


class _Draws:
    """The current epoch, its nonces, and the answers of chance in it."""

    def __init__(self, chance: Chance, seats: int) -> None:
        self._chance = chance
        self._epoch = self._links = 0
        self._nonces = [""] * seats
        self._shared: list[str] = []  # those of all tables of a group

    def see(self, fact: Fact) -> None:
        data = fact.data
        if fact.type == "FairnessCommitted":
            self._epoch, self._links = data["epoch"], data["links"]
            self._nonces = [""] * len(self._nonces)
        elif fact.type == "DealsShared":
            self._shared = _of_all_tables(data.get("nonces"), self._nonces)
        elif fact.type in ("NonceSubmitted", "SeatLeft"):
            nonce = data.get("nonce") if fact.type == "NonceSubmitted" else ""
            if not whole(data.get("seat"), len(self._nonces)):
                raise WrongDeal("There is no such seat.")
            if not isinstance(nonce, str) or not _nonce(nonce, fact.type):
                raise WrongDeal("A nonce is 16 to 64 hexadecimal digits.")
            self._nonces[data["seat"]] = nonce

    def answer(self, ask: Ask, link: int) -> Any:
        try:
            return self._chance.answer(ask, self._epoch, self._links, link, tuple(self._shared or self._nonces))
        except LookupError:
            return None


def _of_all_tables(rows: Any, own: list[str]) -> list[str]:
    """Return the nonces of a group of tables, one after the other; those that this one has are among them."""
    if not isinstance(rows, list) or not all(length(row) == len(own) for row in rows) or own not in rows:
        raise WrongDeal("The nonces of a group must be those of all its tables, including this one.")
    nonces = [nonce for row in rows for nonce in row]
    if not all(isinstance(nonce, str) and _nonce(nonce, "" if nonce else "SeatLeft") for nonce in nonces):
        raise WrongDeal("A nonce is 16 to 64 hexadecimal digits.")
    return nonces


def _nonce(nonce: str, kind: str) -> bool:
    return kind == "SeatLeft" or NONCE.fullmatch(nonce) is not None


def untimely_nonce(facts: Sequence[Fact]) -> tuple[int, str] | None:
    """Return the first event with an early or a wrong nonce, and the fault."""
    options = facts[0].data.get("options") if facts else None
    if not isinstance(options, Mapping) or not options.get("nonce_commit"):
        return None
    promised = _Promised(facts)
    for fact in facts:
        see = _SEES.get(fact.type)
        if see is not None and (why := see(promised, fact)) is not None:
            return fact.seq, why
    return None


class _Promised:
    """The hashes of an epoch, those of all tables of the group once they are closed, and the opened nonces."""

    def __init__(self, facts: Sequence[Fact]) -> None:
        group = facts[0].data.get("deal_group")
        self.group: Mapping[str, Any] | None = group if isinstance(group, Mapping) else None
        self.seats = seats_of(facts)
        self.hashes: dict[int | None, Any] = {}
        self.open = False
        self.closed: Sequence[Sequence[Any]] = ()


def _seat(fact: Fact) -> int | None:
    seat = fact.data.get("seat")
    return seat if type(seat) is int else None


def _epoch(promised: _Promised, fact: Fact) -> None:
    promised.hashes, promised.open = {}, False


def _remove_hash(promised: _Promised, fact: Fact) -> None:
    promised.hashes.pop(_seat(fact), None)


def _promised(promised: _Promised, fact: Fact) -> str | None:
    if promised.open or promised.closed:
        return "A hash is given after the hashes were closed."
    promised.hashes[_seat(fact)] = fact.data.get("hash")
    return None


def _awaited(promised: _Promised, fact: Fact) -> str | None:
    if fact.data.get("stage") != "nonces":
        return None
    if promised.group is not None and not promised.closed:
        return "Nonces are opened before the hashes of all tables are closed."
    promised.open = True
    return None


def _close_hashes(promised: _Promised, fact: Fact) -> str | None:
    rows, group = fact.data.get("hashes"), promised.group or {}
    own = [promised.hashes.get(seat) or "" for seat in range(promised.seats)]
    table = whole_number(group.get("table"))
    if promised.closed or not _are_rows(rows, promised.seats) or len(rows) != group.get("tables"):
        return "The hashes of a group must be those of all its tables, and occur once."
    if not 0 <= table < len(rows) or list(rows[table]) != own:
        return "The hashes of this table differ."
    promised.closed = rows
    return None


def _are_rows(rows: Any, seats: int) -> TypeGuard[Sequence[Sequence[Any]]]:
    return isinstance(rows, (list, tuple)) and all(isinstance(row, (list, tuple)) and len(row) == seats for row in rows)


def _open_nonce(promised: _Promised, fact: Fact) -> str | None:
    if not promised.open:
        return "A nonce is opened before the hashes are closed."
    fits = _matches_hash(fact.data.get("nonce"), promised.hashes.get(_seat(fact)))
    return None if fits else "A nonce does not match its promised hash."


def _shared(promised: _Promised, fact: Fact) -> str | None:
    rows = fact.data.get("nonces")
    if promised.group is None or not _are_rows(rows, promised.seats):
        return None
    if len(rows) != len(promised.closed):
        return "Nonces of tables are shared before their hashes were closed."
    pairs = [pair for row, due in zip(rows, promised.closed, strict=True) for pair in zip(row, due, strict=True)]
    kept = all(nonce == "" or _matches_hash(nonce, digest) for nonce, digest in pairs)
    return None if kept else "A nonce of another table does not match its promised hash."


def _matches_hash(nonce: Any, digest: Any) -> bool:
    return isinstance(nonce, str) and nonce.isascii() and nonce_hash(nonce) == digest


_SEES: Final[Mapping[str, Callable[[_Promised, Fact], str | None]]] = {
    "FairnessCommitted": _epoch,
    "SeatLeft": _remove_hash,
    "NonceCommitted": _promised,
    "NoncesAwaited": _awaited,
    "CommitmentsShared": _close_hashes,
    "NonceSubmitted": _open_nonce,
    "DealsShared": _shared,
}


DEALT_ELSEWHERE: Final = "phh"
"""The version of the rules that poker hands name if they were imported from a hand history."""


def check_shuffles(
    game: AnyGame | None,
    facts: Sequence[Fact],
    claims: Claims,
    disclosed: Disclosed,
    chance: Chance | None,
    unknown: str,
) -> Finding:
    """Check the commitments and the seeds, and recompute every deal with a known seed.

    `unknown` says why the game's deals are unknown, if `game` is None.
    """
    if disclosed.fault:
        return bad("shuffles", *disclosed.fault)
    if facts and facts[0].data.get("rules") == DEALT_ELSEWHERE:
        return _dealt_elsewhere(game, facts)
    if not disclosed.commitments and facts:
        return bad("shuffles", 1, "The server has not committed to the shuffles.")
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
    return good("shuffles", f"{seeds}, and all deals follow from {'it' if n == 1 else 'them'}.{note}")


def _dealt_elsewhere(game: AnyGame | None, facts: Sequence[Fact]) -> Finding:
    """Check a hand that names hand histories as its rules: only poker has them, and they commit to no shuffles."""
    if game and not game.words.hand_history:
        return bad("shuffles", 1, "Hands of this game cannot come from a hand history.")
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


def _stays_private(created: Mapping[str, Any]) -> bool:
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
    if reveal != "never" and _stays_private(facts[0].data):
        reveal = "match_end"  # Deals of a group stay hidden until its other tables are over.
    known = bool(facts[0].data.get("deal_known"))  # Its links are those of the earlier match.
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
    """Return the note on the limits of a match's shuffles as proof, and on the contributors to them."""
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


KNOWN: Final = " The deals come from another match, so players may have known every card."
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
