"""Shows Trio: how long numbers are remembered, the table of a seat, events in words (trio 7, 8)."""

from collections.abc import Callable, Mapping, Sequence

from domain.core import text as words
from domain.core.cards import BACK, Seat
from domain.games.trio.options import Memory, Number
from domain.games.trio.play import scores
from domain.games.trio.shown import PlaceShown, SourceShown, SwapShown, TrioShown
from domain.games.trio.table import (
    NOBODY,
    AvocadoRemembered,
    AvocadoStated,
    CardRevealed,
    Event,
    FirstPlayerChosen,
    GameEnded,
    GameStarted,
    HandDealt,
    HandStarted,
    RevealsReturned,
    Source,
    State,
    SwapAnswered,
    SwapMade,
    SwapNotMade,
    SwapWindowClosed,
    SwapWindowOpened,
    TrioCompleted,
    Window,
)

# --- What a seat is shown, and for how long (trio 7, 8) -----------------------------------------


def remembered(s: State, reader: Seat | None, event: Event) -> bool:
    """Say whether a reader may still be shown the number of a card that was revealed; None are the spectators.

    The state of any reader will do. What belongs to a game that is over may be read by all.
    """
    if type(event) is not CardRevealed or s.ended or event.turn_no <= s.before:
        return True
    return MEMORIES[s.rules.memory](s, reader, event.turn_no)


def until_own_turn(s: State, reader: Seat | None, turn_no: int) -> bool:
    """Show numbers to a seat until it has completed its own next turn, to spectators as long as to any seat."""
    n = s.rules.seats
    # The last turn that was completed, by the seat before this one.
    over = s.turn_no - bool(s.face_up)
    # The turns since the reader's own last one.
    ago = n - 1 if reader is None else (s.turn - 1 - reader) % n
    return over - ago <= turn_no


def until_next_turn(s: State, reader: Seat | None, turn_no: int) -> bool:
    """Show numbers to all until the first reveal of the next turn, so that all can see the last card."""
    return turn_no == s.turn_no


MEMORIES: Mapping[Memory, Callable[[State, Seat | None, int], bool]] = {
    "table": until_own_turn,
    "open": lambda s, reader, turn_no: True,
    "strict": until_next_turn,
}


def view(s: State, seat: Seat | None) -> TrioShown:
    """Give the table as this seat knows it; cards it has not been shown are not in the state it is made of."""
    return {
        "phase": s.phase,
        "game_no": s.game_no,
        "hand_no": s.hand_no,
        "turn_no": s.turn_no,
        "turn": someone(s.turn),
        "first_player": someone(s.first),
        "hand": [] if seat is None else list(s.hands[seat]),
        "hands": [None if BACK in hand else list(hand) for hand in s.hands],
        "hand_counts": [len(hand) for hand in s.hands],
        "middle": [place(s, position) for position in range(len(s.middle))],
        "face_up": [{"source": located(c.source), "number": c.number} for c in s.face_up],
        "trios": [{"seat": t.seat, "team": s.rules.team_of(t.seat), "number": t.number} for t in s.trios],
        "scores": list(scores(s)),
        "teams": [list(pair) for pair in s.rules.teams],
        "swap": None if s.window is None else swapping(s, s.window, seat),
    }


def someone(seat: Seat) -> Seat | None:
    """Give the seat, if it is one."""
    return None if seat == NOBODY else seat


def place(s: State, position: int) -> PlaceShown:
    """Describe a position of the middle."""
    card = s.middle[position]
    if card is not None:
        return {"state": "face_down", "number": None if card == BACK else card}
    shown = [c.number for c in s.face_up if c.source.position == position]
    return {"state": "face_up", "number": shown[0]} if shown else {"state": "taken", "number": None}


def located(source: Source) -> SourceShown:
    """Describe where a card lies, as its kind of place is described."""
    shown: SourceShown = {"kind": source.kind}
    if source.seat is not None:
        shown["seat"] = source.seat
    if source.end is not None:
        shown["end"] = source.end
    if source.position is not None:
        shown["position"] = source.position
    return shown


def swapping(s: State, w: Window, seat: Seat | None) -> SwapShown:
    """Describe the last swap window, with the seat's own part in it."""
    return {
        "open": s.phase == "swap_window",
        "reason": w.reason,
        "teams": list(w.teams),
        "answered": sorted(w.answered),
        "made": sorted(made.team for made in w.made),
        "offered": None if seat is None else w.offers[seat],
        "gave": own([made.gave for made in w.made], seat),
        "got": own([made.got for made in w.made], seat),
    }


def own(rows: Sequence[Sequence[Number | None]], seat: Seat | None) -> Number | None:
    """Give a seat's own entry in whichever row has one."""
    return None if seat is None else next((row[seat] for row in rows if row[seat] is not None), None)


TEXTS: Mapping[type, str] = {
    GameStarted: "Game {game_no} begins: {cards_each} cards each, {middle_count} in the middle.",
    AvocadoRemembered: "Seat {seat} says when it last ate an avocado{eaten_at:remembered}.",
    AvocadoStated: "Seat {seat} last ate an avocado at {eaten_at}.",
    FirstPlayerChosen: "Seat {seat} begins, {how}.",
    HandStarted: "Hand {hand_no} is dealt.",
    HandDealt: "The cards are dealt{cards:dealt}{middle}.",
    SwapWindowOpened: "{teams} may swap a card.",
    SwapAnswered: "Seat {seat} {:answer}.",
    SwapMade: "Team {team:counted} swaps a card{:exchanges}.",
    SwapNotMade: "Team {team:counted} does not swap.",
    SwapWindowClosed: "The swaps are over.",
    CardRevealed: "Seat {by} turns up {source}: {number}.",
    RevealsReturned: "They differ, and are turned down again.",
    TrioCompleted: "Seat {seat} takes the trio of {number}.",
    GameEnded: "The game is over: {winners}{by}. Trios: {trios}.",
}


def counted(team: int) -> str:
    """Number a team as people count, from 1."""
    return str(team + 1)


def answer(event: SwapAnswered) -> str:
    """Say what a partner answers, to itself; to others, that it does."""
    if event.answer is None:
        return "has answered"
    return "declines to swap" if event.card is None else f"offers {event.card}"


def exchanges(event: SwapMade) -> str:
    """Name the cards of the swaps that the reader knows, by seat."""
    rows = enumerate(zip(event.gave, event.got, strict=True))
    return "".join(f"; seat {i} gives {gave} for {got}" for i, (gave, got) in rows if gave is not None)


def where(source: Source) -> str:
    """Say where a card lies; people count the cards of the middle from 1."""
    if source.position is not None:
        return f"middle card {source.position + 1}"
    return f"the {source.end} card of seat {source.seat}"


WON_BY = {
    "three_trios": " with three trios",
    "connected": " with two connected trios",
    "sevens": " with the trio of sevens",
    "max_turns": ", for all turns are played",
}

IN_WORDS: words.Words = {
    "eaten_at": words.moment,
    "remembered": lambda at: "" if at is None else f": {words.moment(at)}",
    "how": {
        "avocado": "after the latest avocado",
        "random": "by lot",
        "pick": "as was chosen",
        "left": "in turn",
    }.__getitem__,
    "dealt": lambda x: words.dealt(x, str),
    "middle": lambda x: f"; in the middle lie {' '.join(map(str, x))}" if x else "",
    "teams": lambda x: f"{'Team' if len(x) == 1 else 'Teams'} {words.listed(map(counted, x))}",
    "counted": counted,
    "answer": answer,
    "exchanges": exchanges,
    "source": where,
    "number": lambda x: "a number not remembered" if x is None else str(x),
    "by": lambda x: WON_BY.get(x, words.why(x)) if isinstance(x, str) else str(x),
    "trios": lambda x: words.each(" ".join(map(str, numbers)) or "none" for numbers in x),
}

text = words.event_text(TEXTS, IN_WORDS)
