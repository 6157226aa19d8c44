"""The game of five-card draw."""

from typing import Final

from domain.core.game import Answers, Facts, Game, Leaving, Lifecycle, Setup, Timing, Words
from domain.core.strengths import Figures, Strengths
from domain.games.five_card_draw import deal, options, play
from domain.poker import betting_events, betting_moves, betting_play, betting_shown
from domain.poker.betting_table import evolve, seats_out

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
        options=options.Options,
        titles=options.TITLES,
        minutes=range(20, 41),
        most_hands=options.most_hands,
        bad_options=options.bad_options,
        deciding=options.decider_options,
        presets=options.PRESETS,
        preset_titles={"no_limit": "No limit", "single_hands": "Stacks reset after each hand"},
        reveal="match_end",
        strengths=Strengths(
            Figures(
                beta=400.0,
                bots={"random": -2370, "easy": 820, "steady": 1500, "strong": 1500},
                lower_places_weight=0.6,
            ),
        ),
    ),
    moves={
        "fold": betting_moves.Fold,
        "check": betting_moves.Check,
        "call": betting_moves.Call,
        "bet": betting_moves.Bet,
        "raise": betting_moves.Raise,
        "all_in": betting_moves.AllIn,
        "swap_cards": betting_moves.SwapCards,
        "show_cards": betting_moves.ShowCards,
        "leave_table": betting_moves.LeaveTable,
    },
    events=(
        *betting_events.COMMON,
        betting_events.AntePosted,
        betting_events.DrawStarted,
        betting_events.CardsSwapped,
        betting_events.StockRanOut,
        betting_events.StockRebuilt,
        betting_events.DrawCompleted,
    ),
    lifecycle=Lifecycle(
        game_starts=betting_events.GameStarted,
        game_ends=betting_events.GameEnded,
        hand_starts=betting_events.HandStarted,
        hand_ends=(betting_events.HandSettled,),
    ),
    answers=Answers(
        by={**betting_play.ANSWERS, betting_events.CardsSwapped: "seat", betting_events.StockRanOut: "seat"},
        move_of=betting_play.move_of,
        off_turn=betting_moves.OFF_TURN,
        where=betting_shown.argument_places,
    ),
    leaving=Leaving(stop=betting_play.stop, resign=betting_play.resign, out=seats_out),
    timing=Timing(default=betting_play.default),
    words=Words(
        title="Five-Card Draw",
        text=betting_events.text,
        about=options.describe_options,
        rulebook=__name__,
        summary=SUMMARY,
        refusals=betting_moves.REFUSALS,
        explain=betting_play.explain,
        unseen="folded and mucked hands",
        hand_history=("N5D", "F5D"),
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
    scene=betting_shown.scene,
    deal=deal.DEAL,
    rules="1",
    facts=Facts(kinds=betting_shown.KINDS, known=betting_shown.known_facts, completed=betting_play.complete_move),
)
