"""This package holds the game of Two-Handed Hearts."""

from typing import Final, get_args

from domain.core.game import Answers, Facts, Game, Leaving, Lifecycle, Setup, Timing, Words
from domain.core.strengths import Figures, Strengths
from domain.games.two_handed_hearts.deal import DEAL
from domain.games.two_handed_hearts.events import (
    REFUSALS,
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
    TrickTaken,
    text,
)
from domain.games.two_handed_hearts.options import (
    TITLES,
    Options,
    bad_options,
    decider_options,
    describe_options,
    endless,
    most_hands,
)
from domain.games.two_handed_hearts.play import (
    ANSWERS,
    PHASES,
    ask,
    consequences,
    decide,
    default,
    legal,
    move_of,
    outcome,
    phase,
    refusal,
    stop,
    to_act,
)
from domain.games.two_handed_hearts.shown import KINDS, argument_places, known_facts, scene, view
from domain.games.two_handed_hearts.table import evolve, start

__all__ = ["GAME"]

SUMMARY: Final = (
    "Build your hand card by card, then play tricks in which hearts and the queen of spades "
    "cost points. The fewest points win."
)
"""The game in two or three sentences, for people who do not know it."""

GAME = Game(
    name="two_handed_hearts",
    setup=Setup(
        seats=range(2, 3),
        usual=2,
        options=Options,
        titles=TITLES,
        minutes=range(20, 41),
        most_hands=most_hands,
        bad_options=bad_options,
        deciding=decider_options,
        endless=endless,
        best_of=3,
        low_wins=True,
        strengths=Strengths(
            Figures(beta=1400.0, bots={"random": -10930, "easy": -1860, "steady": 1500, "strong": 1500}),
        ),
    ),
    moves={
        "keep_card": KeepCard,
        "reject_card": RejectCard,
        "play_card": PlayCard,
        "claim_revoke": ClaimRevoke,
        "pass_claim": PassClaim,
    },
    events=get_args(Event),
    lifecycle=Lifecycle(
        game_starts=GameStarted,
        game_ends=GameEnded,
        hand_starts=HandStarted,
        hand_ends=(HandScored,),
        tricks={CardPlayed: "trick_no", TrickTaken: "trick_no"},
    ),
    answers=Answers(
        by=ANSWERS,
        move_of=move_of,
        takes_back=frozenset([CardPlayed]),
        off_turn=frozenset([ClaimRevoke]),
        where=argument_places,
    ),
    leaving=Leaving(stop=stop),
    timing=Timing(default=default, minor=frozenset(["claiming"])),
    words=Words(
        title="Two-Handed Hearts",
        text=text,
        about=describe_options,
        rulebook=__name__,
        summary=SUMMARY,
        refusals=REFUSALS,
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
    phase=phase,
    view=view,
    scene=scene,
    rules="1",
    deal=DEAL,
    facts=Facts(kinds=KINDS, known=known_facts, phases=frozenset(PHASES.values())),
)
