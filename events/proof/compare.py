"""Compares the statements of two documents about one history: contradicting signed ones prove that a server lied."""

from collections.abc import Sequence

from domain.core.values import value
from events.proof.signed_heads import KnownKey, SignedHead, are_of_one_server
from events.proof.statements import Statement


class Incomparable(Exception):
    """The two documents cannot be compared; the message gives the reason."""


@value
class Comparison:
    """The result of comparing two statements.

    `common` counts the versions, or facts of a duplicate group, in both. `difference` is a sentence about the first
    contradiction, None if there is none. `liar` is the server that signed both sides with keys that the caller passed,
    None if no server is convicted; `verdict` describes in words who vouches for which side.
    """

    what: str
    common: int
    difference: str | None
    liar: str | None
    verdict: str


def compare_statements(one: Statement, other: Statement, keys: Sequence[KnownKey] = ()) -> Comparison:
    """Compare two documents. Raise `Incomparable`.

    `keys` are the servers' keys that the caller passed. Only they convict: anyone can sign in any name with another
    key.
    """
    if (one.kind, one.id) == (other.kind, other.id):
        what, common, difference = f"{one.kind} {one.id}", *_of_one(one, other)
    elif one.group is not None and one.group == other.group:
        what, common, difference = f"deal_group {one.group}", *_of_group(one, other)
    else:
        raise Incomparable(f"One is of the {one.kind} {one.id}, the other of the {other.kind} {other.id}.")
    if difference is None and not common:
        raise Incomparable("They have no version in common. Save all events from the first one on and compare those.")
    if difference is None and (one.is_altered or other.is_altered):
        raise Incomparable(
            "The events of a page do not lead to its signed head. The heads do not contradict each other."
        )
    if difference is None:
        return Comparison(what, common, None, None, "They do not contradict each other.")
    liar, verdict = _judged(one.signed, other.signed, keys)
    return Comparison(what, common, difference, liar, verdict)


def _of_one(one: Statement, other: Statement) -> tuple[int, str | None]:
    """Compare two documents of one history: count the common versions, and find the first difference."""
    common = sorted(one.digests.keys() & other.digests.keys())
    parts = next((version for version in common if one.digests[version] != other.digests[version]), None)
    if parts is not None:
        return len(common), f"Their histories differ from event {parts} on."
    for ended, goes_on in ((one, other), (other, one)):
        beyond = max(goes_on.digests)
        if ended.last is not None and beyond > ended.last:
            over = max(ended.digests)
            return len(common), f"One history ends with event {over}, and the other continues with event {beyond}."
    return len(common), None


def _of_group(one: Statement, other: Statement) -> tuple[int, str | None]:
    """Compare two tables of one duplicate group, in the values that all tables share."""
    common = [name for name in one.shared if name in other.shared]
    parts = next((name for name in common if one.shared[name] != other.shared[name]), None)
    return len(common), None if parts is None else f"The tables differ in the {parts}."


def _judged(one: SignedHead | None, other: SignedHead | None, keys: Sequence[KnownKey]) -> tuple[str | None, str]:
    """Return the convicted server, None if there is none, and a sentence about who vouches for which side."""
    if one is None and other is None:
        return None, "No server has signed either. No server is convicted."
    if one is None or other is None:
        head, which, unsigned = (one, "first", "second") if one is not None else (other, "second", "first")
        assert head is not None
        return (
            None,
            f"{head.server} has signed the {which}, but no server has signed the {unsigned}. No server is convicted.",
        )
    sides = {"first": one, "second": other}
    strange = {which: head for which, head in sides.items() if head.key not in {key.key for key in keys}}
    if strange:
        said = " ".join(
            f"The {which} is signed as {head.server} with the key {head.key}, which you did not name."
            for which, head in strange.items()
        )
        return None, f"{said} No server is convicted. Name the server's keys, as it lists them, with --key."
    if one.key == other.key:
        return one.server, f"{one.server} signed both with one key, {one.key}: it lied."
    if are_of_one_server(one.key, other.key, keys):
        return (
            one.server,
            f"{one.server} signed both with its keys {one.key} and {other.key}: it lied.",
        )
    return None, (
        f"The first is signed by {one.key} ({one.server}), the second by {other.key} ({other.server}). No server is"
        " convicted: nothing shows that both keys belong to one server. Name all its keys, as it lists them, with"
        " --key."
    )
