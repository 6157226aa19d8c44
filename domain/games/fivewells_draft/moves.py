"""Defines the moves of a draft: the seats', then that of chance (fivewells_draft 3, 4)."""

from random import Random
from typing import Any, ClassVar

from domain.core.choices import argument_name, described
from domain.core.values import value

Pack = tuple[str, ...]
"""The cards of a pack, by their ids."""


@value
class PickCard:
    """Take this card of the pack on offer, by its id."""

    card: str
    """The id of a card of the pack on offer."""


@value
class SubmitDeck:
    """Play these cards, by their ids; the rest of what was picked lies beside the deck."""

    main: tuple[str, ...]
    """The ids of the cards that are played, forty or more."""
    sideboard: tuple[str, ...] = ()
    """The ids of cards beside the deck; it is completed with all other picks."""


Move = PickCard | SubmitDeck


@value
class OpenPack:
    """Chance: these are the cards of a pack."""

    cards: Pack


@value
class OneOfPack:
    """This choice is to take one card of a pack."""

    of: Pack
    make: ClassVar[type] = PickCard
    exact: ClassVar[bool] = True

    def admits(self, move: Any) -> bool:
        return type(move) is PickCard and move.card in self.of

    def schema(self) -> dict[str, Any]:
        return described({argument_name(PickCard): {"enum": sorted(self.of)}})

    def sample(self, rng: Random) -> Any:
        return PickCard(rng.choice(self.of))
