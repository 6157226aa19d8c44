"""High Card, a game for Dealt."""

from typing import get_args

from domain.core.game import Answers, FactKind, Facts, Game, Leaving, Lifecycle, Setup, Timing, Words
from high_card import play
from high_card.deal import DEAL
from high_card.options import Options, about, most_hands
from high_card.refusals import REFUSALS
from high_card.scene import scene

GAME = Game(
    name="high_card",
    setup=Setup(seats=range(2, 7), usual=3, options=Options, most_hands=most_hands),
    moves={"lay": play.Lay, "trade": play.Trade},
    events=get_args(play.Event),
    lifecycle=Lifecycle(
        game_starts=play.BoutOpened, game_ends=play.BoutClosed, hand_starts=play.RoundOpened,
        hand_ends=(play.RoundWon,), game_no="bout", hand_no="round",
    ),
    answers=Answers(by={play.CardLaid: "who", play.CardTraded: "who"}, move_of=play.move_of),
    leaving=Leaving(stop=play.stop),
    timing=Timing(default=play.default),
    words=Words(title="High Card", text=play.text, about=about, rulebook=__name__, refusals=REFUSALS),
    start=play.start,
    to_act=play.to_act,
    ask=play.ask,
    legal=play.legal,
    refusal=play.refusal,
    decide=play.decide,
    consequences=play.consequences,
    evolve=play.evolve,
    outcome=play.outcome,
    phase=lambda s: s.stage,
    view=play.view,
    scene=scene,
    deal=DEAL,
    facts=Facts(kinds={"lead": FactKind.NUMBER, "fan": FactKind.CARDS}, known=play.known),
)  # fmt: skip
