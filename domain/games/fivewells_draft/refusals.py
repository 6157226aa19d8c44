"""Explains the refusals that only a draft has."""

from domain.card_sets.decks.deck_refusals import DECK_REFUSALS as REFUSALS

__all__ = ["REFUSALS"]
