"""Writes the rules of a table of poker in a few sentences."""

from domain.poker.betting_options import Rebuy

REBUYS = {
    "on_bust": "Whoever has nothing left gets a new stack.",
    "each_hand": "After each hand all stacks are as before, and what each has won or lost is noted.",
    "never": "Whoever has nothing left sits out, and the last with chips ends the game.",
}
SHOWN = {
    (False, True): "Hands that cannot win stay face down, unless somebody is all-in.",
    (False, False): "Hands that cannot win stay face down.",
    (True, True): "All hands that are still in are shown.",
    (True, False): "All hands that are still in are shown.",
}
UNSEEN = "Nobody sees folded and mucked hands before the shuffles are disclosed."


def about_cash(count: int, rebuy: Rebuy, stack: int) -> str:
    """Tell how long a cash game lasts, and what happens to a player who loses all."""
    hands = "hand is" if count == 1 else "hands are"
    return f"All begin with {stack} chips, and {count} {hands} played. {REBUYS[rebuy]}"
