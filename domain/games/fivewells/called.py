"""Names the objects of a duel in texts: by what is printed on them, as far as the reader of a table knows it.

A text is written with marks where it names an object, and is told with or without a table. Permanents of one name are
told apart by the order in which they entered, or lay in a graveyard, and by whose they were then where it matters: they
keep these names for good, whatever enters later.
"""

import re
from collections.abc import Mapping
from typing import Final

from domain.core.cards import Seat
from domain.games.fivewells.handles import STACK, Handle
from domain.games.fivewells.printed import PRINTED
from domain.games.fivewells.state import Arrival, State

MARK: Final = re.compile("\x02(-?[0-9]+)(\\*?)\x03([^\x04]*)\x04")
"""An object in a text: its handle, a star where it matters whose it is, and what it is called without a table."""


def mark(handle: Handle, card: str = "", *, whose: bool = False) -> str:
    """Name an object, which may be of this card, in a text that is not told yet."""
    unknown = "an object on the stack" if handle >= STACK else "a card"
    return f"\x02{int(handle)}{'*' * whose}\x03{PRINTED[card].name if card in PRINTED else unknown}\x04"


def fill_in_names(text: str, s: State | None) -> str:
    """Tell a text with the names that the reader of this table knows."""
    line = MARK.sub(lambda said: object_name(s, Handle(int(said[1])), whose=bool(said[2])) or said[3], text)
    return f"{line[0].upper()}{line[1:]}"


def object_name(s: State | None, handle: Handle, *, whose: bool) -> str:
    """Call an object by its name, with what tells it from others of that name; an empty text where it is not known."""
    if s is None:
        return ""
    own = next((one for one in named_arrivals(s) if one.object == handle), None)
    if own is None:
        return name_of(s, handle)
    nth = which(s, own)
    order, seat = f" ({ordinal(nth)})" if nth > 1 else "", f" of seat {own.controller}" if whose else ""
    return f"{PRINTED[own.card].name}{order}{seat}"


def namesake_number(s: State, handle: Handle, controller: Seat) -> str:
    """Say which of those of its name and of its seat a permanent is, as `2nd`; an empty text of the first."""
    own = next((one for one in named_arrivals(s) if one.object == handle and one.controller == controller), None)
    nth = which(s, own) if own else 1
    return ordinal(nth) if nth > 1 else ""


def which(s: State, own: Arrival) -> int:
    """Count the permanents of the name and the seat of this one up to it, in the order in which they entered first."""
    alike = dict.fromkeys(
        one.object for one in named_arrivals(s) if (one.card, one.controller) == (own.card, own.controller)
    )
    return [*alike].index(own.object) + 1


def arrival_places(s: State, seat: Seat) -> Mapping[Handle, int]:
    """Give the places of what a seat has, in the order in which it entered first, by which it is numbered."""
    return {
        object_: n
        for n, object_ in enumerate(dict.fromkeys(o.object for o in named_arrivals(s) if o.controller == seat))
    }


def named_arrivals(s: State) -> list[Arrival]:
    """Give what has entered, and the creature cards of graveyards: no other card is named before it enters."""
    return [one for one in s.arrivals if not one.is_buried or PRINTED[one.card].creature]


def ordinal(n: int) -> str:
    """Write which of several one is, as `2nd`."""
    teens = range(11, 14)
    return f"{n}{'th' if n % 100 in teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')}"


def name_of(s: State, handle: Handle) -> str:
    """Give the name that is printed on a card, or on what was put on the stack; an empty text where it is not known."""
    rows, place = (s.pushed, handle - STACK - 1) if handle >= STACK else (s.cards, int(handle))
    card = rows[place] if 0 <= place < len(rows) else ""
    return PRINTED[card].name if card in PRINTED else ""
