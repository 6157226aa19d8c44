"""Shows Trio: a seat's table and scene, how long numbers are remembered, facts, prompts and events (trio 7, 8)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NotRequired, TypedDict

from domain.core import text as words
from domain.core.cards import BACK, Seat, fewest, seat_or_none
from domain.core.game import FactKind
from domain.core.scene import Scene, SeatShown, Spot, Zone, badges, numbers, zone
from domain.core.scene_pointers import Where, spots, zone_pointer
from domain.core.shown import TableShown
from domain.games.trio import table
from domain.games.trio.options import Memory, Number
from domain.games.trio.play import scores, to_act


class PlaceShown(TypedDict):
    """A position of the middle."""

    state: Literal["face_down", "face_up", "taken"]
    """The state of the place."""
    number: int | None
    """The number of the card in this place, if the reader knows it."""


class SourceShown(TypedDict):
    """The position of a card: at an end of a hand, or in the middle."""

    kind: Literal["hand", "middle"]
    """The kind of place."""
    seat: NotRequired[Seat]
    """The seat whose hand it is."""
    end: NotRequired[Literal["lowest", "highest"]]
    """The end of the hand."""
    position: NotRequired[int]
    """The position in the middle, from 0."""


class FaceUpShown(TypedDict):
    """A face-up card."""

    source: SourceShown
    """Its position."""
    number: int | None
    """Its number; null once the reader may no longer see it."""


class TrioShownOnTable(TypedDict):
    """A trio that was taken."""

    seat: Seat
    """The seat that took it."""
    team: int | None
    """The number of its team; null without teams."""
    number: int
    """The number of its cards."""


class SwapShown(TypedDict):
    """The last time at which teams could swap cards."""

    open: bool
    """Whether seats can still answer."""
    reason: Literal["start", "trio"]
    """Why there is a swap."""
    teams: list[int]
    """The teams that may swap."""
    answered: list[Seat]
    """The seats that have answered."""
    made: list[int]
    """The teams that have swapped."""
    offered: int | None
    """The card that the reader has offered."""
    gave: int | None
    """The card that the reader gave."""
    got: int | None
    """The card that the reader got."""


class TrioShown(TableShown):
    """The table of a game of Trio."""

    turn_no: int
    """The number of the turn in the match, from 1."""
    turn: Seat | None
    """The seat whose turn it is."""
    first_player: Seat | None
    """The seat that moved first."""
    hand: list[int]
    """The reader's cards, by their numbers."""
    hands: list[list[int] | None]
    """The hand of each seat; null if the reader may not see it."""
    middle: list[PlaceShown]
    """The positions of the middle."""
    face_up: list[FaceUpShown]
    """The face-up cards of this turn."""
    trios: list[TrioShownOnTable]
    """The trios that were taken."""
    teams: list[list[Seat]]
    """The seats of each team; empty without teams."""
    swap: SwapShown | None
    """The last swap of the teams."""


# --- Visible numbers (trio 7, 8) ---------------------------------------------------------------------------


def still_remembered(s: table.State, reader: Seat | None, event: table.Event) -> bool:
    """Return whether a reader may still be shown the number of a card that was revealed; None are the spectators.

    The state of any reader will do. Numbers of a game that is over may be read by all.
    """
    if type(event) is not table.CardRevealed or s.ended or event.turn_no <= s.before:
        return True
    return MEMORIES[s.rules.memory](s, reader, event.turn_no)


def until_own_turn(s: table.State, reader: Seat | None, turn_no: int) -> bool:
    """Show numbers to a seat until it has completed its own next turn, to spectators as long as to any seat."""
    n = s.rules.seats
    # The last completed turn, by the previous seat.
    over = s.turn_no - bool(s.face_up)
    # The turns since the reader's own last one.
    ago = n - 1 if reader is None else (s.turn - 1 - reader) % n
    return over - ago <= turn_no


def until_next_turn(s: table.State, reader: Seat | None, turn_no: int) -> bool:
    """Show numbers to all until the first reveal of the next turn, so that all can see the last card."""
    return turn_no == s.turn_no


MEMORIES: Mapping[Memory, Callable[[table.State, Seat | None, int], bool]] = {
    "table": until_own_turn,
    "open": lambda s, reader, turn_no: True,
    "strict": until_next_turn,
}


def view(s: table.State, seat: Seat | None) -> TrioShown:
    """Return the table as this seat knows it; the state has no cards that the seat was not shown."""
    return {
        "phase": s.phase,
        "game_no": s.game_no,
        "hand_no": s.hand_no,
        "turn_no": s.turn_no,
        "turn": seat_or_none(s.turn),
        "first_player": seat_or_none(s.first),
        "hand": [] if seat is None else list(s.hands[seat]),
        "hands": [None if BACK in hand else list(hand) for hand in s.hands],
        "hand_counts": [len(hand) for hand in s.hands],
        "middle": [place_shown(s, position) for position in range(len(s.middle))],
        "face_up": [{"source": describe_source(c.source), "number": c.number} for c in s.face_up],
        "trios": [{"seat": t.seat, "team": s.rules.team_of(t.seat), "number": t.number} for t in s.trios],
        "scores": list(scores(s)),
        "teams": [list(pair) for pair in s.rules.teams],
        "swap": None if s.window is None else swapping(s, s.window, seat),
    }


def place_shown(s: table.State, position: int) -> PlaceShown:
    """Describe a position of the middle."""
    card = s.middle[position]
    if card is not None:
        return {"state": "face_down", "number": None if card == BACK else card}
    shown = [c.number for c in s.face_up if c.source.position == position]
    return {"state": "face_up", "number": shown[0]} if shown else {"state": "taken", "number": None}


def describe_source(source: table.Source) -> SourceShown:
    """Describe the position of a card, with the schema of its kind."""
    shown: SourceShown = {"kind": source.kind}
    if source.seat is not None:
        shown["seat"] = source.seat
    if source.end is not None:
        shown["end"] = source.end
    if source.position is not None:
        shown["position"] = source.position
    return shown


def swapping(s: table.State, w: table.Window, seat: Seat | None) -> SwapShown:
    """Describe the last swap window, with the seat's own part in it."""
    return {
        "open": s.phase == "swap_window",
        "reason": w.reason,
        "teams": list(w.teams),
        "answered": sorted(w.answered),
        "made": sorted(made.team for made in w.made),
        "offered": None if seat is None else w.offers[seat],
        "gave": own_entry([made.gave for made in w.made], seat),
        "got": own_entry([made.got for made in w.made], seat),
    }


def own_entry(rows: Sequence[Sequence[Number | None]], seat: Seat | None) -> Number | None:
    """Return a seat's own entry in whichever row has one."""
    return None if seat is None else next((row[seat] for row in rows if row[seat] is not None), None)


TEXTS: Mapping[type, str] = {
    table.GameStarted: "Game {game_no} began: {cards_each} cards each, {middle_count} in the middle.",
    table.AvocadoRemembered: "Seat {seat} stated when it last ate an avocado{eaten_at:remembered}.",
    table.AvocadoStated: "Seat {seat} last ate an avocado at {eaten_at}.",
    table.FirstPlayerChosen: "Seat {seat} got the first turn, {how}.",
    table.HandStarted: "Hand {hand_no} was dealt.",
    table.HandDealt: "The cards were dealt{cards:dealt}{middle}.",
    table.SwapWindowOpened: "{teams} could swap a card.",
    table.SwapAnswered: "Seat {seat} {:answer}.",
    table.SwapMade: "Team {team:counted} swapped a card{:exchanges}.",
    table.SwapNotMade: "Team {team:counted} did not swap.",
    table.SwapWindowClosed: "The swaps ended.",
    table.CardRevealed: "Seat {by} turned up {source}: {number}.",
    table.RevealsReturned: "They differed and were turned face down again.",
    table.TrioCompleted: "Seat {seat} took the trio of {number}.",
    table.GameEnded: "The game ended: {winners}{by}. Trios: {trios}.",
}


def team_number(team: int) -> str:
    """Number a team as people count, from 1."""
    return str(team + 1)


def swap_answer_text(event: table.SwapAnswered) -> str:
    """Describe a partner's answer to that partner, or only that it was given."""
    if event.answer is None:
        return "answered"
    return "declined to swap" if event.card is None else f"offered {event.card}"


def exchanges(event: table.SwapMade) -> str:
    """Name the cards of the swaps that the reader knows, by seat."""
    rows = enumerate(zip(event.gave, event.got, strict=True))
    return "".join(f"; seat {i} gave {gave} for {got}" for i, (gave, got) in rows if gave is not None)


def name_source(source: table.Source) -> str:
    """Return the position of a card, counted from 1 in the middle."""
    if source.position is not None:
        return f"middle card {source.position + 1}"
    return f"the {source.end} card of seat {source.seat}"


WON_BY = {
    "three_trios": " with three trios",
    "connected": " with two connected trios",
    "sevens": " with the trio of sevens",
    "max_turns": ", after the last turn",
}

IN_WORDS: words.Words = {
    "eaten_at": words.moment,
    "remembered": lambda at: "" if at is None else f": {words.moment(at)}",
    "how": {
        "avocado": "after the latest avocado",
        "random": "by lot",
        "pick": "as the options set",
        "left": "in turn",
    }.__getitem__,
    "dealt": lambda x: words.name_hands(x, str),
    "middle": lambda x: f"; in the middle: {' '.join(map(str, x))}" if x else "",
    "teams": lambda x: f"{'Team' if len(x) == 1 else 'Teams'} {words.join_words(map(team_number, x))}",
    "counted": team_number,
    "answer": swap_answer_text,
    "exchanges": exchanges,
    "source": name_source,
    "number": lambda x: "a number not remembered" if x is None else str(x),
    "by": lambda x: WON_BY.get(x, words.ending_reason(x)) if isinstance(x, str) else str(x),
    "trios": lambda x: words.for_each_seat(" ".join(map(str, numbers)) or "none" for numbers in x),
}

text = words.event_text(TEXTS, IN_WORDS)


# --- The scene ------------------------------------------------------------------------------------


COLUMNS: Final = {9: 3, 8: 4, 6: 3}
"""Cards per row in the middle, by their number at the deal."""


def scene(s: table.State, seat: Seat | None) -> Scene:
    """Return the table as this seat knows it, as data."""
    return Scene(
        s.phase,
        seat,
        tuple(describe_seat(s, i) for i in range(s.rules.seats)),
        tuple(table_zones(s)),
        numbers(hand=s.hand_no, turn=s.turn_no),
        tuple(table_notes(s)),
    )


def describe_seat(s: table.State, seat: Seat) -> SeatShown:
    """Describe a seat."""
    team = s.rules.team_of(seat)
    held = badges(turn=seat in to_act(s))
    own = () if team is None else (f"team {team + 1}",)
    return SeatShown(seat, held + own, numbers(score=scores(s)[seat]))


def table_zones(s: table.State) -> Iterator[Zone]:
    """Return the hands, the middle, the cards turned up from hands in this turn, and the taken trios."""
    for i, hand in enumerate(s.hands):
        yield zone("hand", "fan", hand, i, face=card_up)
    if s.middle:
        spots = tuple(place(s, position) for position in range(len(s.middle)))
        columns = COLUMNS.get(len(spots), len(spots))
        lying = sum(not spot.empty for spot in spots)
        yield Zone("middle", "middle", "grid", None, spots, lying, columns=columns)
    up = tuple(turned_up(c) for c in s.face_up if c.source.position is None)
    yield Zone("revealed", "revealed", "row", None, up, len(up))
    for trio in s.trios:
        cards = (trio.number,) * 3
        yield zone("trio", "pile", cards, trio.seat, part=trio.number, face=card_up)


def card_up(card: Number) -> Spot:
    """Describe a face-up card."""
    return Spot(str(card))


def place(s: table.State, position: int) -> Spot:
    """Describe a position of the middle."""
    card = s.middle[position]
    if card is not None:
        return Spot() if card == BACK else Spot(str(card), marks=("face down",))
    up = next((c for c in s.face_up if c.source.position == position), None)
    return Spot(empty=True) if up is None else turned_up(up)


def turned_up(c: table.FaceUp) -> Spot:
    """Describe a card that was turned up in this turn; face down if its number is forgotten."""
    marks = ("turned up",) if c.source.end is None else ("turned up", c.source.end)
    return Spot(None if c.number is None else str(c.number), seat=c.source.seat, marks=marks)


def table_notes(s: table.State) -> Iterator[str]:
    """Return the note that partners may swap, with the reader's offer."""
    if s.phase == "swap_window" and s.window is not None:
        yield "Partners may swap a card."
        for seat, offer in enumerate(s.window.offers):
            if offer is not None:
                yield f"Seat {seat} offered {offer}."


def argument_places(s: table.State, seat: Seat) -> Where:
    """Point from seats to hands, from positions to the middle, and to the cards that a seat can offer."""
    hands = tuple(zone_pointer("hand", i) for i in range(s.rules.seats))
    middle: Where = {table.RevealMiddle: {"position": spots("middle")}} if s.middle else {}
    return {
        table.RevealLowest: {"seat": hands},
        table.RevealHighest: {"seat": hands},
        table.OfferSwap: {"card": zone_pointer("hand", seat)},
        **middle,
    }


# --- Facts for standing orders --------------------------------------------------------------------


KINDS: Mapping[str, FactKind] = {
    "phase": FactKind.WORD,
    "hand_no": FactKind.NUMBER,
    "turn_no": FactKind.NUMBER,
    "score": FactKind.NUMBER,
    "fewest_cards": FactKind.NUMBER,
}


def known_facts(s: table.State, seat: Seat) -> Mapping[str, Any]:
    """Return the facts that the seat knows and the view does not show."""
    return {
        "score": scores(s)[seat],
        "fewest_cards": fewest(s.hands, seat),
    }


# --- The prompt -----------------------------------------------------------------------------------


def prompt(s: table.State, seat: Seat) -> str:
    """Return the seat's prompt."""
    if s.phase == "swap_window":
        return "Offer your partner a card to swap, or decline"
    if not s.face_up:
        return "Turn any card"
    number = s.face_up[0].number
    if number is None:
        return "Turn another card"
    return f"Find another {number}" if len(s.face_up) == 1 else f"Find the third {number}"
