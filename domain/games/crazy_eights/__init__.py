"""Crazy Eights."""

from typing import get_args

from domain.core.game import Game, as_written
from domain.games.crazy_eights.options import Options, about, bad_options, most_hands
from domain.games.crazy_eights.play import (
    ANSWERS,
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
    ask,
    completed,
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
    text,
    to_act,
    view,
)
from domain.games.crazy_eights.scene import scene

__all__ = ["GAME"]

GAME = Game(
    name="crazy_eights", title="Crazy Eights", seats=range(2, 11), usual=4, best_of=1, reveal="hand_end",
    options=Options, presets={"seed": {}, "bga": {"two_player_seven": True, "restock": True}},
    resolve=as_written, bad_options=bad_options, most_hands=most_hands,
    moves={"play_card": PlayCard, "draw_card": DrawCard, "pass_turn": PassTurn},
    events=get_args(Event), game_starts=GameStarted, game_ends=GameEnded, hand_starts=HandStarted,
    hand_ends=(HandScored,),
    start=start, to_act=to_act, ask=ask, legal=legal, refusal=refusal, default=default,
    decide=decide, consequences=consequences, evolve=evolve, stop=stop, outcome=outcome,
    phase=lambda s: s.phase, view=view, scene=scene, move_of=move_of, answers=ANSWERS, text=text, about=about, completed=completed,
    takes_back=frozenset([CardPlayed, TurnPassed]), asked_in=frozenset(["turn"]),
)  # fmt: skip
