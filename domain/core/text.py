"""Writes events in words, from templates filled with what each field says, and phrases that the games share."""

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
    """Compile templates, by the class of event, into the function that writes an event in one line.

    `{card}` stands for the field in the words that `in_words`, or else `USUAL`, has for its name, as it is if both have
    none; `{cards:dealt}` for the field in the words for `dealt`, and `{:swaps}` for the whole event in the words for
    `swaps`.
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
            parts.append((before, attrgetter(name) if name else _itself, in_words.get(kind or name, str)))
    return lambda event: "".join([before + say(get(event)) for before, get, say in parts]) + after


def _itself(event: Any) -> Any:
    return event


def join_words(words: Iterable[str]) -> str:
    """List words, as `a, b and c`."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def seats(who: Sequence[Seat]) -> str:
    """Name seats, as `seats 0 and 2`."""
    return f"{'seat' if len(who) == 1 else 'seats'} {join_words(map(str, who))}"


def for_each_seat(row: Iterable[Any]) -> str:
    """Say something of each seat, as `seat 0: 5, seat 1: 21`."""
    return ", ".join(f"seat {seat}: {x}" for seat, x in enumerate(row))


def name_winners(winners: Sequence[Seat]) -> str:
    """Say who wins."""
    if not winners:
        return "nobody wins"
    return f"{seats(winners)} {'wins' if len(winners) == 1 else 'win'}"


def ending_reason(reason: str) -> str:
    """Say what has ended a game, where it was not played to its end."""
    return {"resignation": ", after a resignation", "draw": ", by agreement"}.get(reason, "")


def name_card(card: Card | None) -> str:
    """Name a card that may be hidden."""
    return "a hidden card" if card is None else NAMES[card]


def name_cards(row: Sequence[Card] | None) -> str:
    """Name cards, which may be hidden or none."""
    return "hidden cards" if row is None else " ".join(card_names(row)) or "no cards"


def name_hands(hands: Sequence[Sequence[Any] | None], name: Callable[[Any], str] = NAMES.__getitem__) -> str:
    """Say the hands that one is shown, after `The cards are dealt`."""
    known = [f"seat {i} holds {' '.join(map(name, hand))}" for i, hand in enumerate(hands) if hand]
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
"""The words that fields of these names have in every game, unless it has its own."""


def moment(at: Time) -> str:
    """Write a time for people."""
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"


def duration(ms: int) -> str:
    """Write how long something lasts, as `1 h 2 min 3 s`."""
    minutes, seconds = divmod(ms // 1000, MINUTE)
    hours, minutes = divmod(minutes, MINUTE)
    parts = [f"{n} {unit}" for n, unit in ((hours, "h"), (minutes, "min"), (seconds, "s")) if n]
    return " ".join(parts) or "0 s"
