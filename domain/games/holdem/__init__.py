"""The game of Texas hold'em."""

from typing import Final

from domain.core.game import Answers, Facts, Game, Leaving, Lifecycle, Setup, Timing, Words
from domain.core.staking import Staking
from domain.core.strengths import Figures, Strengths
from domain.games.holdem import deal, play
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
from domain.games.holdem.play import leaving, open_with_stacks
from domain.games.holdem.shown import scene
from domain.poker import betting_events, betting_moves, betting_play, betting_shown
from domain.poker.betting_table import evolve, seats_out
from domain.poker.sit_and_go import keep_level_time

__all__ = ["GAME"]

SUMMARY: Final = (
    "Make the best poker hand from your two cards and the five on the board, or bet until the others "
    "fold. The player with the most chips wins."
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
                "cash": Figures(1700.0, {"random": -7240, "easy": -910, "steady": 1500, "strong": 1500}),
                "sng": Figures(1700.0, {"random": -5020, "easy": -3980, "steady": 1500, "strong": 1500}),
            },
            titles={"cash": "cash games", "sng": "sit-and-go"},
        ),
    ),
    moves={
        "fold": betting_moves.Fold,
        "check": betting_moves.Check,
        "call": betting_moves.Call,
        "bet": betting_moves.Bet,
        "raise": betting_moves.Raise,
        "all_in": betting_moves.AllIn,
        "show_cards": betting_moves.ShowCards,
        "leave_table": betting_moves.LeaveTable,
    },
    events=(
        *betting_events.COMMON,
        betting_events.BlindPosted,
        betting_events.BigBlindAntePosted,
        betting_events.BoardDealt,
        betting_events.LevelsTimed,
        betting_events.LevelRaised,
        betting_events.PlayerEliminated,
        betting_events.TableResumed,
    ),
    lifecycle=Lifecycle(
        game_starts=betting_events.GameStarted,
        game_ends=betting_events.GameEnded,
        hand_starts=betting_events.HandStarted,
        hand_ends=(betting_events.HandSettled,),
        staking=Staking(stack=tournament_stack, opening=open_with_stacks, leaving=leaving, timed=levels_are_timed),
    ),
    answers=Answers(
        by=betting_play.ANSWERS,
        move_of=betting_play.move_of,
        off_turn=betting_moves.OFF_TURN,
        where=betting_shown.argument_places,
    ),
    leaving=Leaving(stop=betting_play.stop, resign=betting_play.resign, out=seats_out),
    timing=Timing(default=betting_play.default, before_hand=keep_level_time),
    words=Words(
        title="Texas Hold'em",
        text=betting_events.text,
        about=describe_options,
        rulebook=__name__,
        summary=SUMMARY,
        refusals=betting_moves.REFUSALS,
        explain=betting_play.explain,
        unseen="folded and mucked hands",
        hand_history=("NT",),
        prompt=betting_shown.prompt,
    ),
    start=play.start,
    to_act=betting_play.to_act,
    ask=betting_play.ask,
    legal=betting_play.legal,
    refusal=betting_play.refusal,
    decide=play.decide,
    consequences=play.consequences,
    evolve=evolve,
    outcome=betting_play.outcome,
    phase=lambda s: s.phase,
    view=betting_shown.view,
    scene=scene,
    deal=deal.DEAL,
    rules="1",
    facts=Facts(kinds=betting_shown.KINDS, known=betting_shown.known_facts, completed=betting_play.complete_move),
)
