"""Compares the deals of matches with the secret to which their tournament was bound before anybody entered."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.core.fairness import chain, next_root
from domain.tournament.entry_events import PlayerEntered, PlayerMovedUp
from domain.tournament.table_deals import TableDeals, first_root
from domain.tournament.tournament_events import (
    DealsDisclosed,
    DrawsCommitted,
    TournamentCancelled,
    TournamentEnded,
)
from events.proof.findings import Fact

UNBOUND: Final = "The tournament is bound to no deals: the server may have chosen them when the tables were known."
UNDISCLOSED: Final = "The secret of the deals is not disclosed: the server may have chosen them."


class BoundDeals:
    """The deals to which the events of a tournament bind its matches."""

    def __init__(self, tournament: str, events: Sequence[Any]) -> None:
        self._tournament = tournament
        self._nonces = tuple(event.nonce for event in events if isinstance(event, PlayerEntered | PlayerMovedUp))
        self._bound = any(isinstance(event, DrawsCommitted) and event.deals is not None for event in events)
        self._over = any(isinstance(event, TournamentEnded | TournamentCancelled) for event in events)
        self._secret = next((bytes.fromhex(e.seed) for e in events if isinstance(e, DealsDisclosed)), None)

    def unproved(self) -> str | None:
        """Return why nothing shows that the deals follow from the tournament; None if it is shown, or not yet due."""
        if not self._bound:
            return UNBOUND
        return UNDISCLOSED if self._over and self._secret is None else None

    def differs(self, place: Mapping[str, Any], facts: Sequence[Fact], *, shared: bool) -> bool:
        """Return whether a match was dealt from another root than that of its table.

        `shared` says that all tables of its round have one.
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
