"""This package holds the game of Gin Rummy."""

from typing import Final, get_args

from domain.core.game import Answers, Facts, Game, Leaving, Lifecycle, Setup, Timing, Words
from domain.core.strengths import Figures, Strengths
from domain.games.gin_rummy.deal import DEAL
from domain.games.gin_rummy.events import (
    CardDiscarded,
    DiscardTaken,
    Event,
    GameEnded,
    GameStarted,
    HandClosed,
    HandStarted,
    UpcardPassed,
    text,
)
from domain.games.gin_rummy.moves import (
    REFUSALS,
    BigGin,
    Discard,
    DrawFromDiscard,
    DrawFromStock,
    Knock,
    LayOff,
    PassUpcard,
    TakeUpcard,
)
from domain.games.gin_rummy.options import (
    PRESETS,
    TITLES,
    Options,
    bad_options,
    decider_options,
    describe_options,
    most_hands,
    resolve,
    sides,
)
from domain.games.gin_rummy.play import (
    ANSWERS,
    PHASES,
    ask,
    complete_move,
    consequences,
    decide,
    default,
    legal,
    move_of,
    outcome,
    refusal,
    stop,
    to_act,
)
from domain.games.gin_rummy.shown import KINDS, argument_places, known_facts, phase, scene, view
from domain.games.gin_rummy.table import evolve, start

__all__ = ["GAME", "Options"]

SUMMARY: Final = (
    "Draw and discard until your cards form sets of a rank and runs of a suit. Knock with less deadwood "
    "than your opponent to score the difference."
)
"""The game in two or three sentences, for people who do not know it."""

GAME = Game(
    name="gin_rummy",
    rules="1",
    setup=Setup(
        seats=range(2, 5),
        usual=2,
        options=Options,
        titles=TITLES,
        minutes=range(15, 31),
        most_hands=most_hands,
        bad_options=bad_options,
        deciding=decider_options,
        resolve=resolve,
        presets=PRESETS,
        preset_titles={"club": "Club rules: bonuses for games, hands and big gin"},
        sides=sides,
        strengths=Strengths(
            Figures(beta=450.0, bots={"random": -7660, "easy": -1520, "steady": 1500, "strong": 1500}),
        ),
    ),
    moves={
        "take_upcard": TakeUpcard,
        "pass_upcard": PassUpcard,
        "draw_from_stock": DrawFromStock,
        "draw_from_discard": DrawFromDiscard,
        "discard": Discard,
        "knock": Knock,
        "big_gin": BigGin,
        "lay_off": LayOff,
    },
    events=get_args(Event),
    lifecycle=Lifecycle(
        game_starts=GameStarted,
        game_ends=GameEnded,
        hand_starts=HandStarted,
        hand_ends=(HandClosed,),
    ),
    answers=Answers(
        by=ANSWERS,
        move_of=move_of,
        takes_back=frozenset([UpcardPassed, DiscardTaken, CardDiscarded]),
        where=argument_places,
    ),
    leaving=Leaving(stop=stop),
    timing=Timing(default=default, minor=frozenset(["offer_nondealer", "offer_dealer", "lay_off"])),
    words=Words(
        title="Gin Rummy", text=text, about=describe_options, rulebook=__name__, summary=SUMMARY, refusals=REFUSALS
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
    facts=Facts(
        kinds=KINDS,
        known=known_facts,
        phases=frozenset(phase for phases in PHASES.values() for phase in phases),
        completes=frozenset([Knock]),
        completed=complete_move,
    ),
)
