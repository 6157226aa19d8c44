"""Gin Rummy."""

from typing import get_args

from domain.core.game import Game
from domain.games.gin_rummy.events import (
    CardDiscarded,
    DiscardTaken,
    Event,
    GameEnded,
    GameStarted,
    HandScored,
    HandStarted,
    HandVoided,
    UpcardPassed,
    text,
)
from domain.games.gin_rummy.moves import (
    BigGin,
    Discard,
    DrawFromDiscard,
    DrawFromStock,
    Knock,
    LayOff,
    PassUpcard,
    TakeUpcard,
)
from domain.games.gin_rummy.options import PRESETS, Options, about, bad_options, most_hands, resolve, sides
from domain.games.gin_rummy.play import (
    ANSWERS,
    PHASES,
    ask,
    asked_by_orders,
    completed,
    consequences,
    decide,
    default,
    hand_over,
    legal,
    move_of,
    outcome,
    refusal,
    stop,
    to_act,
)
from domain.games.gin_rummy.scene import scene
from domain.games.gin_rummy.table import evolve, start
from domain.games.gin_rummy.view import phase, view

__all__ = ["GAME", "Options"]

GAME = Game(
    name="gin_rummy", title="Gin Rummy", seats=range(2, 5), usual=2, best_of=1, reveal="hand_end",
    options=Options, presets=PRESETS, resolve=resolve, bad_options=bad_options, most_hands=most_hands,
    moves={
        "take_upcard": TakeUpcard, "pass_upcard": PassUpcard, "draw_from_stock": DrawFromStock,
        "draw_from_discard": DrawFromDiscard, "discard": Discard, "knock": Knock, "big_gin": BigGin,
        "lay_off": LayOff,
    },
    events=get_args(Event), game_starts=GameStarted, game_ends=GameEnded, hand_starts=HandStarted,
    hand_ends=(HandScored, HandVoided),
    start=start, to_act=to_act, ask=ask, legal=legal, refusal=refusal, default=default,
    decide=decide, consequences=consequences, evolve=evolve, stop=stop, outcome=outcome,
    phase=phase, view=view, scene=scene, move_of=move_of, answers=ANSWERS, text=text, about=about, sides=sides,
    hand_over=hand_over, asked_by_orders=asked_by_orders, own_facts=frozenset(["deadwood"]), completed=completed,
    completes=frozenset([Knock]), asked_in=frozenset(phase for phases in PHASES.values() for phase in phases),
    takes_back=frozenset([UpcardPassed, DiscardTaken, CardDiscarded]),
    minor=frozenset(["offer_nondealer", "offer_dealer", "lay_off"]),
)  # fmt: skip
