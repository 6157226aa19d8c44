"""Writes the log of a match as a text that is read from top to bottom."""

from collections.abc import Iterator

from api.safe_text import remove_controls
from api.terminal.replay_player import Tape
from domain.core.visibility import Reader


def log_text(tape: Tape, reader: Reader, first: int = 1, last: int | None = None) -> Iterator[str]:
    """Write the match line by line: the players, then the events from `first` to `last`, one paragraph per hand."""
    about = tape.record.match
    match = f"match {remove_controls(about.id)}, {remove_controls(about.status)}"
    yield f"{tape.game.words.title}, {match}: {tape.last} events, {tape.verdict()[1]}"
    if chosen := tape.chosen():
        yield f"Options: {chosen}"
    yield "Seats: " + ", ".join(f"{seat} {name}" for seat, name in enumerate(tape.names))
    yield f"Shown: {tape.viewpoint(reader)}."
    begins = {mark.first: f"Hand {mark.at.removeprefix('hand:')}" for mark in tape.hands}
    day, width = "", len(str(tape.last))
    for version in range(first, (tape.last if last is None else last) + 1):
        at = remove_controls(tape.record.events[version - 1].at)
        if version in begins or version == first:
            yield ""
        if version in begins:
            yield begins[version]
        if at[:10] != day:
            day = at[:10]
            yield f"{day}, UTC"
        yield f"{version:>{width}}  {at[11:19]}  {tape.text(reader, version)}"
