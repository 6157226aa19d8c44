"""This package holds the game of Texas hold'em."""

from typing import Final

from domain.core.game import Answers, Facts, Game, Leaving, Lifecycle, Setup, Timing, Words
from domain.core.staking import Staking
from domain.core.strengths import Figures, Strengths
from domain.games.holdem.deal import DEAL
from domain.games.holdem.options import (
    PRESETS,
    Options,
    bad_options,
    decider_options,
    describe_options,
    levels_are_timed,
    most_hands,
    resolve,
    tournament_stack,
)
from domain.games.holdem.play import consequences, decide, start
from domain.games.holdem.scene import scene
from domain.poker.betting_events import (
    COMMON,
    BigBlindAntePosted,
    BlindPosted,
    BoardDealt,
    GameEnded,
    GameStarted,
    HandSettled,
    HandStarted,
    LevelRaised,
    LevelsTimed,
    PlayerEliminated,
    TableResumed,
)
from domain.poker.betting_facts import KINDS, known_facts
from domain.poker.betting_moves import OFF_TURN, AllIn, Bet, Call, Check, Fold, LeaveTable, Raise, ShowCards
from domain.poker.betting_play import (
    ANSWERS,
    ask,
    complete_move,
    default,
    legal,
    move_of,
    outcome,
    refusal,
    resign,
    stop,
    to_act,
)
from domain.poker.betting_refusals import REFUSALS
from domain.poker.betting_scene import argument_places
from domain.poker.betting_table import evolve, seats_out
from domain.poker.betting_texts import text
from domain.poker.betting_view import view
from domain.poker.sit_and_go import keep_level_time
from domain.poker.stages import leaving, open_with_stacks

__all__ = ["GAME"]

SUMMARY: Final = (
    "Make the best poker hand from your two cards and the five on the board, or bet until the others "
    "fold. The most chips win."
)
"""The game in two or three sentences, for people who do not know it."""

GAME = Game(
    name="holdem",
    setup=Setup(
        seats=range(2, 11),
        usual=6,
        options=Options,
        titles={
            "format": {"sng": "Tournament (sit-and-go)", "cash": "Cash game"},
            "ante_mode": {"each": "Every seat", "big_blind": "The big blind, for all"},
            "rebuy": {"on_bust": "When out of chips", "each_hand": "After each hand"},
        },
        minutes=range(30, 61),
        most_hands=most_hands,
        bad_options=bad_options,
        deciding=decider_options,
        resolve=resolve,
        presets=PRESETS,
        preset_titles={
            "sit_and_go": "A tournament at one table (sit-and-go)",
            "single_hands": "Stacks reset after each hand",
        },
        reveal="match_end",
        strengths=Strengths(
            classes=lambda options, seats: options.format,
            apart={
                "cash": Figures(1700.0, {"random": -7240, "easy": -3800, "steady": 1500, "strong": 1500}),
                "sng": Figures(1700.0, {"random": -5020, "easy": -3300, "steady": 1500, "strong": 1500}),
            },
            titles={"cash": "cash games", "sng": "sit-and-go"},
        ),
    ),
    moves={
        "fold": Fold,
        "check": Check,
        "call": Call,
        "bet": Bet,
        "raise": Raise,
        "all_in": AllIn,
        "show_cards": ShowCards,
        "leave_table": LeaveTable,
    },
    events=(
        *COMMON,
        BlindPosted,
        BigBlindAntePosted,
        BoardDealt,
        LevelsTimed,
        LevelRaised,
        PlayerEliminated,
        TableResumed,
    ),
    lifecycle=Lifecycle(
        game_starts=GameStarted,
        game_ends=GameEnded,
        hand_starts=HandStarted,
        hand_ends=(HandSettled,),
        staking=Staking(stack=tournament_stack, opening=open_with_stacks, leaving=leaving, timed=levels_are_timed),
    ),
    answers=Answers(by=ANSWERS, move_of=move_of, off_turn=OFF_TURN, where=argument_places),
    leaving=Leaving(stop=stop, resign=resign, out=seats_out),
    timing=Timing(default=default, before_hand=keep_level_time),
    words=Words(
        title="Texas Hold'em",
        text=text,
        about=describe_options,
        rulebook=__name__,
        summary=SUMMARY,
        refusals=REFUSALS,
        unseen="folded and mucked hands",
        hand_history=("NT",),
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
    rules="1",
    facts=Facts(kinds=KINDS, known=known_facts, completed=complete_move),
)
