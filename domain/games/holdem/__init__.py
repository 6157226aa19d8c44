"""Texas hold'em."""

from domain.core.game import Game
from domain.games.holdem.play import consequences, decide, start
from domain.games.holdem.scene import scene
from domain.poker.events import OF_HOLDEM, GameEnded, GameStarted, HandSettled, HandStarted, text
from domain.poker.moves import AllIn, Bet, Call, Check, Fold, LeaveTable, Raise, ShowCards
from domain.poker.options import HOLDEM_PRESETS, HoldemOptions, bad_holdem_options, most_hands, resolve_holdem
from domain.poker.play import (
    ANSWERS,
    ask,
    completed,
    default,
    legal,
    move_of,
    outcome,
    refusal,
    resign,
    stop,
    to_act,
)
from domain.poker.sit_and_go import timed
from domain.poker.table import evolve, out
from domain.poker.text import about_holdem
from domain.poker.view import view

__all__ = ["GAME"]

GAME = Game(
    name="holdem", title="Texas Hold'em", seats=range(2, 11), usual=6, best_of=1, reveal="match_end",
    options=HoldemOptions, presets=HOLDEM_PRESETS, resolve=resolve_holdem, bad_options=bad_holdem_options,
    most_hands=most_hands, unseen="folded and mucked hands",
    moves={
        "fold": Fold, "check": Check, "call": Call, "bet": Bet, "raise": Raise, "all_in": AllIn,
        "show_cards": ShowCards, "leave_table": LeaveTable,
    },
    events=OF_HOLDEM, game_starts=GameStarted, game_ends=GameEnded, hand_starts=HandStarted,
    hand_ends=(HandSettled,),
    start=start, to_act=to_act, ask=ask, legal=legal, refusal=refusal, default=default,
    decide=decide, consequences=consequences, evolve=evolve, stop=stop, outcome=outcome,
    phase=lambda s: s.phase, view=view, scene=scene, move_of=move_of, answers=ANSWERS, text=text, about=about_holdem,
    completed=completed, resign=resign, out=out, timed=timed,
)  # fmt: skip
