"""Writes the rules of a table of poker in a few sentences."""

from domain.poker.betting_options import Rebuy

REBUYS = {
    "on_bust": "Players without chips rebuy automatically.",
    "each_hand": "Stacks are reset after each hand, and wins and losses are recorded.",
    "never": "Players without chips sit out, and the game ends when one player has all chips.",
}
SHOWN = {
    (False, True): "Hands that cannot win stay face down, unless a player is all-in.",
    (False, False): "Hands that cannot win stay face down.",
    (True, True): "All remaining hands are shown.",
    (True, False): "All remaining hands are shown.",
}
UNSEEN = "Folded and mucked hands stay hidden until the shuffles are disclosed."


def about_cash(count: int, rebuy: Rebuy, stack: int) -> str:
    """Return in words how long a cash game lasts, and what happens to a player without chips."""
    hands = "hand is" if count == 1 else "hands are"
    return f"All begin with {stack} chips, and {count} {hands} played. {REBUYS[rebuy]}"
