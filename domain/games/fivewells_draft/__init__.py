"""Holds the draft of Fivewells: packs are opened and passed, cards picked, decks built."""

from typing import Final, get_args

from domain.card_sets.cards.library import SETS
from domain.card_sets.collectibles import COLLECTIBLES
from domain.core.game import Answers, Game, Leaving, Lifecycle, Setup, Timing, Words
from domain.games.fivewells_draft import deal, events, rules, shown
from domain.games.fivewells_draft.options import SEALED, Options, bad_options, describe_options, most_hands

__all__ = ["GAME", "Options"]

SUMMARY: Final = (
    "Take one card from a pack and pass the rest on, until all cards are taken. Then build a deck "
    "from your picks, for duels of Fivewells."
)
"""The game in two or three sentences, for people who do not know it."""

GAME = Game(
    name="fivewells_draft",
    setup=Setup(
        seats=range(2, 9),
        usual=8,
        options=Options,
        titles={"packs": {code: SETS[code].name for code in SETS}},
        minutes=range(15, 31),
        most_hands=most_hands,
        bad_options=bad_options,
        presets={"seed": {}, "sealed": SEALED},
        preset_titles={"sealed": "Sealed: players keep what they open"},
        reveal="match_end",
        winnable=False,
        cards=COLLECTIBLES,
    ),
    moves={"pick_card": events.PickCard, "submit_deck": events.SubmitDeck},
    events=get_args(events.Event),
    lifecycle=Lifecycle(
        game_starts=events.GameStarted,
        game_ends=events.GameEnded,
        hand_starts=events.HandStarted,
        hand_ends=(events.RoundEnded,),
        gains=rules.gains,
    ),
    answers=Answers(
        by={events.CardPicked: "seat", events.DeckSubmitted: "seat"}, move_of=rules.move_of, where=shown.argument_places
    ),
    leaving=Leaving(stop=rules.stop, resign=rules.resign, out=rules.seats_given_up),
    timing=Timing(default=rules.default),
    words=Words(
        title="Fivewells Draft",
        text=shown.text,
        about=describe_options,
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
)
