"""Plays Crazy Eights: a bot gets what its seat knows, and gives a move.

The steady player never draws while it can play, and gets rid of the dearest cards first. It keeps to suits that it can
go on with, and holds its eights back until a seat is about to go out.
"""

from random import Random

from domain.core.bot_levels import any_of, player
from domain.core.cards import OF_SUIT, RANK_OF, SUIT_OF, Card, Cards, Seat, keep_cards, remove_cards
from domain.core.monte_carlo import SearchBudget
from domain.games.crazy_eights.events import Move, PlayCard
from domain.games.crazy_eights.options import is_eight, worth
from domain.games.crazy_eights.rules import State, default, favourite, legal, playable
from domain.games.crazy_eights.search import best_move

CLOSE = 2  # cards left of a seat that is about to go out


def steady(s: State, seat: Seat, rng: Random) -> Move:
    """Play the best card there is; with none to play, draw or pass as the clock would."""
    hand = s.hands[seat]
    cards = playable(s, hand)
    if not cards:
        return default(s, seat)
    close = any(len(other) <= CLOSE for i, other in enumerate(s.hands) if i != seat)
    best = max(cards, key=lambda c: merit(remove_cards(hand, c), c, close=close))
    return PlayCard(best, favourite(remove_cards(hand, best)) if is_eight(best) else None)


def strong(s: State, seat: Seat, rng: Random, budget: SearchBudget) -> Move:
    """Make the move that does best in many worlds."""
    return best_move(s, seat, steady(s, seat, rng), rng, budget)


choose = player(steady, any_of(legal), strong)


def merit(rest: Cards, c: Card, *, close: bool) -> float:
    """Say how good it is to play the card and keep the rest, when a seat is or is not close to going out."""
    if is_eight(c):
        return worth((c,)) if close and len(rest) > 1 else -1.0
    plain = tuple(other for other in rest if not is_eight(other))
    following = len(keep_cards(plain, OF_SUIT[SUIT_OF[c]]))
    pairs = sum(RANK_OF[other] == RANK_OF[c] for other in plain)
    return worth((c,)) * (2 if close else 0.5) + 3 * following + pairs
