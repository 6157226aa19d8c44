"""Opens the packs of a draft again from the seed."""

from typing import Final

from domain.card_sets.cards.boosters import asked_booster
from domain.card_sets.cards.library import SETS
from domain.core.dealing import DealCheck, Dealing, Recorded, WrongDeal, compare, whole
from domain.games.fivewells_draft.events import PackOffered


def _offered(dealing: Dealing, event: Recorded) -> None:
    """Compare a pack that was opened; packs that were passed on are not drawn."""
    if event.data.get("pick_no") != 1:
        return
    seat, code, round_no = event.data.get("seat"), dealing.started.get("set"), dealing.started.get("round_no")
    if (
        not isinstance(code, str)
        or not whole(seat, dealing.seats)
        or code not in SETS
        or type(round_no) is not int
        or round_no < 1
    ):
        raise WrongDeal("A pack must name its seat, its round and its set.")
    cards = dealing.answer(asked_booster(tuple, SETS[code], seat, round_no - 1), dealing.hands)
    if cards is not None:
        compare(event, "cards", {str(seat): list(cards)}, "The cards of the pack")


DEAL: Final = DealCheck({PackOffered: _offered})
