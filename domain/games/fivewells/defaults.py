"""Decides for a seat whose time is up: it passes, keeps, does not attack or block, and chooses what costs least."""

from collections.abc import Iterable

from domain.core.cards import Seat
from domain.games.fivewells.combat import blockers_of
from domain.games.fivewells.handles import Handle, Handles, Targets
from domain.games.fivewells.moves import (
    Arranged,
    Choose,
    DeclareAttackers,
    DeclareBlockers,
    KeepHand,
    Move,
    OrderBlockers,
    PassPriority,
    SubmitDeck,
)
from domain.games.fivewells.opening import usual_deck
from domain.games.fivewells.printed import PRINTED
from domain.games.fivewells.stack import trigger_options
from domain.games.fivewells.state import Question, State
from domain.games.fivewells.waiting import phase, to_act


def default(s: State, seat: Seat) -> Move:
    """Choose for a seat whose time is up; one that is asked nothing would pass."""
    if seat not in to_act(s):
        return PassPriority()
    if s.asked:
        return default_choice(s, s.asked)
    match phase(s):
        case "deck_building":
            deck = usual_deck(s, seat)
            return SubmitDeck(deck.main, deck.sideboard)
        case "mulligan":
            return KeepHand(tuple(dearest(s, s.hands[seat])[: s.mulligans[seat]]))
        case "order_blockers":
            attacker = s.unordered[0]
            return OrderBlockers(attacker, tuple(one.object for one in blockers_of(s, attacker)))
        case "attack" if not s.declared:
            return DeclareAttackers(())
        case "block" if not s.declared:
            return DeclareBlockers(())
        case _:
            return PassPriority()


def mana_value(s: State, handle: Handle) -> int:
    """Give the mana value of a card or a permanent; that of a token is 0."""
    name = s.permanents[s.ids.index(handle)].card if handle in s.ids else s.cards[handle]
    return PRINTED[name].cost.mana_value


def dearest(s: State, cards: Iterable[Handle]) -> list[Handle]:
    """Sort cards: the highest mana value first, then the highest handle."""
    return sorted(cards, key=lambda card: (mana_value(s, card), card), reverse=True)


def cheapest(s: State, cards: Iterable[Handle]) -> list[Handle]:
    """Sort cards: the lowest mana value first, then the lowest handle."""
    return sorted(cards, key=lambda card: (mana_value(s, card), card))


def default_choice(s: State, asked: Question) -> Choose:
    """Answer a question."""
    match asked.choice:
        case "trigger_targets":
            rows: dict[str, Handles] = {one.id: one.of[: one.least] for one in trigger_options(s)}
            return Choose("trigger_targets", Targets(**rows))
        case "scout":
            return Choose("scout", Arranged((), tuple(face.object for face in asked.cards)))
        case "search":
            return Choose("search", ())
        case "mode":
            return Choose("mode", 0)
        case "may" | "pay_or_not":
            return Choose(asked.choice, False)
        case "discard" | "cleanup_discard":
            return Choose(asked.choice, tuple(cheapest(s, s.hands[asked.seat])[: asked.most]))
        case "sacrifice":
            return Choose("sacrifice", tuple(cheapest(s, asked.objects)[: asked.most]))
