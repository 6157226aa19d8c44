"""Hearts."""

from typing import get_args

from domain.core.game import Game
from domain.games.hearts.options import Options, about, bad_options, most_hands, resolve
from domain.games.hearts.play import (
    ANSWERS,
    PHASES,
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
    ask,
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
from domain.games.hearts.scene import scene

__all__ = ["GAME"]

GAME = Game(
    name="hearts", title="Hearts", seats=range(4, 5), usual=4, best_of=1, reveal="hand_end", low_wins=True,
    options=Options, presets={"seed": {}}, resolve=resolve, bad_options=bad_options, most_hands=most_hands,
    moves={"pass_cards": PassCards, "return_card": ReturnCard, "play_card": PlayCard},
    events=get_args(Event), game_starts=GameStarted, game_ends=GameEnded, hand_starts=HandStarted,
    hand_ends=(HandScored,),
    start=start, to_act=to_act, ask=ask, legal=legal, refusal=refusal, default=default,
    decide=decide, consequences=consequences, evolve=evolve, stop=stop, outcome=outcome,
    phase=lambda s: s.phase, view=view, scene=scene, move_of=move_of, answers=ANSWERS, text=text, about=about,
    takes_back=frozenset([CardPlayed, PassChosen, ReturnChosen]), asked_in=frozenset(PHASES.values()),
)  # fmt: skip
