"""Two-Handed Hearts."""

from typing import get_args

from domain.core.game import Game, as_written
from domain.games.two_handed_hearts.options import Options, about, bad_options, most_hands
from domain.games.two_handed_hearts.play import (
    ANSWERS,
    PHASES,
    CardPlayed,
    ClaimRevoke,
    Event,
    GameEnded,
    GameStarted,
    HandScored,
    HandStarted,
    KeepCard,
    PassClaim,
    PlayCard,
    RejectCard,
    ask,
    consequences,
    decide,
    default,
    evolve,
    legal,
    move_of,
    outcome,
    phase,
    refusal,
    start,
    stop,
    text,
    to_act,
    view,
)
from domain.games.two_handed_hearts.scene import scene

__all__ = ["GAME"]

GAME = Game(
    name="two_handed_hearts", title="Two-Handed Hearts", seats=range(2, 3), usual=2, best_of=3,
    reveal="hand_end", options=Options, presets={"seed": {}}, resolve=as_written, bad_options=bad_options,
    most_hands=most_hands, low_wins=True,
    moves={
        "keep_card": KeepCard, "reject_card": RejectCard, "play_card": PlayCard,
        "claim_revoke": ClaimRevoke, "pass_claim": PassClaim,
    },
    events=get_args(Event), game_starts=GameStarted, game_ends=GameEnded, hand_starts=HandStarted,
    hand_ends=(HandScored,),
    start=start, to_act=to_act, ask=ask, legal=legal, refusal=refusal, default=default,
    decide=decide, consequences=consequences, evolve=evolve, stop=stop, outcome=outcome,
    phase=phase, view=view, scene=scene, move_of=move_of, answers=ANSWERS, text=text, about=about,
    minor=frozenset(["claiming"]), takes_back=frozenset([CardPlayed]), asked_in=frozenset(PHASES.values()),
)  # fmt: skip
