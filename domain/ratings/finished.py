"""Determines which matches are rated, and the data for rating a finished one."""

from collections import Counter
from collections.abc import Collection, Container, Mapping, Sequence
from typing import Any, Final, Literal

from domain.core.cards import Seat
from domain.core.clock import HOUR, Clock, Time, first_budget
from domain.core.game import AnyGame
from domain.core.strengths import USUAL, Figures
from domain.core.values import value
from domain.match import Match
from domain.ratings.match_course import Course

READING: Final = 2
"""The version of `read_finished_match`, stored with its results; raise it when a match may give another result."""

LEAST_PEOPLE: Final = 2

PUBLIC: Final = "public"
"""The visibility of rated matches: anyone can recompute the ratings."""

SAME_DEALS: Final = "A duplicate group is not rated: a player at one table may learn the cards of another."

QUICK_MS: Final = {"live": 120_000, "mail": 3_600_000}
"""A match is quick for a player if it ends for them within this time of its start, in milliseconds."""

Quick = Literal["", "lost", "given_up"]
"""How a player lost a match soon after its start; empty if the player did not lose it, or not so soon."""


@value
class FinishedSeat:
    """A seat of a finished match: its player or the level of its bot, its side, and the side's place.

    `left`: the player ranks behind all others, after resigning or because a bot replaced the player to the end.
    `decided`: the player made their first decision in the game, and not the clock or a bot.
    """

    player: str | None
    level: str | None
    side: int
    place: int
    left: bool = False
    quick: Quick = ""
    decided: bool = True


@value
class FinishedMatch:
    """The rated data of a match: its rating pool, its end, its seats."""

    game: str
    pool: str
    at: Time
    seats: tuple[FinishedSeat, ...]


def pool_of(game: AnyGame, options: Any, seats: int, clock: Clock) -> str:
    """Return the pool of a match: the game, the class of its options, live or by mail."""
    return ":".join((game.name, class_of(game, options, seats), pace(clock)))


def pool_of_match(m: Match) -> str | None:
    """Return the pool in which a match is rated; None if it is not rated, for example because its deals are known."""
    if not m.common.rated or m.created.visibility != PUBLIC:
        return None
    if m.created.deal_known is not None or m.created.deal_group is not None:
        return None
    return pool_of(m.game, m.options, len(m.seats), m.clock)


def class_of(game: AnyGame, options: Any, seats: int) -> str:
    """Return the class of options of a match."""
    return game.setup.strengths.classes(options, seats) or USUAL


def classes_of(game: AnyGame) -> tuple[str, ...]:
    """Return the known classes of options of a game: usual play, and those of its presets and figures."""
    setup = game.setup
    played = [setup.options(**setup.resolve(given, setup.usual)) for given in ({}, *setup.presets.values())]
    return tuple(dict.fromkeys([*(class_of(game, one, setup.usual) for one in played), *setup.strengths.apart]))


def class_title(game: AnyGame | None, of: str) -> str:
    """Return the title of a class of options; empty for a game's only class, and for a game that is gone (None)."""
    titles = game.setup.strengths.titles if game is not None else {}
    return titles.get(of, "" if of == USUAL else of.replace("_", " "))


def figures_of(game: AnyGame, options: Any, seats: int) -> Figures:
    """Return the figures for the class of options of a match."""
    return game.setup.strengths.figures(class_of(game, options, seats))


def pace(clock: Clock) -> str:
    """Return whether a match is played live, or by mail: with an hour for a decision, or more."""
    return "mail" if first_budget(clock) >= 1000 * HOUR else "live"


def unrated_because(
    game: AnyGame,
    options: Any,
    clock: Clock,
    levels: Sequence[str | None],
    *,
    seats_per_player: int,
    visibility: str = PUBLIC,
) -> str:
    """Return in a sentence why a new match cannot be rated; empty if it can.

    `levels` are those of the bots, seat by seat; None for a person's seat.
    """
    people = levels.count(None)
    if not game.setup.winnable:
        return "This game has no winner, so it is not rated."
    if visibility != PUBLIC:
        return "A rated match must be public, so that anyone can recompute the ratings."
    if not clock.ticks:
        return "A rated match needs a clock. Set `clock`."
    if seats_per_player != 1:
        return "In a rated match, each player has one seat."
    if not people:
        return "A match between bots is not rated."
    known = figures_of(game, options, len(levels)).bots
    if people < LEAST_PEOPLE and (unknown := {level for level in levels if level is not None} - known.keys()):
        return (
            f"A match of one player is rated only against bots of a fixed strength: {_name_strengths(unknown, known)}."
        )
    return ""


def _name_strengths(unknown: Collection[str], known: Mapping[str, int]) -> str:
    levels = ", ".join(sorted(unknown))
    return f"the strength of {levels} is unknown on this server" + (
        f", but known for {', '.join(known)}" if known else ""
    )


def read_finished_match(m: Match, course: Course, deciders: Container[Seat]) -> FinishedMatch | None:
    """Return the rated data of a finished match; None if it is not rated or has no result.

    `deciders` are the seats whose players made their first decision in the game.
    """
    pool = pool_of_match(m)
    if pool is None or m.result is None or m.annulled is not None:
        return None
    sides = m.game.setup.sides(m.options, len(m.seats))
    seats = tuple(_finished_seat(m, course, seat, sides[seat], decided=seat in deciders) for seat in m.seats)
    people = Counter(seated.player for seated in seats if seated.player is not None)
    levels = [seated.level for seated in seats if seated.player is None]
    if people.total() != len(people) or not people:
        return None
    known = figures_of(m.game, m.options, len(m.seats)).bots
    if len(people) < LEAST_PEOPLE and not all(level in known for level in levels):
        return None
    return FinishedMatch(m.game.name, pool, course.ended, seats)


def _finished_seat(m: Match, course: Course, seat: Seat, side: int, *, decided: bool) -> FinishedSeat:
    assert m.result is not None
    player = m.players[seat]
    # If a seat can resign while the others play on, the game has ranked the seat.
    resigned = seat in course.gave_up and m.game.leaving.resign is None
    left = player is not None and (resigned or m.by_bot[seat])
    quick = _quick(m, course, seat, m.result.places) if player is not None else ""
    if player is None:
        return FinishedSeat(None, m.created.seats[seat].level, side, m.result.places[seat])
    return FinishedSeat(player, m.created.seats[seat].level, side, m.result.places[seat], left, quick, decided)


def _quick(m: Match, course: Course, seat: Seat, places: Sequence[int]) -> Quick:
    """Return how a player lost a match soon after its start, by resigning or otherwise.

    A player who is out before others has lost, and so has the last one at its end.
    """
    if course.gone.get(seat, course.ended) - course.started >= QUICK_MS[pace(m.clock)]:
        return ""
    if seat in course.gave_up or m.by_bot[seat]:
        return "given_up"
    last = seat in course.gone or places[seat] == max(places)
    return "lost" if last and places[seat] > 1 else ""
