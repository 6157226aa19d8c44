"""Writes events in words, from templates with a format for each field, and phrases common to the games."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from operator import attrgetter
from string import Formatter
from typing import Any, Final

from domain.core.cards import NAMES, Card, Seat, card_names
from domain.core.clock import Time

Words = Mapping[str, Callable[[Any], str]]
"""The function that formats the values of a field, by the field's name."""

MINUTE: Final = 60


def event_text(texts: Mapping[type, str], in_words: Words | None = None) -> Callable[[Any], str]:
    """Compile templates by event class into a function that writes an event in one line.

    `{card}` is the field in the format that `in_words` or else `USUAL` has for its name; without one, unchanged.
    `{cards:dealt}` is the field in the format `dealt`, and `{:swaps}` the whole event in the format `swaps`.
    """
    all_words = {**USUAL, **(in_words or {})}
    sentences = {cls: _compiled(template, all_words) for cls, template in texts.items()}
    return lambda event: sentences[type(event)](event)


def _compiled(template: str, in_words: Words) -> Callable[[Any], str]:
    parts: list[tuple[str, Callable[[Any], Any], Callable[[Any], str]]] = []
    after = ""
    for before, name, kind, _ in Formatter().parse(template):
        if name is None:
            after = before
        else:
            parts.append((before, attrgetter(name) if name else _same_event, in_words.get(kind or name, str)))
    return lambda event: "".join([before + say(get(event)) for before, get, say in parts]) + after


def _same_event(event: Any) -> Any:
    return event


def join_words(words: Iterable[str]) -> str:
    """List words, as `a, b and c`."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def capitalise(text: str) -> str:
    """Return a text with its first letter in upper case; the others stay as they are."""
    return text[:1].upper() + text[1:]


def seats(who: Sequence[Seat]) -> str:
    """Return seats in words, such as `seats 0 and 2`."""
    return f"{'seat' if len(who) == 1 else 'seats'} {join_words(map(str, who))}"


def for_each_seat(row: Iterable[Any]) -> str:
    """Return a value for each seat in words, such as `seat 0: 5, seat 1: 21`."""
    return ", ".join(f"seat {seat}: {x}" for seat, x in enumerate(row))


def name_winners(winners: Sequence[Seat]) -> str:
    """Return the winners in words."""
    if not winners:
        return "no one won"
    return f"{seats(winners)} won"


def ending_reason(reason: str) -> str:
    """Return the reason for the end of a game in words, if it was not played to its end."""
    return {"resignation": ", after a resignation", "draw": ", by agreement"}.get(reason, "")


def name_card(card: Card | None) -> str:
    """Return the name of a card that may be hidden."""
    return "a hidden card" if card is None else NAMES[card]


def name_cards(row: Sequence[Card] | None) -> str:
    """Return the names of cards, which may be hidden or none."""
    return "hidden cards" if row is None else " ".join(card_names(row)) or "no cards"


def name_hands(hands: Sequence[Sequence[Any] | None], name: Callable[[Any], str] = NAMES.__getitem__) -> str:
    """Return the hands that a reader is shown, to follow `The cards were dealt`."""
    known = [f"seat {i} got {' '.join(map(name, hand))}" for i, hand in enumerate(hands) if hand]
    return f": {'; '.join(known)}" if known else ""


USUAL: Final[Words] = {
    "card": name_card,
    "cards": name_cards,
    "dealt": name_hands,
    "points": for_each_seat,
    "reason": ending_reason,
    "totals": for_each_seat,
    "winners": name_winners,
}
"""The default formats of fields with these names."""


def moment(at: Time) -> str:
    """Write a time for people."""
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"


def duration(ms: int) -> str:
    """Write how long something lasts, as `1 h 2 min 3 s`."""
    minutes, seconds = divmod(ms // 1000, MINUTE)
    hours, minutes = divmod(minutes, MINUTE)
    parts = [f"{n} {unit}" for n, unit in ((hours, "h"), (minutes, "min"), (seconds, "s")) if n]
    return " ".join(parts) or "0 s"
