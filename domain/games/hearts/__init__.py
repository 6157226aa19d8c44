"""The game of Hearts."""

from typing import Final, get_args

from domain.core.game import Answers, Facts, Game, Leaving, Lifecycle, Setup, Timing, Words
from domain.core.strengths import Figures, Strengths
from domain.games.hearts import deal, events, options, rules, shown

__all__ = ["GAME"]

SUMMARY: Final = (
    "Hearts and the queen of spades cost you points in tricks of four cards. "
    "Avoid them or take all of them: the fewest points win."
)
"""The game in two or three sentences, for people who do not know it."""

GAME = Game(
    name="hearts",
    setup=Setup(
        seats=range(4, 5),
        usual=4,
        options=options.Options,
        titles=options.TITLES,
        presets=options.PRESETS,
        preset_titles=options.PRESET_TITLES,
        usual_preset="standard",
        minutes=range(30, 61),
        most_hands=options.most_hands,
        bad_options=options.bad_options,
        deciding=options.decider_options,
        resolve=options.resolve,
        low_wins=True,
        variants=options.variants(),
        written=options.WRITTEN,
        strengths=Strengths(
            Figures(beta=500.0, bots={"random": -4540, "easy": -200, "steady": 1500, "strong": 1500}),
        ),
    ),
    moves={"pass_cards": events.PassCards, "return_card": events.ReturnCard, "play_card": events.PlayCard},
    events=get_args(events.Event),
    lifecycle=Lifecycle(
        game_starts=events.GameStarted,
        game_ends=events.GameEnded,
        hand_starts=events.HandStarted,
        hand_ends=(events.HandScored,),
        begun_alike=options.begun_alike,
        tricks={events.CardPlayed: "trick_no", events.TrickTaken: "trick_no"},
    ),
    answers=Answers(
        by=rules.ANSWERS,
        move_of=rules.move_of,
        takes_back=frozenset([events.CardPlayed, events.PassChosen, events.ReturnChosen]),
        where=shown.argument_places,
    ),
    leaving=Leaving(stop=rules.stop),
    timing=Timing(default=rules.default),
    words=Words(
        title="Hearts",
        text=events.text,
        about=options.describe_options,
        rulebook=__name__,
        summary=SUMMARY,
        refusals=events.REFUSALS,
        explain=rules.explain,
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
    deal=deal.DEAL,
    facts=Facts(kinds=shown.KINDS, known=shown.known_facts, phases=frozenset(rules.PHASES.values())),
)
