"""Repeats the deals of hold'em: two cards each, and a board with a card burned before each street."""

from typing import Final

from domain.core.dealing import DealCheck, Dealing, Recorded, WrongDeal, alike
from domain.poker.betting_deal import button_drawn, hands_dealt
from domain.poker.betting_events import BoardDealt, ButtonDrawn, HandDealt


def _dealt(dealing: Dealing, event: Recorded) -> None:
    found = hands_dealt(dealing, event, 2)
    if found is not None:
        deck = found[1]
        streets = {"flop": deck[1:4], "turn": deck[5:6], "river": deck[7:8]}
        dealing.known += [{"street": name, "cards": cards} for name, cards in streets.items()]


def _board(dealing: Dealing, event: Recorded) -> None:
    if dealing.known:
        due = dealing.known.pop(0)
        if not all(alike(event.data.get(name), x) for name, x in due.items()):
            raise WrongDeal("The cards turned up do not follow from the seed.")


DEAL: Final = DealCheck({ButtonDrawn: button_drawn, HandDealt: _dealt, BoardDealt: _board}, fresh=list)
