"""The refusals that only High Card has."""

from domain.core.refusals import Refusal

REFUSALS = {"traded_already": Refusal("One trade a round", "Lay a card; you may trade again in the next round.")}
