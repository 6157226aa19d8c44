"""The game of Crazy Eights."""

from typing import Final, get_args

from domain.core.game import Answers, Facts, Game, Leaving, Lifecycle, Setup, Timing, Words
from domain.core.strengths import Figures, Strengths
from domain.games.crazy_eights import deal, events, options, rules, shown

__all__ = ["GAME"]

SUMMARY: Final = (
    "Match the last card in suit or rank, play a wild eight, or draw. The first player to run out of cards wins."
)
"""The game in two or three sentences, for people who do not know it."""

GAME = Game(
    name="crazy_eights",
    setup=Setup(
        seats=range(2, 11),
        usual=4,
        options=options.Options,
        titles=options.TITLES,
        preset_titles={"bga": "Two players get seven cards; the stock is renewed"},
        minutes=range(5, 11),
        most_hands=options.most_hands,
        bad_options=options.bad_options,
        deciding=options.decider_options,
        presets={"seed": {}, "bga": {"two_player_seven": True, "restock": True}},
        strengths=Strengths(
            Figures(
                beta=1200.0,
                bots={"random": -1700, "easy": 820, "steady": 1500, "strong": 1500},
                lower_places_weight=0.3,
            ),
        ),
    ),
    moves={"play_card": events.PlayCard, "draw_card": events.DrawCard, "pass_turn": events.PassTurn},
    events=get_args(events.Event),
    lifecycle=Lifecycle(
        game_starts=events.GameStarted,
        game_ends=events.GameEnded,
        hand_starts=events.HandStarted,
        hand_ends=(events.HandScored,),
        begun_alike=options.begun_alike,
    ),
    answers=Answers(
        by=rules.ANSWERS,
        move_of=rules.move_of,
        takes_back=frozenset([events.CardPlayed, events.TurnPassed]),
        where=shown.argument_places,
    ),
    leaving=Leaving(stop=rules.stop),
    timing=Timing(default=rules.default),
    words=Words(
        title="Crazy Eights",
        text=events.text,
        about=options.describe_options,
        rulebook=__name__,
        summary=SUMMARY,
        refusals=events.REFUSALS,
        prompt=shown.prompt,
    ),
    start=rules.start,
    to_act=rules.to_act,
    ask=rules.ask,
    legal=rules.legal,
    refusal=rules.refusal,
    decide=rules.decide,
    consequences=rules.consequences,
    evolve=rules.evolve,
    outcome=rules.outcome,
    phase=lambda s: s.phase,
    view=shown.view,
    scene=shown.scene,
    deal=deal.DEAL,
    facts=Facts(kinds=shown.KINDS, known=shown.known_facts, phases=frozenset(["turn"]), completed=rules.complete_move),
)
