"""This package holds the game of Hearts."""

from typing import Final, get_args

from domain.core.game import Answers, Facts, Game, Leaving, Lifecycle, Setup, Timing, Words
from domain.core.strengths import Figures, Strengths
from domain.games.hearts.deal import DEAL
from domain.games.hearts.events import (
    REFUSALS,
    CardPlayed,
    Event,
    GameEnded,
    GameStarted,
    HandScored,
    HandStarted,
    PassCards,
    PassChosen,
    PlayCard,
    ReturnCard,
    ReturnChosen,
    TrickTaken,
    text,
)
from domain.games.hearts.options import (
    PRESET_TITLES,
    PRESETS,
    TITLES,
    WRITTEN,
    Options,
    bad_options,
    begun_alike,
    decider_options,
    describe_options,
    most_hands,
    resolve,
    variants,
)
from domain.games.hearts.play import (
    ANSWERS,
    PHASES,
    ask,
    consequences,
    decide,
    default,
    legal,
    move_of,
    outcome,
    phase,
    refusal,
    stop,
    to_act,
)
from domain.games.hearts.shown import KINDS, argument_places, known_facts, scene, view
from domain.games.hearts.table import evolve, start

__all__ = ["GAME"]

SUMMARY: Final = (
    "Hearts and the queen of spades cost you points in tricks of four cards. "
    "Avoid them or take all of them: the fewest points win."
)
"""The game in two or three sentences, for people who do not know it."""

GAME = Game(
    name="hearts",
    setup=Setup(
        seats=range(4, 5),
        usual=4,
        options=Options,
        titles=TITLES,
        presets=PRESETS,
        preset_titles=PRESET_TITLES,
        usual_preset="standard",
        minutes=range(30, 61),
        most_hands=most_hands,
        bad_options=bad_options,
        deciding=decider_options,
        resolve=resolve,
        low_wins=True,
        variants=variants(),
        written=WRITTEN,
        strengths=Strengths(
            Figures(beta=500.0, bots={"random": -4540, "easy": -1230, "steady": 1500, "strong": 1500}),
        ),
    ),
    moves={"pass_cards": PassCards, "return_card": ReturnCard, "play_card": PlayCard},
    events=get_args(Event),
    lifecycle=Lifecycle(
        game_starts=GameStarted,
        game_ends=GameEnded,
        hand_starts=HandStarted,
        hand_ends=(HandScored,),
        begun_alike=begun_alike,
        tricks={CardPlayed: "trick_no", TrickTaken: "trick_no"},
    ),
    answers=Answers(
        by=ANSWERS, move_of=move_of, takes_back=frozenset([CardPlayed, PassChosen, ReturnChosen]), where=argument_places
    ),
    leaving=Leaving(stop=stop),
    timing=Timing(default=default),
    words=Words(
        title="Hearts", text=text, about=describe_options, rulebook=__name__, summary=SUMMARY, refusals=REFUSALS
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
    phase=phase,
    view=view,
    scene=scene,
    deal=DEAL,
    facts=Facts(kinds=KINDS, known=known_facts, phases=frozenset(PHASES.values())),
)
