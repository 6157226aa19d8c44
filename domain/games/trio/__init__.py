"""Trio.

`rules` has the options, `table` the moves, events and state, `play` what may be done and what follows, `show` what
is seen of it, and for how long.
"""

from typing import get_args

from domain.core.game import Game, as_written
from domain.games.trio.options import Options, about, bad_options, most_hands, sides
from domain.games.trio.play import (  # fmt: skip
    ANSWERS,
    PHASES,
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
from domain.games.trio.scene import scene
from domain.games.trio.table import (  # fmt: skip
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
from domain.games.trio.view import remembered, text, view

__all__ = ["GAME", "Options"]

GAME = Game(
    name="trio", title="Trio", seats=range(3, 7), usual=4, best_of=1, reveal="game_end",
    options=Options, presets={"seed": {}}, resolve=as_written, bad_options=bad_options, most_hands=most_hands,
    moves={
        "reveal_lowest": RevealLowest, "reveal_highest": RevealHighest, "reveal_middle": RevealMiddle,
        "offer_swap": OfferSwap, "decline_swap": DeclineSwap,
    },
    events=get_args(Event), game_starts=GameStarted, game_ends=GameEnded, hand_starts=HandStarted, hand_ends=(),
    start=start, to_act=to_act, ask=ask, legal=legal, refusal=refusal, default=default,
    decide=decide, consequences=consequences, evolve=evolve, stop=stop, outcome=outcome,
    phase=lambda s: s.phase, view=view, scene=scene, move_of=move_of, answers=ANSWERS, text=text, about=about,
    minor=frozenset(["swap_window"]), sides=sides, opening=opening, seconds=seconds, remembered=remembered,
    asked_in=frozenset(PHASES.values()),
)  # fmt: skip
