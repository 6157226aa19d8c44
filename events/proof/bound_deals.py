"""Compares the deals of matches with the secret that their tournament committed to before anyone entered."""

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any, Final

from domain.core.fairness import chain, next_root
from domain.core.fault import Fault
from domain.match.creation import PREPARING
from domain.tournament.announcement import DrawsCommitted
from domain.tournament.entrants import PlayerEntered, PlayerMovedUp
from domain.tournament.formats.format_catalogue import format_of
from domain.tournament.organiser import TournamentCancelled
from domain.tournament.round_steps import TournamentEnded
from domain.tournament.table_deals import DealsDisclosed, TableDeals, deals_commitment, first_root
from domain.tournament.tournament_events import evolve
from domain.tournament.tournament_state import Tournament
from events.ids import match_of
from events.proof.findings import Fact

UNBOUND: Final = "The tournament is not bound to its deals: the server may have chosen them after the pairings."
UNDISCLOSED: Final = "The secret of the deals is not disclosed: the server may have chosen them."


class BoundDeals:
    """The deals to which the events of a tournament bind its matches.

    `secret` is the server's secret behind them; with None, it counts once it is disclosed.
    """

    def __init__(self, tournament: str, events: Sequence[Any], secret: bytes | None = None) -> None:
        self._tournament = tournament
        self._nonces = tuple(event.nonce for event in events if isinstance(event, PlayerEntered | PlayerMovedUp))
        self._bound = any(isinstance(event, DrawsCommitted) and event.deals is not None for event in events)
        self._over = any(isinstance(event, TournamentEnded | TournamentCancelled) for event in events)
        disclosed = next((bytes.fromhex(e.seed) for e in events if isinstance(e, DealsDisclosed)), None)
        self._secret = disclosed if secret is None else secret

    def unproved(self) -> str | None:
        """Return why nothing shows that the deals follow from the tournament; None if it is shown, or not yet due."""
        if not self._bound:
            return UNBOUND
        return UNDISCLOSED if self._over and self._secret is None else None

    def differs(self, place: Mapping[str, Any], facts: Sequence[Fact], *, shared: bool) -> bool:
        """Return whether a match was dealt from another root than that of its table.

        `shared` is true if all tables of its round have the same root.
        """
        if self._secret is None:
            return False
        deals = TableDeals(place["round"], None if shared else place["table"], place["attempt"])
        root = first_root(self._secret, self._tournament, deals, self._nonces)
        for fact in facts:
            if fact.type == "FairnessCommitted":
                if chain(root, fact.data["links"])[0].hex() != fact.data["commitment"]:
                    return True
                root = next_root(root)
        return False


def not_dealt_from(
    secret: bytes, tournament: str, events: Sequence[Any], matches: Mapping[str, Sequence[Fact]]
) -> Fault | None:
    """Return why the matches were not all dealt from the secret of their tournament, at the event that binds it.

    None if they were, or if no event binds the tournament to deals.
    """
    committed = [(place, e.deals) for place, e in enumerate(events) if isinstance(e, DrawsCommitted) and e.deals]
    if not committed:
        return None
    binding, commitment = committed[0]
    if deals_commitment(secret) != commitment:
        return Fault(binding, "The secret of the deals does not match the tournament's commitment.")
    bound, is_shared = (
        BoundDeals(tournament, events, secret),
        format_of(reduce(evolve, events, Tournament())).has_same_deals,
    )
    for match_id, facts in matches.items():
        place = facts[0].data["tournament"]
        if match_of(tournament, place["round"], place["table"], place["attempt"]) != match_id:
            return Fault(binding, f"The match {match_id} was not created for its table.")
        if bound.differs(place, facts, shared=is_shared and place["round"] != PREPARING):
            return Fault(binding, f"The match {match_id} does not have the deals that the tournament is bound to.")
    return None
