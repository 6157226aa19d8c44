"""This package holds the game of Crazy Eights."""

from typing import Final, get_args

from domain.core.game import Answers, Facts, Game, Leaving, Lifecycle, Setup, Timing, Words
from domain.core.strengths import Figures, Strengths
from domain.games.crazy_eights.deal import DEAL
from domain.games.crazy_eights.events import (
    REFUSALS,
    CardPlayed,
    DrawCard,
    Event,
    GameEnded,
    GameStarted,
    HandScored,
    HandStarted,
    PassTurn,
    PlayCard,
    TurnPassed,
    text,
)
from domain.games.crazy_eights.options import (
    TITLES,
    Options,
    bad_options,
    begun_alike,
    decider_options,
    describe_options,
    most_hands,
)
from domain.games.crazy_eights.rules import (
    ANSWERS,
    ask,
    complete_move,
    consequences,
    decide,
    default,
    evolve,
    legal,
    move_of,
    outcome,
    refusal,
    start,
    stop,
    to_act,
)
from domain.games.crazy_eights.shown import KINDS, argument_places, known_facts, scene, view

__all__ = ["GAME"]

SUMMARY: Final = (
    "Match the last card in suit or rank, play a wild eight, or draw. The first player to run out of cards wins."
)
"""The game in two or three sentences, for people who do not know it."""

GAME = Game(
    name="crazy_eights",
    setup=Setup(
        seats=range(2, 11),
        usual=4,
        options=Options,
        titles=TITLES,
        preset_titles={"bga": "Two players get seven cards; the stock is renewed"},
        minutes=range(5, 11),
        most_hands=most_hands,
        bad_options=bad_options,
        deciding=decider_options,
        presets={"seed": {}, "bga": {"two_player_seven": True, "restock": True}},
        strengths=Strengths(
            Figures(
                beta=1200.0,
                bots={"random": -1700, "easy": 390, "steady": 1500, "strong": 1500},
                lower_places_weight=0.3,
            ),
        ),
    ),
    moves={"play_card": PlayCard, "draw_card": DrawCard, "pass_turn": PassTurn},
    events=get_args(Event),
    lifecycle=Lifecycle(
        game_starts=GameStarted,
        game_ends=GameEnded,
        hand_starts=HandStarted,
        hand_ends=(HandScored,),
        begun_alike=begun_alike,
    ),
    answers=Answers(by=ANSWERS, move_of=move_of, takes_back=frozenset([CardPlayed, TurnPassed]), where=argument_places),
    leaving=Leaving(stop=stop),
    timing=Timing(default=default),
    words=Words(
        title="Crazy Eights", text=text, about=describe_options, rulebook=__name__, summary=SUMMARY, refusals=REFUSALS
    ),
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
    facts=Facts(kinds=KINDS, known=known_facts, phases=frozenset(["turn"]), completed=complete_move),
)
