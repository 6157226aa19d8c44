"""This package holds the game of Trio.

`rules` has the options, `table` the moves, events and state, `play` what may be done and what follows, `show` what
is seen of it, and for how long.
"""

from typing import Final, get_args

from domain.core.game import Answers, Entry, Facts, Game, Leaving, Lifecycle, Memory, Setup, Timing, Words
from domain.core.strengths import Figures, Strengths
from domain.games.trio.deal import DEAL
from domain.games.trio.options import TITLES, Options, bad_options, describe_options, may_chat, most_hands, sides
from domain.games.trio.play import (
    ANSWERS,
    PHASES,
    REFUSALS,
    ask,
    consequences,
    decide,
    default,
    legal,
    move_of,
    opening,
    outcome,
    refusal,
    seconds,
    stop,
    to_act,
)
from domain.games.trio.shown import KINDS, argument_places, known_facts, scene, still_remembered, text, view
from domain.games.trio.table import (
    AvocadoRemembered,
    DeclineSwap,
    Event,
    GameEnded,
    GameStarted,
    HandStarted,
    OfferSwap,
    RevealHighest,
    RevealLowest,
    RevealMiddle,
    evolve,
    start,
)

__all__ = ["GAME", "Options"]

SUMMARY: Final = (
    "Find three cards with the same number: ask for the lowest or highest card of a hand, or turn "
    "over a card in the middle. Collect three trios, or the trio of sevens, to win."
)
"""The game in two or three sentences, for people who do not know it."""

GAME = Game(
    name="trio",
    setup=Setup(
        seats=range(3, 7),
        usual=4,
        options=Options,
        titles=TITLES,
        minutes=range(10, 21),
        most_hands=most_hands,
        bad_options=bad_options,
        reveal="game_end",
        sides=sides,
        may_chat=may_chat,
        strengths=Strengths(
            # The game is over as soon as somebody wins, and the places below that say little of strength.
            Figures(
                beta=450.0,
                bots={"random": -4290, "easy": -240, "steady": 1500, "strong": 1500},
                lower_places_weight=0.5,
            ),
        ),
    ),
    moves={
        "reveal_lowest": RevealLowest,
        "reveal_highest": RevealHighest,
        "reveal_middle": RevealMiddle,
        "offer_swap": OfferSwap,
        "decline_swap": DeclineSwap,
    },
    events=get_args(Event),
    lifecycle=Lifecycle(game_starts=GameStarted, game_ends=GameEnded, hand_starts=HandStarted),
    answers=Answers(by=ANSWERS, move_of=move_of, where=argument_places),
    leaving=Leaving(stop=stop),
    timing=Timing(default=default, minor=frozenset(["swap_window"]), seconds=seconds),
    words=Words(title="Trio", text=text, about=describe_options, rulebook=__name__, summary=SUMMARY, refusals=REFUSALS),
    start=start,
    to_act=to_act,
    ask=ask,
    legal=legal,
    refusal=refusal,
    decide=decide,
    consequences=consequences,
    evolve=evolve,
    outcome=outcome,
    phase=lambda s: s.phase,
    view=view,
    scene=scene,
    deal=DEAL,
    entry=Entry(event=AvocadoRemembered, opening=opening),
    facts=Facts(kinds=KINDS, known=known_facts, phases=frozenset(PHASES.values())),
    memory=Memory(still_remembered),
)
