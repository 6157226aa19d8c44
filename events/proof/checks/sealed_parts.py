"""Compares the seals of events with those they must have, and each opened part with its seal."""

from collections.abc import Sequence
from typing import Final

from domain import match as life
from domain.core.game import AnyGame
from domain.core.visibility import Reader
from events.log.codec import Shape, shapes
from events.log.seals import seal, seal_key
from events.proof.checks.result import FINISHED
from events.proof.disclosed import Disclosed
from events.proof.findings import Fact, Finding, bad, good, seats_of, skip_check, whole_number
from events.proof.signed_heads import KEY

OF_NO_HAND: Final = frozenset(event.__name__ for event in life.OF_NO_HAND)
"""The events that belong to no hand, whose secrets are opened at the end."""


def check_seals(facts: Sequence[Fact], game: AnyGame | None, disclosed: Disclosed, *, whole: bool) -> Finding:
    """Check the seals and their open parts; with `whole`, everything must be open.

    If the game is not installed, the hands of events are unknown too.
    """
    known = shapes(game.name) if game else None
    begins = game.lifecycle.hand_starts.__name__ if game else ""
    opened = total = hand = 0
    vouched: list[int] = []  # the events with parts whose keys do not follow from disclosed data
    seats, over = seats_of(facts), _disclosed_whole(facts)
    for fact in facts:
        if known and (why := _misshapen(fact, known.get(fact.type), seats)):
            return bad("seals", fact.seq, why)
        h = 0 if fact.type in OF_NO_HAND else hand
        hand_key = disclosed.hand_keys.get(h) if game or fact.type in OF_NO_HAND else None
        if game and fact.type == begins:
            hand = whole_number(fact.data.get(game.lifecycle.hand_no))
        if game and fact.type == game.lifecycle.game_ends.__name__:
            hand = 0
        for name, sealed in fact.seals.items():
            for reader, code in sealed.items():
                total += 1
                if reader not in fact.parts.get(name, {}):
                    if whole or hand_key is not None or (h == 0 and over):
                        return bad("seals", fact.seq, f"The value of {name} for {reader} is missing.")
                    continue
                opened += 1
                if h and hand_key is None and not whole:
                    vouched.append(fact.seq)
                if why := _unopened(fact, name, reader, code, hand_key):
                    return bad("seals", fact.seq, why)
        if loose := [name for name in fact.parts if set(fact.parts[name]) - set(fact.seals.get(name, {}))]:
            return bad("seals", fact.seq, f"{loose[0]} has no seal for every reader whose part is given.")
        if loose := [name for name in fact.keys if set(fact.keys[name]) - set(fact.parts.get(name, {}))]:
            return bad("seals", fact.seq, f"{loose[0]} is missing for a reader whose key is given.")
    if total and not opened:
        return skip_check("seals", f"None of {total} seals is open to this reader.", sealed=True)
    return good("seals", f"{opened} of {total} seals are open and valid.{_own_word(vouched)}")


def _own_word(events: Sequence[int]) -> str:
    """Return which opened parts no disclosed key confirms yet: a rechained record may have others."""
    if not events:
        return ""
    return (
        f" {len(events)} of them, in events {events[0]} to {events[-1]}, belong to undisclosed hands: only the"
        " signer of the head vouches for their contents."
    )


def _disclosed_whole(facts: Sequence[Fact]) -> bool:
    """Return whether a finished match discloses data outside hands (rules 1.7)."""
    if not facts or facts[-1].data.get("reason") not in FINISHED:
        return False
    options = facts[0].data.get("options")
    return not isinstance(options, dict) or options.get("fairness_reveal") != "never"


def _misshapen(fact: Fact, shape: Shape | None, seats: int) -> str | None:
    """Return the fault in an event's seals; the required seals follow from public data only."""
    if shape is None:
        return f"There is no event {fact.type} in this game."
    if fact.v > shape.version:
        return None
    if fact.v < 1 or fact.data.keys() & shape.added_after(fact.v).keys():
        return f"{fact.type} does not have the form of its version {fact.v}."
    due = shape.readers_of(fact.data, seats, fact.v)
    there = {name: set(sealed) for name, sealed in fact.seals.items()}
    return None if there == due else f"{fact.type} has the wrong seals."


def _unopened(fact: Fact, name: str, reader: Reader, code: str, hand_key: bytes | None) -> str | None:
    """Return why a part does not match its seal."""
    key = fact.keys.get(name, {}).get(reader, "")
    if not KEY.fullmatch(key):
        return f"The key of {name} for {reader} is not 32 bytes long."
    if hand_key is not None and seal_key(hand_key, fact.seq, name, reader).hex() != key:
        return f"The key of {name} for {reader} does not follow from the key of its hand."
    if seal(bytes.fromhex(key), fact.seq, name, reader, fact.parts[name][reader]) != code:
        return f"The value of {name} for {reader} does not match its seal."
    return None
