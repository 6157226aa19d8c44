"""Judges the decks that players bring to the lobby: by the format, what they own, and what they have drafted."""

from domain.card_sets.cards.library import CARDS
from domain.card_sets.decks.deck import DeckRules, complete_deck, constructed_rules, limited_rules
from domain.card_sets.decks.deck_choice import fault_of
from domain.core.backing import Backing, OfCollection, OfMatch, OfTournament
from domain.core.collectible import Counts, Deck
from domain.core.game import Refused
from domain.core.refusals import Reason
from domain.games.fivewells.options import TOURNAMENT, Options, compile_rules


def entry_fault(options: Options, brought: Deck) -> Reason | None:
    """Say why a deck is refused in the lobby; None for one that fits."""
    if options.format == "sealed" and options.pool is None:
        return Reason("wrong_phase", "Sit down without a deck: it is built of boosters that are opened in the match.")
    return fault_of(brought, compile_rules(options).brought)


def backing(options: Options) -> Backing:
    """Say where the cards of a deck that is brought must be: in a collection, in a draft, or nowhere."""
    if options.pool == TOURNAMENT:
        return OfTournament()
    if options.pool is not None:
        return OfMatch(options.pool, options.bots_from)
    return OfCollection() if options.collection == "owned" else None


def back_deck(options: Options, brought: Deck | None, there: Counts | Deck) -> Deck:
    """Give the deck of a player who owns these cards, or has drafted this one, which they play if they bring none."""
    if isinstance(there, Deck) and options.pool == TOURNAMENT:
        if brought is not None and _fitting(brought, pool_of(there)) != there:
            raise Refused("not_in_pool", "The deck was built before the first round, and stays as it is.")
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
    """Give the rules for decks of the same picks as a deck that was drafted, with as many basic lands as one likes."""
    picks = [CARDS[card] for card in drafted.main + drafted.sideboard]
    return limited_rules(card for card in picks if not card.basic)
