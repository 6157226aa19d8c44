"""This package holds the game of five-card draw."""

from typing import Final

from domain.core.game import Answers, Facts, Game, Leaving, Lifecycle, Setup, Timing, Words
from domain.core.strengths import Figures, Strengths
from domain.games.five_card_draw.deal import DEAL
from domain.games.five_card_draw.options import (
    PRESETS,
    TITLES,
    Options,
    bad_options,
    decider_options,
    describe_options,
    most_hands,
)
from domain.games.five_card_draw.play import consequences, decide, start
from domain.games.five_card_draw.scene import scene
from domain.poker.betting_events import (
    COMMON,
    AntePosted,
    CardsSwapped,
    DrawCompleted,
    DrawStarted,
    GameEnded,
    GameStarted,
    HandSettled,
    HandStarted,
    StockRanOut,
    StockRebuilt,
)
from domain.poker.betting_facts import KINDS, known_facts
from domain.poker.betting_moves import OFF_TURN, AllIn, Bet, Call, Check, Fold, LeaveTable, Raise, ShowCards, SwapCards
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

__all__ = ["GAME"]

SUMMARY: Final = (
    "You get five cards, may exchange some, and bet in two rounds. The best poker hand wins the pot, "
    "or the last player who has not folded."
)
"""The game in two or three sentences, for people who do not know it."""

GAME = Game(
    name="five_card_draw",
    setup=Setup(
        seats=range(2, 7),
        usual=4,
        options=Options,
        titles=TITLES,
        minutes=range(20, 41),
        most_hands=most_hands,
        bad_options=bad_options,
        deciding=decider_options,
        presets=PRESETS,
        preset_titles={"no_limit": "No limit", "single_hands": "Stacks reset after each hand"},
        reveal="match_end",
        strengths=Strengths(
            Figures(
                beta=400.0,
                bots={"random": -2370, "easy": -910, "steady": 1500, "strong": 1500},
                lower_places_weight=0.6,
            ),
        ),
    ),
    moves={
        "fold": Fold,
        "check": Check,
        "call": Call,
        "bet": Bet,
        "raise": Raise,
        "all_in": AllIn,
        "swap_cards": SwapCards,
        "show_cards": ShowCards,
        "leave_table": LeaveTable,
    },
    events=(*COMMON, AntePosted, DrawStarted, CardsSwapped, StockRanOut, StockRebuilt, DrawCompleted),
    lifecycle=Lifecycle(
        game_starts=GameStarted, game_ends=GameEnded, hand_starts=HandStarted, hand_ends=(HandSettled,)
    ),
    answers=Answers(
        by={**ANSWERS, CardsSwapped: "seat", StockRanOut: "seat"},
        move_of=move_of,
        off_turn=OFF_TURN,
        where=argument_places,
    ),
    leaving=Leaving(stop=stop, resign=resign, out=seats_out),
    timing=Timing(default=default),
    words=Words(
        title="Five-Card Draw",
        text=text,
        about=describe_options,
        rulebook=__name__,
        summary=SUMMARY,
        refusals=REFUSALS,
        unseen="folded and mucked hands",
        hand_history=("N5D", "F5D"),
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
