"""The game of Trio.

`rules` has the options, `table` the moves, events and state, `play` the legal moves and consequences, `show` the
visible data.
"""

from typing import Final, get_args

from domain.core.game import Answers, Entry, Facts, Game, Leaving, Lifecycle, Memory, Setup, Timing, Words
from domain.core.strengths import Figures, Strengths
from domain.games.trio import deal, play, shown, table
from domain.games.trio.options import TITLES, Options, bad_options, describe_options, may_chat, most_hands, sides

__all__ = ["GAME", "Options"]

SUMMARY: Final = (
    "Find three cards with the same number: ask for the lowest or highest card of a hand, or turn "
    "over a card in the middle. Collect three trios, or the trio of sevens, to win."
)
"""The game in two or three sentences, for people who do not know it."""

GAME = Game(
    name="trio",
    setup=Setup(
        seats=range(3, 7),
        usual=4,
        options=Options,
        titles=TITLES,
        minutes=range(10, 21),
        most_hands=most_hands,
        bad_options=bad_options,
        reveal="game_end",
        sides=sides,
        may_chat=may_chat,
        strengths=Strengths(
            # The first win ends the game, and the places below it say little about strength.
            Figures(
                beta=450.0,
                bots={"random": -4290, "easy": -240, "steady": 1500, "strong": 1500},
                lower_places_weight=0.5,
            ),
        ),
    ),
    moves={
        "reveal_lowest": table.RevealLowest,
        "reveal_highest": table.RevealHighest,
        "reveal_middle": table.RevealMiddle,
        "offer_swap": table.OfferSwap,
        "decline_swap": table.DeclineSwap,
    },
    events=get_args(table.Event),
    lifecycle=Lifecycle(game_starts=table.GameStarted, game_ends=table.GameEnded, hand_starts=table.HandStarted),
    answers=Answers(by=play.ANSWERS, move_of=play.move_of, where=shown.argument_places),
    leaving=Leaving(stop=play.stop),
    timing=Timing(default=play.default, minor=frozenset(["swap_window"]), seconds=play.seconds),
    words=Words(
        title="Trio",
        text=shown.text,
        about=describe_options,
        rulebook=__name__,
        summary=SUMMARY,
        refusals=play.REFUSALS,
        prompt=shown.prompt,
    ),
    start=table.start,
    to_act=play.to_act,
    ask=play.ask,
    legal=play.legal,
    refusal=play.refusal,
    decide=play.decide,
    consequences=play.consequences,
    evolve=table.evolve,
    outcome=play.outcome,
    phase=lambda s: s.phase,
    view=shown.view,
    scene=shown.scene,
    deal=deal.DEAL,
    entry=Entry(event=table.AvocadoRemembered, opening=play.opening),
    facts=Facts(kinds=shown.KINDS, known=shown.known_facts, phases=frozenset(play.PHASES.values())),
    memory=Memory(shown.still_remembered),
)
