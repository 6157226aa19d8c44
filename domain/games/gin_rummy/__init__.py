"""The game of Gin Rummy."""

from typing import Final, get_args

from domain.core.game import Answers, Facts, Game, Leaving, Lifecycle, Setup, Timing, Words
from domain.core.strengths import Figures, Strengths
from domain.games.gin_rummy import deal, events, play
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
from domain.games.gin_rummy.shown import KINDS, argument_places, known_facts, phase, prompt, scene, view
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
            Figures(beta=450.0, bots={"random": -7660, "easy": 1060, "steady": 1500, "strong": 1500}),
        ),
    ),
    moves={
        "take_upcard": events.TakeUpcard,
        "pass_upcard": events.PassUpcard,
        "draw_from_stock": events.DrawFromStock,
        "draw_from_discard": events.DrawFromDiscard,
        "discard": events.Discard,
        "knock": events.Knock,
        "big_gin": events.BigGin,
        "lay_off": events.LayOff,
    },
    events=get_args(events.Event),
    lifecycle=Lifecycle(
        game_starts=events.GameStarted,
        game_ends=events.GameEnded,
        hand_starts=events.HandStarted,
        hand_ends=(events.HandClosed,),
    ),
    answers=Answers(
        by=play.ANSWERS,
        move_of=play.move_of,
        takes_back=frozenset([events.UpcardPassed, events.DiscardTaken, events.CardDiscarded]),
        where=argument_places,
    ),
    leaving=Leaving(stop=play.stop),
    timing=Timing(default=play.default, minor=frozenset(["offer_nondealer", "offer_dealer", "lay_off"])),
    words=Words(
        title="Gin Rummy",
        text=events.text,
        about=describe_options,
        rulebook=__name__,
        summary=SUMMARY,
        refusals=events.REFUSALS,
        prompt=prompt,
    ),
    start=start,
    to_act=play.to_act,
    ask=play.ask,
    legal=play.legal,
    refusal=play.refusal,
    decide=play.decide,
    consequences=play.consequences,
    evolve=evolve,
    outcome=play.outcome,
    phase=phase,
    view=view,
    scene=scene,
    deal=deal.DEAL,
    facts=Facts(
        kinds=KINDS,
        known=known_facts,
        phases=frozenset(phase for phases in play.PHASES.values() for phase in phases),
        completes=frozenset([events.Knock]),
        completed=play.complete_move,
    ),
)
