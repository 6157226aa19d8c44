"""Collects the secrets of a match that its events disclose."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

from domain import match as life
from domain.core.choices import Ask
from domain.core.fairness import SCHEME, KnownDeals, draw_answer, draw_context_of
from events.proof.findings import Fact, whole_number
from events.proof.signed_heads import KEY

MOST_LINKS: Final = life.MOST_LINKS
"""Maximum links of seeds in all epochs of a record together."""


class Undisclosed(LookupError):
    """A seed was needed that is not disclosed."""


class Disclosed:
    """The secrets of a match that its events disclose: a `domain.match.Chance` for what they cover.

    A shuffle without a disclosed seed is `Undisclosed`. Data that should have been disclosed and was not is returned as
    nothing, which no event can equal.
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
        if not isinstance(key, str) or not isinstance(seed, str) or not KEY.fullmatch(key) or not KEY.fullmatch(seed):
            return "A seed and the key of a hand must be 64 hexadecimal digits each."
        epoch, link, hand_no = (whole_number(data.get(name)) for name in ("epoch", "link", "hand_no"))
        if hand_no < 1:
            return "A revealed seed must have the number of its hand, from 1."
        if why := self._hashed_down(epoch, link, bytes.fromhex(seed)):
            return why
        self.seeds[epoch, link] = bytes.fromhex(seed)
        self.hand_keys.setdefault(hand_no, bytes.fromhex(key))
        return None

    def _committed(self, data: Mapping[str, Any]) -> str | None:
        epoch, links, commitment = data.get("epoch"), whole_number(data.get("links")), data.get("commitment")
        if data.get("scheme") != SCHEME:
            return f"The scheme is not {SCHEME}."
        if type(epoch) is not int or epoch != len(self.commitments) + 1 or links < 1:
            return "An epoch must be one more than the last, and have at least one link."
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
            return "A revealed seed must belong to a link that was committed to."
        lowest = min(link, self._highest[epoch])
        s = seed
        for i in range(link, lowest, -1):
            self._known[epoch, i] = s
            s = sha256(s).digest()
        if self._known[epoch, lowest] != s:
            return "The seed does not hash to the commitment."
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
        context = draw_context_of(self._match, self._known_deals, ask, epoch, link, nonces)
        return draw_answer(ask, self.seeds[epoch, link], context)

    def hand_key(self, hand_no: int) -> bytes:
        return self.hand_keys.get(hand_no, b"")


def bound_to(match_id: str, facts: Sequence[Fact]) -> tuple[str, KnownDeals | None]:
    """Return what the results of a match are bound to: its id, or its group's; and its deals, if known."""
    created = facts[0].data if facts else {}
    group, known = created.get("deal_group"), created.get("deal_known")
    if isinstance(group, Mapping) and _is_text(group.get("id")):
        return str(group["id"]), None
    deals = known.get("deals") if isinstance(known, Mapping) else None
    if not isinstance(deals, Mapping) or not isinstance(deals.get("nonces"), (list, tuple)):
        return match_id, None
    if not all(_is_text(x) for x in (deals.get("match"), *deals["nonces"])):
        return match_id, None
    epoch, link, links = (whole_number(deals.get(name)) for name in ("epoch", "link", "links"))
    return match_id, KnownDeals(str(deals["match"]), epoch, link, links, tuple(deals["nonces"]))


def _is_text(x: Any) -> bool:
    return isinstance(x, str) and x.isascii()
