"""High Card, a game for Dealt."""

from typing import get_args

from domain.core.dealing import DealCheck, usual_deal
from domain.core.game import Answers, FactKind, Facts, Game, Leaving, Lifecycle, Setup, Timing, Words
from high_card import play

GAME = Game(
    name="high_card", moves={"lay": play.Lay}, events=get_args(play.Event),
    setup=Setup(seats=range(2, 7), usual=3, options=play.Options, most_hands=lambda options, seats: options.rounds),
    lifecycle=Lifecycle(
        game_starts=play.BoutOpened, game_ends=play.BoutClosed, hand_starts=play.RoundOpened,
        hand_ends=(play.RoundWon,), game_no="bout", hand_no="round",
    ),
    answers=Answers(by={play.CardLaid: "who"}, move_of=play.move_of, where=play.where),
    leaving=Leaving(stop=play.stop), timing=Timing(default=play.default),
    words=Words(title="High Card", text=play.text, about=play.about, rulebook=__name__),
    start=play.start, to_act=play.to_act, ask=play.ask, legal=play.legal, refusal=play.refusal,
    decide=play.decide, consequences=play.consequences, evolve=play.evolve,
    outcome=lambda s: s.result, phase=lambda s: s.stage, view=play.view, scene=play.scene,
    deal=DealCheck({play.FansDealt: usual_deal(play.FAN, hands="fans", rest="talon")}),
    facts=Facts(kinds={"lead": FactKind.NUMBER}, known=play.known),
)  # fmt: skip
