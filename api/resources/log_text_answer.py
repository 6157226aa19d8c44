"""Writes the log of a match as a text for people: game, players, and then line by line what happened."""

from collections.abc import Iterator, Sequence
from textwrap import fill

from api.resources.seat_answer import SeatAnswer
from events.service import views
from events.service.context import Context
from events.service.views import Seen
from events.times import write_time

WIDTH = 100

Seats = Sequence[SeatAnswer]


def export_log(context: Context, seen: Seen, held: Seats, after: int) -> Iterator[bytes]:
    """Yield the log in pieces, as the reader of `seen` may know it; without the heading if it begins later.

    `held` are the players by seat.
    """
    if after == 0:
        yield (_heading(seen, held) + "\n").encode()
    day, width = "", len(str(seen.version))
    begins = {seen.match.game.lifecycle.game_starts, seen.match.game.lifecycle.hand_starts}
    before: type | None = None
    for seq, at_ms, event, line in views.export_events(context, seen, after):
        when, kind = write_time(at_ms), type(event)
        paragraph = "\n" if kind in begins and before not in begins else ""
        date = f"{when[:10]}, times in UTC\n" if when[:10] != day else ""
        day, before = when[:10], kind
        yield f"{paragraph}{date}{seq:>{width}}  {when[11:19]}  {line}\n".encode()


def _heading(seen: Seen, held: Seats) -> str:
    m = seen.match
    title = f"{m.game.words.title}: match {seen.match_id}, {m.status}, {seen.version} events"
    series = m.created.series.best_of
    about = m.game.words.about(m.options, len(m.seats)) + (f" The best of {series} games wins." if series > 1 else "")
    shown = "everybody" if seen.seat is None else f"seat {seen.seat}"
    seats = (f"  Seat {seat}: {name}" for seat, name in enumerate(map(_name, held)))
    return "\n".join([title, "", fill(about, WIDTH), "", *seats, "", f"What {shown} may know:", ""])


def _name(held: SeatAnswer) -> str:
    """Return the name of the player in a seat."""
    if held.player is not None:
        name = held.player.name or "a player who has left"
        return f"{name}, now played by a bot" if held.played_by_bot else name
    return f"{held.level} bot" if held.kind == "bot" else f"nobody yet ({held.kind})"
