"""The game of Two-Handed Hearts."""

from typing import Final, get_args

from domain.core.game import Answers, Facts, Game, Leaving, Lifecycle, Setup, Timing, Words
from domain.core.strengths import Figures, Strengths
from domain.games.two_handed_hearts import deal, events, options, rules, shown

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
        options=options.Options,
        titles=options.TITLES,
        minutes=range(20, 41),
        most_hands=options.most_hands,
        bad_options=options.bad_options,
        deciding=options.decider_options,
        endless=options.endless,
        best_of=3,
        low_wins=True,
        strengths=Strengths(
            Figures(beta=1400.0, bots={"random": -10930, "easy": -7920, "steady": 1500, "strong": 1500}),
        ),
    ),
    moves={
        "keep_card": events.KeepCard,
        "reject_card": events.RejectCard,
        "play_card": events.PlayCard,
        "claim_revoke": events.ClaimRevoke,
        "pass_claim": events.PassClaim,
    },
    events=get_args(events.Event),
    lifecycle=Lifecycle(
        game_starts=events.GameStarted,
        game_ends=events.GameEnded,
        hand_starts=events.HandStarted,
        hand_ends=(events.HandScored,),
        tricks={events.CardPlayed: "trick_no", events.TrickTaken: "trick_no"},
    ),
    answers=Answers(
        by=rules.ANSWERS,
        move_of=rules.move_of,
        takes_back=frozenset([events.CardPlayed]),
        off_turn=frozenset([events.ClaimRevoke]),
        where=shown.argument_places,
    ),
    leaving=Leaving(stop=rules.stop),
    timing=Timing(default=rules.default, minor=frozenset(["claiming"])),
    words=Words(
        title="Two-Handed Hearts",
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
    phase=rules.phase,
    view=shown.view,
    scene=shown.scene,
    rules="1",
    deal=deal.DEAL,
    facts=Facts(kinds=shown.KINDS, known=shown.known_facts, phases=frozenset(rules.PHASES.values())),
)
