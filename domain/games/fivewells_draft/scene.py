"""Shows a draft as a scene."""

from collections.abc import Iterator

from domain.card_sets.cards.library import CARDS
from domain.core.cards import Seat
from domain.core.scene import HAND, Layout, Scene, SeatShown, Spot, Zone, badges, named, numbers
from domain.core.where import Where, at, in_words
from domain.games.fivewells_draft.moves import PickCard
from domain.games.fivewells_draft.play import lying, phase, remaining, to_act
from domain.games.fivewells_draft.state import State


def scene(s: State, seat: Seat | None) -> Scene:
    """Give the table as this reader knows it."""
    return Scene(
        phase(s),
        seat,
        tuple(seated(s, one) for one in range(s.rules.seats)),
        tuple(zones(s)),
        numbers(round=s.round_no or None, pick=s.pick_no or None),
        tuple(notes(s)),
    )


def seated(s: State, seat: Seat) -> SeatShown:
    """Describe a seat."""
    return SeatShown(seat, badges(turn=seat in to_act(s), out=s.left[seat]))


def zones(s: State) -> Iterator[Zone]:
    """Give the pack that each seat holds, and what each seat has picked."""
    for seat in range(s.rules.seats):
        yield cards(HAND, "fan", seat, remaining(s, seat), lying(s, seat))
        yield cards("picks", "pile", seat, sorted(filter(None, s.pools[seat])), len(s.pools[seat]))


def cards(kind: str, layout: Layout, seat: Seat, known: list[str], count: int) -> Zone:
    """Give cards with their ids; those that are not known lie face down."""
    spots = tuple(Spot(CARDS[one].name, marks=(in_words(CARDS[one].rarity.value).lower(),), id=one) for one in known)
    return Zone(named(kind, seat), kind, layout, seat, spots, count)


def notes(s: State) -> Iterator[str]:
    """Say where the packs go, what is asked, and what comes after the draft."""
    if phase(s) == "picking":
        yield f"The packs are passed to the {s.direction}."
    elif phase(s) == "building":
        yield "The decks are built."
    elif s.ended is not None and all(s.submitted):
        yield "All have drafted and built their decks. Matches of Fivewells may now name this draft as their pool."


def where(s: State, seat: Seat) -> Where:
    """Say that a card is picked from the seat's pack."""
    return {PickCard: {"card": at(HAND, seat)}}
