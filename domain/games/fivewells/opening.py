"""Opens a game: judges decks, opens boosters for building decks, and determines the first player (fivewells 2, 10)."""

from typing import Final

from domain.card_sets.cards.boosters import asked_booster
from domain.card_sets.cards.library import CARDS, SETS
from domain.card_sets.decks.deck import (
    DeckRules,
    automatic_deck,
    between_games,
    complete_deck,
    constructed_rules,
    limited_rules,
)
from domain.card_sets.decks.deck_choice import DeckToSubmit, fault_of, sentence_of
from domain.core.backing import Backing, OfCollection, OfMatch, OfTournament
from domain.core.cards import NOBODY, Seat
from domain.core.choices import Drawing
from domain.core.collectible import Counts, Deck
from domain.core.game import Refused
from domain.core.refusals import Reason
from domain.games.fivewells import turn_events
from domain.games.fivewells.events import Event
from domain.games.fivewells.moves import OpenBooster, SubmitDeck
from domain.games.fivewells.options import TOURNAMENT, Options, compile_rules
from domain.games.fivewells.records import DeckFrom
from domain.games.fivewells.state import State

# --- Decks that players bring ------------------------------------------------------------------------------


def entry_fault(options: Options, brought: Deck) -> Reason | None:
    """Return why a deck is refused in the lobby; None for one that fits."""
    if options.format == "sealed" and options.pool is None:
        return Reason("wrong_phase", "Sit down without a deck. You build it in the match, from boosters.")
    return fault_of(brought, compile_rules(options).brought)


def backing(options: Options) -> Backing:
    """Return the required source of a deck's cards: a collection, a draft, or none."""
    if options.pool == TOURNAMENT:
        return OfTournament()
    if options.pool is not None:
        return OfMatch(options.pool, options.bots_from)
    return OfCollection() if options.collection == "owned" else None


def back_deck(options: Options, brought: Deck | None, there: Counts | Deck) -> Deck:
    """Return a player's deck, which has only owned or drafted cards; by default, the deck built in the draft."""
    if isinstance(there, Deck) and options.pool == TOURNAMENT:
        if brought is not None and _fitting(brought, pool_of(there)) != there:
            raise Refused("not_in_pool", "The deck was built before the first round and cannot change.")
        return there
    if isinstance(there, Deck):
        return _fitting(there if brought is None else brought, pool_of(there))
    assert brought is not None
    return _fitting(brought, constructed_rules(options.sets, there))


def _fitting(deck: Deck, rules: DeckRules) -> Deck:
    if fault := fault_of(deck, rules):
        raise Refused(fault.code, fault.sentence)
    return complete_deck(deck, rules)


def pool_of(drafted: Deck) -> DeckRules:
    """Return the rules for decks from the picks of a drafted deck, with any number of basic lands."""
    picks = [CARDS[card] for card in drafted.main + drafted.sideboard]
    return limited_rules(card for card in picks if not card.basic)


# --- The opening -------------------------------------------------------------------------------------------


NONE_BROUGHT: Final = (None, None)


def opening(s: State, brought: tuple[Deck | None, ...]) -> tuple[Event, ...]:
    """Begin a game: with boosters, or with the decks from the lobby; later games use the decks of the previous game."""
    started = turn_events.GameStarted(s.game_no + 1)
    if s.rules.boosters and not s.game_no:
        return started, turn_events.HandStarted(s.hand_no + 1, "boosters")
    begins = turn_events.HandStarted(s.hand_no + 1, "duel")
    if s.game_no:
        return started, begins
    return started, begins, *(first_deck(s, seat, brought[seat]) for seat in (0, 1))


def first_deck(s: State, seat: Seat, brought: Deck | None) -> turn_events.DeckSubmitted:
    """Use the deck that a seat brought, or the default deck of the options."""
    if brought is None:
        return deck_submitted(seat, s.rules.decks[seat], "default")
    return deck_submitted(seat, complete_deck(brought, s.rules.brought), "brought")


def deck_submitted(seat: Seat, deck: Deck, how: DeckFrom) -> turn_events.DeckSubmitted:
    """Return the event that a seat uses a deck."""
    return turn_events.DeckSubmitted(seat, len(deck.main), len(deck.sideboard), how, deck)


# --- Boosters and decks ------------------------------------------------------------------------------------


def boosters_due(s: State) -> bool:
    """Return whether there are boosters to be opened."""
    return s.hand_of == "boosters" and len(s.opened[1]) < len(s.rules.boosters)


def next_booster(s: State) -> Drawing:
    """Request the next booster from chance, beginning with seat 0."""
    seat = opener(s)
    n = len(s.opened[seat])
    return asked_booster(OpenBooster, SETS[s.rules.boosters[n]], seat, n)


def opener(s: State) -> Seat:
    """Return the seat that opens the next booster."""
    return int(len(s.opened[0]) == len(s.rules.boosters))


def booster_opened(s: State, move: OpenBooster) -> turn_events.BoosterOpened:
    """Return the event that a seat opened a booster."""
    seat = opener(s)
    n = len(s.opened[seat])
    return turn_events.BoosterOpened(seat, n, s.rules.boosters[n], len(move.cards), move.cards)


def building(s: State) -> tuple[Seat, ...]:
    """Return the seats that have a deck to build or to change."""
    if not s.begun or False not in s.submitted or boosters_due(s):
        return ()
    return tuple(seat for seat in (0, 1) if not s.submitted[seat] and may_change(s, seat))


def may_change(s: State, seat: Seat) -> bool:
    """Return whether a seat may change its deck, judged only by the sizes of deck and sideboard."""
    if s.hand_of == "boosters":
        return True
    if not s.rules.sideboarding or s.first_duel:
        return False
    return bool(s.rules.boosters) or s.rules.drafted or s.beside[seat] > 0 or s.sizes[seat] > s.rules.brought.least


def deck_rules(s: State, seat: Seat) -> DeckRules:
    """Return the rules for a new or changed deck; the seat's own cards are known."""
    if s.rules.boosters:
        return limited_rules(CARDS[card] for pack in s.opened[seat] for card in pack or ())
    before = s.decks[seat]
    assert before is not None
    if s.rules.drafted:
        return pool_of(before)
    return between_games(before, s.rules.brought)


def usual_deck(s: State, seat: Seat) -> Deck:
    """Return the deck of a seat that does not decide: the previous one, or one built by the rarity of the cards."""
    before = s.decks[seat]
    if before is not None:
        return before
    return automatic_deck(CARDS[card] for pack in s.opened[seat] for card in pack or ())


def record_built_deck(s: State, seat: Seat, move: SubmitDeck) -> turn_events.DeckSubmitted:
    """Record that a seat has built a deck; the cards that it does not play are its sideboard."""
    return deck_submitted(seat, complete_deck(Deck(move.main, move.sideboard), deck_rules(s, seat)), "built")


def after_opening(s: State) -> tuple[Event, ...]:
    """Return the automatic events before the first turn: kept decks, the end of building, the first player."""
    if boosters_due(s) or building(s):
        return ()
    if s.hand_of == "boosters":
        return (turn_events.DecksBuilt(s.hand_no),)
    if s.hand_of == "":
        return (turn_events.HandStarted(s.hand_no + 1, "duel"),)
    if not all(s.submitted):
        return tuple(deck_submitted(seat, usual_deck(s, seat), "again") for seat in (0, 1) if not s.submitted[seat])
    if s.first == NOBODY and s.last_loser != NOBODY:
        return (turn_events.FirstPlayerChosen(s.last_loser, "again" if s.last_drawn else "loser"),)
    return ()


def deck_fault(s: State, seat: Seat, move: SubmitDeck) -> str:
    """Return the code of the fault of a new or changed deck; an empty text if there is none."""
    fault = fault_of(Deck(move.main, move.sideboard), deck_rules(s, seat))
    return fault.code if fault else ""


def deck_sentence(s: State, seat: Seat, move: SubmitDeck) -> str:
    """Return the fault of a refused deck; an empty text if the seat builds none."""
    if seat not in building(s):
        return ""
    return sentence_of(Deck(move.main, move.sideboard), deck_rules(s, seat))


def deck_to_submit(s: State, seat: Seat) -> DeckToSubmit:
    """Return the choice of a seat that builds or changes its deck."""
    return DeckToSubmit(SubmitDeck, deck_rules(s, seat), usual_deck(s, seat))
