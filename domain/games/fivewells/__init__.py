"""This package holds the game of Fivewells, a duel of creatures and spells."""

from typing import Final, get_args

from domain.card_sets.collectibles import COLLECTIBLES
from domain.core.game import Answers, Entry, Facts, Game, Leaving, Lifecycle, Setup, Timing, Words
from domain.games.fivewells.deal import DEAL
from domain.games.fivewells.events import Event
from domain.games.fivewells.evolve import evolve
from domain.games.fivewells.moves import (
    ANSWERS,
    REFUSALS,
    ActivateAbility,
    ActivateManaAbility,
    CastSpell,
    Choose,
    DeclareAttackers,
    DeclareBlockers,
    KeepHand,
    Mulligan,
    OrderBlockers,
    PassPriority,
    PlayLand,
    SetStops,
    SubmitDeck,
    move_of,
)
from domain.games.fivewells.opening import back_deck, backing, entry_fault, explain, opening
from domain.games.fivewells.options import (
    GAINED,
    PREPARED,
    STRENGTHS,
    TITLES,
    Options,
    bad_options,
    describe_options,
    most_hands,
)
from domain.games.fivewells.play import consequences, decide, refusal
from domain.games.fivewells.shown import (
    COMPLETES,
    KINDS,
    PHASES,
    argument_places,
    complete_move,
    known_facts,
    scene,
    view,
)
from domain.games.fivewells.state import start
from domain.games.fivewells.texts import MOMENTS, text, text_at
from domain.games.fivewells.turn_events import DeckBrought, DecksBuilt, GameEnded, GameStarted, HandStarted
from domain.games.fivewells.turns import outcome, stop
from domain.games.fivewells.waiting import ask, default, legal, phase, to_act

__all__ = ["GAME", "Options"]

SUMMARY: Final = (
    "A duel with creatures and spells, paid for with mana from your lands. Reduce your opponent from "
    "20 life to 0 first."
)
"""The game in two or three sentences, for people who do not know it."""

GAME = Game(
    name="fivewells",
    rules="1",
    setup=Setup(
        seats=range(2, 3),
        usual=2,
        options=Options,
        titles=TITLES,
        minutes=range(20, 46),
        most_hands=most_hands,
        bad_options=bad_options,
        best_of=3,
        reveal="match_end",
        cards=COLLECTIBLES,
        strengths=STRENGTHS,
    ),
    moves={
        "submit_deck": SubmitDeck,
        "mulligan": Mulligan,
        "keep_hand": KeepHand,
        "play_land": PlayLand,
        "cast_spell": CastSpell,
        "activate_ability": ActivateAbility,
        "activate_mana_ability": ActivateManaAbility,
        "pass_priority": PassPriority,
        "declare_attackers": DeclareAttackers,
        "declare_blockers": DeclareBlockers,
        "order_blockers": OrderBlockers,
        "choose": Choose,
        "set_stops": SetStops,
    },
    events=get_args(Event),
    lifecycle=Lifecycle(
        game_starts=GameStarted,
        game_ends=GameEnded,
        hand_starts=HandStarted,
        hand_ends=(DecksBuilt,),
        moments=MOMENTS,
    ),
    answers=Answers(by=ANSWERS, move_of=move_of, off_turn=frozenset([SetStops]), where=argument_places),
    leaving=Leaving(stop=stop),
    timing=Timing(default=default),
    words=Words(
        title="Fivewells",
        text=text,
        text_at=text_at,
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
    entry=Entry(
        event=DeckBrought,
        opening=opening,
        fault=entry_fault,
        backing=backing,
        backed=back_deck,
        prepared=PREPARED,
        gained=GAINED,
    ),
    facts=Facts(kinds=KINDS, known=known_facts, phases=PHASES, completes=COMPLETES, completed=complete_move),
)
