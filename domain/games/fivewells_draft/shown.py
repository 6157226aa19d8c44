"""Shows a draft to a seat or to spectators: the table, its scene, prompts, and events in words."""

from collections.abc import Iterator, Mapping
from typing import Final, Literal, TypedDict

from domain.card_sets.cards.library import CARDS, SETS
from domain.core import text as words
from domain.core.cards import Seat
from domain.core.scene import HAND, PICKS, Layout, Scene, SeatShown, Spot, Zone, badges, numbers, zone_id
from domain.core.scene_pointers import Where, readable_name, zone_pointer
from domain.core.shown import TableShown
from domain.games.fivewells_draft import events
from domain.games.fivewells_draft.rules import State, lying, phase, remaining, seats_given_up, to_act


class DeckShown(TypedDict):
    """A deck that was built."""

    main: list[str]
    """The ids of the cards that are played."""
    sideboard: list[str]
    """The ids of the sideboard cards."""


class DraftShown(TableShown):
    """The table of a draft, as a reader knows it."""

    round_no: int
    """The number of the round, from 1; 0 before the first."""
    pick_no: int
    """The number of the pick in the round, from 1; 0 before the first."""
    set: str | None
    """The set of the packs of this round."""
    direction: Literal["left", "right"]
    """The direction in which packs are passed."""
    count: int
    """The number of cards in each pack on offer."""
    pack: list[str]
    """The ids of the cards that the reader is offered."""
    picked: list[bool]
    """Whether each seat has taken a card of the pack on offer."""
    picks: list[str]
    """The ids of the cards that the reader has picked, in order."""
    pick_counts: list[int]
    """The number of cards that each seat has picked."""
    submitted: list[bool]
    """Whether each seat has built its deck."""
    deck: DeckShown | None
    """The deck of the reader, once it is built."""
    left: list[Seat]
    """The seats that resigned."""


def view(s: State, seat: Seat | None) -> DraftShown:
    """Return the table as this reader knows it."""
    deck = None if seat is None else s.decks[seat]
    return {
        "phase": phase(s),
        "game_no": s.game_no,
        "hand_no": s.hand_no,
        "hand_counts": [lying(s, one) for one in range(s.rules.seats)],
        "scores": [0] * s.rules.seats,
        "round_no": s.round_no,
        "pick_no": s.pick_no,
        "set": s.set or None,
        "direction": s.direction,
        "count": s.count,
        "pack": [] if seat is None else remaining(s, seat),
        "picked": list(s.picked),
        "picks": [] if seat is None else [card for card in s.pools[seat] if card is not None],
        "pick_counts": [len(pool) for pool in s.pools],
        "submitted": list(s.submitted),
        "deck": None if deck is None else {"main": list(deck.main), "sideboard": list(deck.sideboard)},
        "left": list(seats_given_up(s)),
    }


TEXTS: Final[Mapping[type, str]] = {
    events.GameStarted: "Game {game_no} began.",
    events.HandStarted: "Round {round_no} began with packs of {set:of_set}, passed to the {direction}.",
    events.PackOffered: "Seat {seat} was offered {count} cards for pick {pick_no}{cards:offered}.",
    events.CardPicked: "Seat {seat} picked {card:card}{how:by_rule}.",
    events.LastCardTaken: "Seat {seat} took {card:card}, the last of its pack.",
    events.PackKept: "Seat {seat} kept the pack of {count} cards{cards:offered}.",
    events.RoundEnded: "The round ended.",
    events.DeckSubmitted: "Seat {seat} built a deck of {main} cards{how:by_rule}, with {sideboard} in the sideboard.",
    events.SeatGaveUp: "Seat {seat} resigned, and its picks became automatic.",
    events.GameEnded: "The draft ended{reason:why}.",
}

IN_WORDS: Final[words.Words] = {
    "of_set": lambda code: SETS[code].name,
    "offered": lambda row: "" if row is None else f": {words.join_words(CARDS[card].name for card in row)}",
    "card": lambda card: "a card" if card is None else CARDS[card].name,
    "by_rule": lambda how: ", chosen automatically" if how == "left" else "",
    "why": words.ending_reason,
}

text = words.event_text(TEXTS, IN_WORDS)


# --- The scene ------------------------------------------------------------------------------------


def scene(s: State, seat: Seat | None) -> Scene:
    """Return the table as this reader knows it."""
    return Scene(
        phase(s),
        seat,
        tuple(describe_seat(s, one) for one in range(s.rules.seats)),
        tuple(pack_zones(s)),
        numbers(round=s.round_no or None, pick=s.pick_no or None),
        tuple(table_notes(s)),
    )


def describe_seat(s: State, seat: Seat) -> SeatShown:
    """Describe a seat."""
    return SeatShown(seat, badges(turn=seat in to_act(s), out=s.left[seat]))


def pack_zones(s: State) -> Iterator[Zone]:
    """Return the pack that each seat holds, and what each seat has picked."""
    for seat in range(s.rules.seats):
        yield card_zone(HAND, "fan", seat, remaining(s, seat), lying(s, seat))
        yield card_zone(PICKS, "pile", seat, sorted(filter(None, s.pools[seat])), len(s.pools[seat]))


def card_zone(kind: str, layout: Layout, seat: Seat, known: list[str], count: int) -> Zone:
    """Return cards with their ids; unknown ones are face down."""
    spots = tuple(
        Spot(CARDS[one].name, marks=(readable_name(CARDS[one].rarity.value).lower(),), id=one) for one in known
    )
    return Zone(zone_id(kind, seat), kind, layout, seat, spots, count)


def table_notes(s: State) -> Iterator[str]:
    """Return notes on the direction of the packs, the current decision, and the use of the draft."""
    if phase(s) == "picking":
        yield f"The packs are passed to the {s.direction}."
    elif phase(s) == "building":
        yield "The decks are built."
    elif s.ended is not None and all(s.submitted):
        yield "All decks are built. Matches of Fivewells may now use this draft as their pool."


def argument_places(s: State, seat: Seat) -> Where:
    """Point from picked cards to the seat's pack."""
    return {events.PickCard: {"card": zone_pointer(HAND, seat)}}


# --- The prompt -----------------------------------------------------------------------------------


def prompt(s: State, seat: Seat) -> str:
    """Return the seat's prompt."""
    if phase(s) == "picking":
        return f"Pack {s.round_no}, pick {s.pick_no}: choose a card"
    return "Build your deck from your picks"
