"""This package holds the draft of Fivewells: packs are opened and passed, cards picked, decks built."""

from typing import Final, get_args

from domain.card_sets.cards.library import SETS
from domain.card_sets.collectibles import COLLECTIBLES
from domain.core.game import Answers, Game, Leaving, Lifecycle, Setup, Timing, Words
from domain.games.fivewells_draft.deal import DEAL
from domain.games.fivewells_draft.events import (
    REFUSALS,
    CardPicked,
    DeckSubmitted,
    Event,
    GameEnded,
    GameStarted,
    HandStarted,
    PickCard,
    RoundEnded,
    SubmitDeck,
)
from domain.games.fivewells_draft.options import SEALED, Options, bad_options, describe_options, most_hands
from domain.games.fivewells_draft.rules import (
    ask,
    consequences,
    decide,
    default,
    evolve,
    explain,
    gains,
    legal,
    move_of,
    outcome,
    phase,
    refusal,
    resign,
    seats_given_up,
    start,
    stop,
    to_act,
)
from domain.games.fivewells_draft.shown import argument_places, scene, text, view

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
    moves={"pick_card": PickCard, "submit_deck": SubmitDeck},
    events=get_args(Event),
    lifecycle=Lifecycle(
        game_starts=GameStarted,
        game_ends=GameEnded,
        hand_starts=HandStarted,
        hand_ends=(RoundEnded,),
        gains=gains,
    ),
    answers=Answers(by={CardPicked: "seat", DeckSubmitted: "seat"}, move_of=move_of, where=argument_places),
    leaving=Leaving(stop=stop, resign=resign, out=seats_given_up),
    timing=Timing(default=default),
    words=Words(
        title="Fivewells Draft",
        text=text,
        about=describe_options,
        rulebook=__name__,
        summary=SUMMARY,
        refusals=REFUSALS,
        explain=explain,
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
    deal=DEAL,
)
