"""The game of Fivewells, a duel of creatures and spells."""

from typing import Final, get_args

from domain.card_sets.collectibles import COLLECTIBLES
from domain.card_sets.decks.deck import DECK_REFUSALS
from domain.core.game import Answers, Entry, Facts, Game, Leaving, Lifecycle, Setup, Timing, Words
from domain.games.fivewells import deal, events, moves, play, shown
from domain.games.fivewells.evolve import evolve
from domain.games.fivewells.opening import back_deck, backing, entry_fault, opening
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
        "submit_deck": moves.SubmitDeck,
        "mulligan": moves.Mulligan,
        "keep_hand": moves.KeepHand,
        "play_land": moves.PlayLand,
        "cast_spell": moves.CastSpell,
        "activate_ability": moves.ActivateAbility,
        "activate_mana_ability": moves.ActivateManaAbility,
        "pass_priority": moves.PassPriority,
        "declare_attackers": moves.DeclareAttackers,
        "declare_blockers": moves.DeclareBlockers,
        "order_blockers": moves.OrderBlockers,
        "choose": moves.Choose,
        "set_stops": moves.SetStops,
    },
    events=get_args(events.Event),
    lifecycle=Lifecycle(
        game_starts=GameStarted,
        game_ends=GameEnded,
        hand_starts=HandStarted,
        hand_ends=(DecksBuilt,),
        moments=MOMENTS,
    ),
    answers=Answers(
        by=moves.ANSWERS, move_of=moves.move_of, off_turn=frozenset([moves.SetStops]), where=shown.argument_places
    ),
    leaving=Leaving(stop=stop),
    timing=Timing(default=default),
    words=Words(
        title="Fivewells",
        text=text,
        text_at=text_at,
        about=describe_options,
        rulebook=__name__,
        summary=SUMMARY,
        refusals=moves.REFUSALS,
        explain=play.explain,
        prompt=shown.prompt,
    ),
    start=start,
    to_act=to_act,
    ask=ask,
    legal=legal,
    refusal=play.refusal,
    decide=play.decide,
    consequences=play.consequences,
    evolve=evolve,
    outcome=outcome,
    phase=phase,
    view=shown.view,
    scene=shown.scene,
    deal=deal.DEAL,
    entry=Entry(
        event=DeckBrought,
        opening=opening,
        fault=entry_fault,
        backing=backing,
        backed=back_deck,
        refusals=DECK_REFUSALS,
        prepared=PREPARED,
        gained=GAINED,
    ),
    facts=Facts(
        kinds=shown.KINDS,
        known=shown.known_facts,
        phases=shown.PHASES,
        completes=shown.COMPLETES,
        completed=shown.complete_move,
    ),
)
