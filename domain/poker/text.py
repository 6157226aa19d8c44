"""The rules of a table of poker in a few sentences."""

from domain.poker.options import CASH_STACK, TOURNAMENT_STACK, DrawOptions, HoldemOptions, level_stakes
from domain.poker.sit_and_go import PRIZES

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


def about_draw(options: DrawOptions, seats: int) -> str:
    """Tell a person the rules of a table of five-card draw."""
    if options.structure == "fixed_limit":
        bets = f"Bets are {options.small_bet}, after the draw {options.big_bet}; at most {options.raise_cap} a round."
    else:
        bets = f"Bet {options.min_bet} or more."
    swap = f"up to {options.max_swap} cards" if options.max_swap else "no cards"
    return (
        f"Everybody antes {options.ante}, gets five cards and may exchange {swap} once."
        f" {bets} {SHOWN[options.show_all, options.show_all_in]} {UNSEEN}"
        f" {about_cash(options, options.starting_stack)}"
    )


def about_holdem(options: HoldemOptions, seats: int) -> str:
    """Tell a person the rules of a table of hold'em."""
    two = "Two cards each and five on the board, of which the best five count."
    shown = SHOWN[options.show_all, options.show_all_in]
    tournament = options.format == "sng"
    stack = options.starting_stack or (TOURNAMENT_STACK if tournament else CASH_STACK)
    end = about_tournament(options, seats, stack) if tournament else about_cash(options, stack)
    return f"{two} {about_blinds(options)} {shown} {UNSEEN} {end}"


def about_blinds(options: HoldemOptions) -> str:
    """Tell what is posted."""
    first = level_stakes(1, 0)
    tournament = options.format == "sng"
    small, big = (first.small, first.big) if tournament else (options.small_blind, options.big_blind)
    who = {"each": "from everybody", "big_blind": "from the big blind"}[options.ante_mode]
    ante = f", with an ante of {options.ante} {who}" if options.ante else ""
    begin = "begin at" if tournament else "are"
    return f"The blinds {begin} {small} and {big}{ante}; bet what you like."


def about_cash(options: DrawOptions | HoldemOptions, stack: int) -> str:
    """Tell how long a cash game lasts, and what happens to who loses all."""
    hands = "hand is" if options.hands == 1 else "hands are"
    return f"All begin with {stack} chips, and {options.hands} {hands} played. {REBUYS[options.rebuy]}"


def about_tournament(options: HoldemOptions, seats: int, stack: int) -> str:
    """Tell how a tournament goes."""
    minutes, count = options.minutes_per_level, options.hands_per_level
    every = f"{minutes} minutes" if minutes else "hand" if count == 1 else f"{count} hands"
    parts = "/".join(map(str, PRIZES[seats]))
    return (
        f"All begin with {stack} chips; the blinds rise every {every}."
        f" Whoever has none left is out, the last one wins; the prize is split {parts}."
    )
