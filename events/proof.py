"""Verification: what can be checked of a match, from its events alone (CONTRACT 6 and 7; docs/proof.md).

A match reaches this module as facts, one for each event, whether they come from a record or from the log, with the
secret parts that whoever verifies may see. Nothing that a fact says is trusted.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import groupby
from typing import Any, Final

from domain import match as life
from domain.catalogue import GAMES
from domain.choices import Ask
from domain.fairness import SCHEME, Known, bound, drawn
from domain.judge import Deed, Fault, judge, judge_creation
from domain.match import Chance
from domain.options import misfit
from domain.visibility import Reader
from events.codec import EVERYBODY, Shape, canonical, shapes
from events.deals import first_wrong
from events.seals import NO_EVENT, digest, seal, seal_key
from events.times import read_time
from events.upcasts import Stored, lift, version

MOST_LINKS: Final = life.MOST_LINKS
"""So many links of seeds a record may name in all its epochs together."""


@dataclass(slots=True)
class Fact:
    """One event as it was hashed, and what is known of its secret parts: values and keys, by field and reader."""

    seq: int
    commit: int
    type: str
    v: int
    cause: str
    at: str
    data: Mapping[str, Any]  # the public fields
    seals: Mapping[str, Mapping[Reader, str]]
    digest: str
    parts: Mapping[str, Mapping[Reader, Any]] = field(default_factory=dict)
    keys: Mapping[str, Mapping[Reader, str]] = field(default_factory=dict)


@dataclass(slots=True)
class Check:
    """One part of a report. `seq` is the first event that fails; a skipped check says why in `detail`."""

    name: str
    ok: bool
    skipped: bool
    detail: str
    seq: int | None = None


@dataclass(slots=True)
class Report:
    """What a verification found; `ok` is about what could be checked."""

    ok: bool
    match: str
    game: str | None
    version: int
    head: str
    checks: list[Check]


@dataclass(slots=True)
class Claims:
    """What is said of a match beside its events, and must agree with them. None: nothing is said."""

    version: int | None = None
    head: str | None = None
    status: str | None = None
    result: Any = None
    created: Mapping[str, Any] = field(default_factory=dict)
    """Fields of `MatchCreated` as they are said to be."""
    fairness: Mapping[str, Any] | None = None
    kept: Sequence[tuple[int, str]] = ()
    """Heads that somebody kept, as version and digest."""
    seats: Sequence[Mapping[str, Any]] | None = None
    """Who is said to sit where: `seat` and `kind`, and `player` (an id) and `level` where these are said."""
    created_at: str | None = None


def verify(
    match_id: str, facts: Sequence[Fact], claims: Claims, chance: Chance | None = None, *, whole: bool = False
) -> Report:
    """Verify a match.

    `chance` holds the server's own secrets; without, what was disclosed is used. `whole`: every secret part
    must be there, as in the log.
    """
    game = facts[0].data.get("game") if facts else None
    known = game if isinstance(game, str) and game in GAMES else None
    match_game = shapes(known) if known else None
    secrets = Disclosed(match_id, facts)
    judged = _Judged()
    if known:
        judged.run(match_id, known, facts, chance or secrets)
    shuffles = _shuffles(match_id, known, facts, claims, secrets, chance)
    checks = [
        _chain(match_id, facts, claims),
        _seals(facts, match_game, secrets, whole=whole),
        shuffles,
        _rules(facts, known, judged, shuffles),
        _result(facts, claims),
    ]
    head = facts[-1].digest if facts else NO_EVENT
    return Report(all(c.ok for c in checks), match_id, known, len(facts), head, checks)


def good(name: str, detail: str) -> Check:
    """A check that holds."""
    return Check(name, True, False, detail)


def bad(name: str, seq: int | None, detail: str) -> Check:
    """A check that fails, at an event."""
    return Check(name, False, False, detail, seq)


def skipped(name: str, why: str) -> Check:
    """A check that could not be made."""
    return Check(name, True, True, why)


# --- Chain ------------------------------------------------------------------------------------------------


def _chain(match_id: str, facts: Sequence[Fact], claims: Claims) -> Check:
    before, commit = NO_EVENT, 1
    kept: dict[int, set[str]] = {}
    for version_, kept_head in claims.kept:
        kept.setdefault(version_, set()).add(kept_head)
    for seq, fact in enumerate(facts, 1):
        if fact.seq != seq:
            return bad("chain", seq, f"Event {seq} must stand here, not {fact.seq}.")
        if not TIME.fullmatch(fact.at):
            return bad("chain", seq, "A time is written like 2026-11-21T20:57:12.345Z.")
        if fact.commit != seq:
            if fact.commit != commit or seq == 1:
                return bad("chain", seq, "An event belongs to the commit before it or begins one.")
            if fact.at != facts[seq - 2].at:
                return bad("chain", seq, "The events of a commit have one time.")
        commit = fact.commit
        before = digest(before, envelope(match_id, fact))
        if fact.digest != before:
            return bad("chain", seq, "The digest does not follow from the event and the digest before it.")
        if kept.pop(seq, {before}) != {before}:
            return bad("chain", seq, "The digest is not the head that was kept: history was changed.")
    if kept:
        return bad("chain", len(facts), f"A head was kept of version {max(kept)}, which is not there.")
    if claims.version is not None and claims.version != len(facts):
        return bad(
            "chain", len(facts), f"{claims.version} events are said to be there, and {len(facts)} are."
        )
    if claims.head is not None and claims.head != before:
        return bad("chain", len(facts), "The head is not the digest of the last event.")
    return good("chain", f"{len(facts)} events are linked by their digests.")


def envelope(match_id: str, fact: Fact) -> dict[str, Any]:
    """Give what is hashed of an event."""
    return {
        "at": fact.at, "cause": fact.cause, "commit": fact.commit, "data": fact.data, "match": match_id,
        "seals": fact.seals, "seq": fact.seq, "type": fact.type, "v": fact.v,
    }  # fmt: skip


# --- Seals ------------------------------------------------------------------------------------------------


def _seals(
    facts: Sequence[Fact], known: Mapping[str, Shape] | None, disclosed: "Disclosed", *, whole: bool
) -> Check:
    opened = total = hand = 0
    seats, over = _seats(facts), _disclosed_whole(facts)
    for fact in facts:
        if known and (why := _misshapen(fact, known.get(fact.type), seats)):
            return bad("seals", fact.seq, why)
        hand_key = disclosed.hand_keys.get(0 if fact.type in LIFE else hand)
        if fact.type == "HandStarted":
            hand = _number(fact.data.get("hand_no"))
        for name, sealed in fact.seals.items():
            for reader, code in sealed.items():
                total += 1
                if reader not in fact.parts.get(name, {}):
                    if whole or hand_key is not None or (hand == 0 and over):
                        return bad("seals", fact.seq, f"What {name} is to {reader} is missing.")
                    continue
                opened += 1
                if why := _unopened(fact, name, reader, code, hand_key):
                    return bad("seals", fact.seq, why)
        if loose := [name for name in fact.parts if set(fact.parts[name]) - set(fact.seals.get(name, {}))]:
            return bad("seals", fact.seq, f"{loose[0]} has no seal for every reader whose part is given.")
        if loose := [name for name in fact.keys if set(fact.keys[name]) - set(fact.parts.get(name, {}))]:
            return bad("seals", fact.seq, f"{loose[0]} is missing for a reader whose key is given.")
    if total and not opened:
        return skipped("seals", f"None of {total} seals is open to this reader.")
    return good("seals", f"{opened} of {total} seals are open, and hold what they were made for.")


LIFE: Final = frozenset(event.__name__ for event in life.LIFE)
"""The events that belong to no hand, whose secrets are opened at the end."""


def _disclosed_whole(facts: Sequence[Fact]) -> bool:
    """Say whether a match is over and discloses what belongs to no hand (RULES 1.7)."""
    if not facts or facts[-1].data.get("reason") not in FINISHED:
        return False
    options = facts[0].data.get("options")
    return not isinstance(options, dict) or options.get("fairness_reveal") != "never"


def _shut(fact: Fact) -> bool:
    """Say whether a part of an event is not open."""
    return any(set(sealed) - set(fact.parts.get(name, {})) for name, sealed in fact.seals.items())


def _misshapen(fact: Fact, shape: Shape | None, seats: int) -> str | None:
    """Say what is wrong with the seals that an event has; which it must have follows from public data alone."""
    if shape is None:
        return f"There is no event {fact.type} in this game."
    if fact.v != version(fact.type):
        return None
    due = shape.readers_of(fact.data, seats)
    there = {name: set(sealed) for name, sealed in fact.seals.items()}
    return None if there == due else f"{fact.type} has other seals than it must have."


def _unopened(fact: Fact, name: str, reader: Reader, code: str, hand_key: bytes | None) -> str | None:
    """Say why a part is not what its seal was made for."""
    key = fact.keys.get(name, {}).get(reader, "")
    if not KEY.fullmatch(key):
        return f"The key of {name} for {reader} is not one of 32 bytes."
    if hand_key is not None and seal_key(hand_key, fact.seq, name, reader).hex() != key:
        return f"The key of {name} for {reader} does not follow from the key of its hand."
    if seal(bytes.fromhex(key), fact.seq, name, reader, fact.parts[name][reader]) != code:
        return f"What {name} is said to be to {reader} is not what was sealed."
    return None


KEY: Final = re.compile("[0-9a-f]{64}")
TIME: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")


def _seats(facts: Sequence[Fact]) -> int:
    seats = facts[0].data.get("seats") if facts else None
    return len(seats) if isinstance(seats, (list, tuple)) else 0


def _number(x: Any) -> int:
    return x if type(x) is int else 0


# --- Shuffles ---------------------------------------------------------------------------------------------


class Undisclosed(LookupError):
    """A seed was needed that is not disclosed."""


class Disclosed:
    """The secrets of a match as far as its events disclose them: a `domain.match.Chance` for what they cover.

    It does not know how a shuffle came out whose seed is not disclosed: `Undisclosed`. What should have been disclosed
    and was not it gives as nothing, which no event can equal.
    """

    def __init__(self, match_id: str, facts: Sequence[Fact]) -> None:
        self._match, self._known_deals = bound_to(match_id, facts)
        self.commitments: dict[int, tuple[int, str]] = {}
        self.seeds: dict[tuple[int, int], bytes] = {}
        self.hand_keys: dict[int, bytes] = {}
        self.fault: tuple[int, str] | None = None
        self._links = 0  # in all epochs
        self._known: dict[tuple[int, int], bytes] = {}
        self._highest: dict[int, int] = {}
        for fact in facts:
            if self.fault is None and (why := self._taken(fact)):
                self.fault = (fact.seq, why)

    def _taken(self, fact: Fact) -> str | None:
        data = fact.data
        if fact.type == "FairnessCommitted":
            return self._committed(data)
        if fact.type != "SeedRevealed":
            return None
        key, seed = data.get("hand_key"), data.get("seed")
        if (
            not isinstance(key, str)
            or not isinstance(seed, str)
            or not KEY.fullmatch(key)
            or not KEY.fullmatch(seed)
        ):
            return "A seed and the key of a hand are 64 hexadecimal digits each."
        epoch, link, hand_no = (_number(data.get(name)) for name in ("epoch", "link", "hand_no"))
        if hand_no < 1:
            return "A seed is revealed of a hand."
        if why := self._hashed_down(epoch, link, bytes.fromhex(seed)):
            return why
        self.seeds[epoch, link] = bytes.fromhex(seed)
        self.hand_keys.setdefault(hand_no, bytes.fromhex(key))
        return None

    def _committed(self, data: Mapping[str, Any]) -> str | None:
        epoch, links, commitment = data.get("epoch"), _number(data.get("links")), data.get("commitment")
        if data.get("scheme") != SCHEME:
            return f"The scheme is not {SCHEME}."
        if type(epoch) is not int or epoch != len(self.commitments) + 1 or links < 1:
            return "An epoch follows the one before it, and has a link at least."
        if not isinstance(commitment, str) or not KEY.fullmatch(commitment):
            return "A commitment is 64 hexadecimal digits."
        self._links += links
        if self._links > MOST_LINKS:
            return f"More than {MOST_LINKS} links cannot be checked."
        self.commitments[epoch] = (links, commitment)
        self._known[epoch, 0], self._highest[epoch] = bytes.fromhex(commitment), 0
        return None

    def _hashed_down(self, epoch: int, link: int, seed: bytes) -> str | None:
        """Hash a seed down to the nearest link that is known. Each link of the chain is computed once."""
        if not 1 <= link <= self.commitments.get(epoch, (0, ""))[0]:
            return "A seed is revealed of a link that was not committed to."
        lowest = min(link, self._highest[epoch])
        s = seed
        for i in range(link, lowest, -1):
            self._known[epoch, i] = s
            s = sha256(s).digest()
        if self._known[epoch, lowest] != s:
            return "The seed does not hash down to the commitment."
        self._highest[epoch] = max(link, lowest, self._highest[epoch])
        return None

    def commitment(self, epoch: int, links: int) -> str:
        there, commitment = self.commitments.get(epoch, (0, ""))
        return commitment if there == links else ""

    def seed(self, epoch: int, links: int, link: int) -> str:
        return self.seeds.get((epoch, link), b"").hex()

    def answer(self, ask: Ask, epoch: int, links: int, link: int, nonces: tuple[str, ...]) -> Any:
        if (epoch, link) not in self.seeds:
            raise Undisclosed
        context = bound(self._match, self._known_deals, ask, epoch, link, nonces)
        return drawn(ask, self.seeds[epoch, link], context)

    def hand_key(self, hand_no: int) -> bytes:
        return self.hand_keys.get(hand_no, b"")


def bound_to(match_id: str, facts: Sequence[Fact]) -> tuple[str, Known | None]:
    """Give what the results of a match are bound to: its id, or its group's; and the deals it is played with, if known."""
    created = facts[0].data if facts else {}
    group, known = created.get("deal_group"), created.get("deal_known")
    if isinstance(group, Mapping) and _is_text(group.get("id")):
        return str(group["id"]), None
    deals = known.get("deals") if isinstance(known, Mapping) else None
    if not isinstance(deals, Mapping) or not isinstance(deals.get("nonces"), (list, tuple)):
        return match_id, None
    if not all(_is_text(x) for x in (deals.get("match"), *deals["nonces"])):
        return match_id, None
    epoch, link, links = (_number(deals.get(name)) for name in ("epoch", "link", "links"))
    return match_id, Known(str(deals["match"]), epoch, link, links, tuple(deals["nonces"]))


def _is_text(x: Any) -> bool:
    return isinstance(x, str) and x.isascii()


def _shuffles(
    match_id: str,
    game: str | None,
    facts: Sequence[Fact],
    claims: Claims,
    disclosed: Disclosed,
    chance: Chance | None,
) -> Check:
    if disclosed.fault:
        return bad("shuffles", *disclosed.fault)
    if not disclosed.commitments and facts:
        return bad("shuffles", 1, "No shuffles were committed to.")
    if claims.fairness is not None and canonical(claims.fairness) != canonical(fairness(facts)):
        return bad("shuffles", None, "What is said of the fairness is not what the events say.")
    if wrong := _untimely(game, facts):
        return bad("shuffles", *wrong)
    n = len(disclosed.seeds)
    seeds = "1 seed hashes down to its commitment" if n == 1 else f"{n} seeds hash down to their commitments"
    note = "" if contributed(facts) or any(map(_brings_nonces, facts)) else NOBODY
    if game is None:
        return good("shuffles", f"{seeds}; how this game deals is not known here.{note}")
    if _seats(facts) not in GAMES[game].seats:
        return bad("shuffles", 1, "The game is not played by so many.")
    if wrong := first_wrong(match_id, game, facts, chance or disclosed):
        return bad("shuffles", *wrong)
    if not chance and not disclosed.seeds and any(fact.type == "HandStarted" for fact in facts):
        return skipped("shuffles", f"No seed has been disclosed.{note}")
    return good("shuffles", f"{seeds}, and what was dealt from them is what they give.{note}")


_DUE: Final[Mapping[Any, frozenset[str]]] = {
    "hand_end": frozenset(["HandStarted", "GameStarted", "MatchEnded"]),
    "game_end": frozenset(["GameStarted", "MatchEnded"]),
    "match_end": frozenset(["MatchEnded"]),
    "never": frozenset(),
}
"""What may not stand in a match before the seeds of all hands begun so far, by when they are to be disclosed (RULES 1.7)."""


def _untimely(game: str | None, facts: Sequence[Fact]) -> tuple[int, str] | None:
    """Find the first event before which a seed is missing that is due by public data alone, or a seed out of its turn."""
    options = facts[0].data.get("options") if facts else None
    reveal = options.get("fairness_reveal") if isinstance(options, dict) else None
    reveal = GAMES[game].reveal if reveal is None and game else reveal
    if not isinstance(reveal, str) or reveal not in _DUE:
        return None
    if reveal != "never" and facts[0].data.get("deal_group"):
        reveal = "match_end"  # nothing of one table is told before all are over
    known = bool(facts[0].data.get("deal_known"))  # its links are those of the match that was played before
    begun: list[tuple[int, int]] = []
    epoch = link = shown = 0
    for fact in facts:
        if len(begun) > shown and fact.type in _DUE[reveal]:
            return fact.seq, f"The seed of hand {shown + 1} must be disclosed before this."
        if fact.type == "FairnessCommitted":
            epoch, link = epoch + 1, 0
        elif fact.type == "HandStarted":
            link += 1
            begun.append((epoch, link))
        elif fact.type == "SeedRevealed":
            named = tuple(_number(fact.data.get(name)) for name in ("epoch", "link", "hand_no"))
            if reveal == "never" or shown == len(begun) or named[2] != shown + 1:
                return (
                    fact.seq,
                    "Seeds are disclosed hand by hand, each after its hand, and only where they may be.",
                )
            if not known and named[:2] != begun[shown]:
                return (
                    fact.seq,
                    "Seeds are disclosed hand by hand, each after its hand, and only where they may be.",
                )
            shown += 1
    return None


NOBODY: Final = " No seat gave a nonce: this proves that nothing was changed afterwards, not that the server did not choose."


def _brings_nonces(fact: Fact) -> bool:
    """Say whether an event brings nonces of other tables, or of another match."""
    known = fact.data.get("deal_known") if fact.type == "MatchCreated" else None
    deals = known.get("deals") if isinstance(known, Mapping) else None
    there = fact.data if fact.type == "DealsShared" else deals if isinstance(deals, Mapping) else {}
    rows = there.get("nonces")
    flat = [x for row in rows for x in (row if isinstance(row, (list, tuple)) else [row])] if rows else []
    return any(flat)


_TELLING: Final = frozenset([
    "MatchCreated", "FairnessCommitted", "NonceSubmitted", "SeatLeft", "SeedRevealed",
])  # fmt: skip


def tells_fairness(kind: str) -> bool:
    """Say whether events of this type are among those that `fairness` asks."""
    return kind in _TELLING


def fairness(facts: Sequence[Fact]) -> dict[str, Any]:
    """Give what the events say of the shuffles, epoch by epoch."""
    epochs: list[dict[str, Any]] = []
    seats = _seats(facts)
    for fact in facts:
        data = fact.data
        if fact.type == "FairnessCommitted":
            epochs.append({
                "epoch": data.get("epoch"), "links": data.get("links"), "commitment": data.get("commitment"),
                "nonces": [""] * seats, "revealed": [],
            })  # fmt: skip
        elif fact.type in ("NonceSubmitted", "SeatLeft") and epochs and data.get("seat") in range(seats):
            epochs[-1]["nonces"][data["seat"]] = data.get("nonce", "")
        elif fact.type == "SeedRevealed" and epochs:
            revealed = {name: data.get(name) for name in ("link", "hand_no", "seed")}
            epochs[min(max(_number(data.get("epoch")), 1), len(epochs)) - 1]["revealed"].append(revealed)
    return {"scheme": SCHEME, "epochs": epochs, "contributed": contributed(facts)}


def contributed(facts: Sequence[Fact]) -> list[int]:
    """Give the seats that sent a nonce for the last epoch."""
    seats: set[int] = set()
    for fact in facts:
        match fact.type:
            case "FairnessCommitted":
                seats = set()
            case "NonceSubmitted":
                seats |= {_number(fact.data.get("seat"))}
            case "SeatLeft":
                seats -= {_number(fact.data.get("seat"))}
    return sorted(seats)


# --- Rules ------------------------------------------------------------------------------------------------


class _Judged:
    """What came of putting every commit to the rules again, as far as its cards are known."""

    def __init__(self) -> None:
        self.upto = 0  # the last event that was judged
        self.fault: Fault | None = None
        self.seq: int | None = None
        self.skipped = ""

    def run(self, match_id: str, game: str, facts: Sequence[Fact], chance: Chance) -> None:
        """Judge the commits in their order until one fails, or is not known whole."""
        rules = facts[0].data.get("rules")
        if rules != life.RULES:
            self.skipped = (
                f"The match was judged by version {rules} of the rules; these are version {life.RULES}."
            )
            return
        known, seats = shapes(game), _seats(facts)
        m: life.Match | None = None
        for first, commit in _commits(facts):
            if any(map(_shut, commit)):
                return
            deeds: list[Deed] = []
            try:
                for fact in commit:
                    deeds.append(Deed(read_event(known, fact, seats), fact.cause))  # noqa: PERF401 -- see below
                at = read_time(commit[0].at)
                if m is None:
                    m, self.fault = judge_creation(match_id, deeds, at, chance)
                else:
                    self.fault = judge(m, deeds, at, chance)
            except Undisclosed:
                return
            except Exception:
                place = len(deeds) % len(commit)  # the one that cannot be read; else the commit's first
                self.fault = Fault(place, False, "The event cannot be what a server has written.")
            if self.fault:
                self.seq = first + self.fault.place
                return
            self.upto = commit[-1].seq


def _commits(facts: Sequence[Fact]) -> Iterator[tuple[int, list[Fact]]]:
    return ((first, list(commit)) for first, commit in groupby(facts, lambda fact: fact.commit))


def read_event(known: Mapping[str, Shape], fact: Fact, seats: int) -> Any:
    """Read an event with the parts that are open. It must be of its types, and written again be the same.

    Raises `ValueError`, or whatever else reading may raise, for one that no server can have written.
    """
    shape = known[fact.type]
    data, parts = lifted(fact)
    event = shape.event(data, seats, parts, EVERYBODY)
    again = shape.parts(event, seats)
    opened = {name: {reader: again[name][reader] for reader in part} for name, part in parts.items()}
    if misfit(event) or canonical([shape.data(event), opened]) != canonical([data, parts]):
        raise ValueError(fact.type)
    return event


def lifted(fact: Fact) -> Stored:
    """Give the data and the open parts of an event as today's version has them."""
    parts = {name: dict(part) for name, part in fact.parts.items()}
    return lift(fact.type, fact.v, (dict(fact.data), parts))


def _rules(facts: Sequence[Fact], game: str | None, judged: _Judged, shuffles: Check) -> Check:
    if game is None:
        return skipped("rules", "The game is not known here.")
    if judged.skipped:
        return skipped("rules", judged.skipped)
    told = not shuffles.ok and (shuffles.seq or 0) <= (judged.seq or 0)
    if judged.fault and not (judged.fault.drawn and told):
        return bad("rules", judged.seq, judged.fault.why)
    if judged.upto == len(facts):
        return good("rules", f"All {len(facts)} events are what the rules make of the moves.")
    if judged.fault:
        return skipped("rules", f"The events from {judged.seq} on follow from a shuffle that is wrong.")
    return skipped(
        "rules",
        f"The events to {judged.upto} are what the rules make of the moves; what follows is not disclosed.",
    )


# --- Result -----------------------------------------------------------------------------------------------

FINISHED: Final = ("played", "resignation")


def _result(facts: Sequence[Fact], claims: Claims) -> Check:
    for name, said in claims.created.items():
        if not facts or canonical(facts[0].data.get(name)) != canonical(said):
            return bad("result", 1, f"The match is said to have another {name} than it was created with.")
    if claims.created_at is not None and (not facts or claims.created_at != facts[0].at):
        return bad("result", 1, "The match is said to have been created at another time.")
    if claims.seats is not None and (seq := _unseated(claims.seats, _sitting(facts))) is not None:
        return bad("result", seq, "Others are said to sit at the table than the events have seated.")
    ends = [fact for fact in facts if fact.type == "MatchEnded"]
    status = _status(facts, ends)
    if claims.status is not None and claims.status != status:
        return bad("result", len(facts) or None, f"The match is said to be {claims.status}, and is {status}.")
    result = ends[0].data.get("result") if ends else None
    if claims.status is not None and canonical(claims.result) != canonical(result):
        return bad(
            "result",
            ends[0].seq if ends else len(facts),
            "The result is not the one that the last event gives.",
        )
    if not ends:
        return skipped("result", "The match is not over.")
    if ends[0] is not facts[-1]:
        return bad("result", ends[0].seq, "Nothing may follow MatchEnded.")
    if any(map(_shut, facts)):
        return skipped("result", "The play that it must follow from is not disclosed.")
    return good("result", f"The match ended: {ends[0].data.get('reason')}.")


def _sitting(facts: Sequence[Fact]) -> list[dict[str, Any]]:
    """Give who sits where by the events, and by which of them."""
    plans = facts[0].data.get("seats") if facts else None
    sits = [
        {"seat": s, "kind": plan.get("kind"), "player": None, "level": plan.get("level"), "by": 1}
        for s, plan in enumerate(plans if isinstance(plans, (list, tuple)) else [])
        if isinstance(plan, dict)
    ]
    kinds = [seat["kind"] for seat in sits]
    for fact in facts:
        seat = fact.data.get("seat")
        if fact.type in ("SeatTaken", "SeatLeft") and type(seat) is int and 0 <= seat < len(sits):
            player = fact.data.get("player")
            kind = kinds[seat] if player is None else "player"
            sits[seat] |= {"player": player, "kind": kind, "by": fact.seq}
    return sits


def _unseated(said: Sequence[Mapping[str, Any]], sits: Sequence[Mapping[str, Any]]) -> int | None:
    """Give the event that has seated another than is said; None if all is as it is said."""
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
