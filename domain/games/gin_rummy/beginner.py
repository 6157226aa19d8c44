"""Plays Gin Rummy like a beginner, for the level `easy`.

A beginner knocks as soon as it can and throws its highest card outside a meld, even if that breaks up a pair or a run.
It takes the top of the pile only to complete a meld, and forgets the cards that the opponent took or threw.
"""

from random import Random

from domain.core.cards import Cards, Seat, add_cards, remove_cards
from domain.games.gin_rummy import events
from domain.games.gin_rummy.melds import NUMBER, POINTS, arrange, deadwood
from domain.games.gin_rummy.play import discards, knock_discards, pile_is_locked
from domain.games.gin_rummy.table import State, Table, table_number


def easy(s: State, seat: Seat, rng: Random) -> events.Move:
    """Knock immediately, and keep only complete melds and low cards."""
    table, hand = s.tables[table_number(s, seat)], s.hands[seat]
    match table.phase:
        case "offer_nondealer" | "offer_dealer":
            return events.TakeUpcard() if completes_meld(table, hand) else events.PassUpcard()
        case "draw":
            takes = not pile_is_locked(s, table) and completes_meld(table, hand)
            return events.DrawFromDiscard() if takes else events.DrawFromStock()
        case "must_draw_stock":
            return events.DrawFromStock()
        case "discard":
            return turn_ended(s, table, hand)
        case _:
            return events.LayOff()


def completes_meld(table: Table, hand: Cards) -> bool:
    """Return whether the top of the pile melds with cards of the hand."""
    top = table.pile[-1]
    return deadwood(add_cards(hand, (top,))) < deadwood(hand) + POINTS[top]


def turn_ended(s: State, table: Table, hand: Cards) -> events.Move:
    """Knock if possible, otherwise throw the highest card outside the melds."""
    if knocking := knock_discards(s, table, hand):
        return events.Knock(max(knocking, key=lambda c: (-deadwood(remove_cards(hand, c)), POINTS[c])))
    may = discards(s, table, hand)
    melded = {c for meld in arrange(hand).melds for c in meld}
    return events.Discard(max(may, key=lambda c: (c not in melded, NUMBER[c] % 13, c)))
