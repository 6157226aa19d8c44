"""Completes and checks the presets, options and seats of a requested match."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Annotated, Any, Final, Literal

from msgspec import UNSET

from api.http.common_fields import ChosenVisibility, HashText, InstalledGame, KeyProof, Nonce, PlayerKey
from api.http.game_request_schemas import read_options
from api.http.problems import wrong_fields
from api.http.record_reader import Faults
from api.http.request_parsing import faults_by_path
from api.http.request_records import Request, game_part
from api.http.seat_entries import EntryBody, SavedDeckId, entry_names, entry_of, unasked_fields, with_entries
from domain.core.clock import HOUR, Clock, bad_clock, complete_clock, first_budget
from domain.core.fairness import COPIED
from domain.core.game import MOST_GAMES, Game
from domain.core.options import Odd, Omissible
from domain.core.strengths import Level
from domain.core.values import with_fields
from domain.games.catalogue import GAMES
from domain.match.creation import Series
from domain.ratings.finished import unrated_because
from events.service.new_match import NewMatch, SeatRequest

AnyGame = Game[Any, Any, Any, Any]


@with_entries
class SeatPlanBody(Request):
    """A seat of the new match."""

    kind: Literal["me", "open", "invite", "bot"]
    """The kind of seat: player, open, invited or bot."""
    level: Omissible[Level] = None
    """For a bot: its level, by default `steady`."""
    nonce: Omissible[Nonce] = None
    """For your own seat: your nonce for the shuffles."""
    nonce_hash: Omissible[HashText] = None
    """For your own seat, with `nonce_commit`: the SHA-256 of the nonce's text."""
    player_key: Omissible[PlayerKey] = None
    key_proof: Omissible[KeyProof] = None
    entry: Omissible[EntryBody] = None
    """The seat's entries for the game, by name."""
    deck_id: Omissible[SavedDeckId] = None


class SeriesBody(Request):
    """The number of games in a match."""

    best_of: Omissible[Annotated[int, Odd(1, MOST_GAMES)]] = None
    """Maximum games of the match, not counting drawn games; the default depends on the game."""


class AlikeBody(Request):
    """The common settings of several matches."""

    game: InstalledGame
    """The name of the game."""
    options: Annotated[Mapping[str, Any], game_part("Options")] = field(default_factory=dict)
    """The options of all tables, as in a match."""
    preset: str | None = None
    """The preset that the options begin with; null if there is none."""


class MatchRequestBody(Request):
    """The match to create."""

    game: InstalledGame
    """The name of the game."""
    options: Annotated[Mapping[str, Any], game_part("Options")] = field(default_factory=dict)
    """Options as `GET /v1/games/{game}` describes them; omitted ones have their defaults."""
    preset: str | None = None
    """A named set of options, which `options` override."""
    seats: tuple[SeatPlanBody, ...] | None = None
    """By default you, then bots up to the usual number."""
    visibility: ChosenVisibility = "public"
    """`unlisted`: readable by link; `private`: for seated players and the creator."""
    clock: Clock = field(default_factory=Clock)
    """The clock of the match."""
    series: SeriesBody = field(default_factory=SeriesBody)
    """How many games make the match."""


def new_match(asked: MatchRequestBody) -> NewMatch:
    """Complete the requested match. Raise 422 with every invalid field."""
    game = GAMES[asked.game]
    places, clock = requested_places(game, asked.seats), clock_of(asked.clock)
    options = _options(game, asked.options, asked.preset, len(places), clock)
    best_of = asked.series.best_of or game.setup.best_of
    if best_of > 1 and not game.setup.winnable:
        raise wrong_fields(
            {"series.best_of": [f"{game.words.title} has no winner, so it is not played as a series. Leave this out."]},
            "bad_options",
        )
    most = seats_per_player(game, options, places)
    if options["rated"]:
        most = _rated(game, options, places, clock, asked.visibility)
    return NewMatch(
        game=game.name,
        options=options | {"seats_per_player": most},
        preset=asked.preset,
        places=places,
        visibility=asked.visibility,
        clock=clock,
        series=Series(best_of),
    )


def seats_per_player(game: AnyGame, options: Mapping[str, Any], places: Sequence[SeatRequest]) -> int:
    """Return the seats of one player: by default those of a side, or those that the creator has named.

    Raise 422 if the creator has named more seats, or a nonce in another form than the options require.
    """
    check_nonces(places, options)
    mine = sum(place.kind == "me" for place in places)
    given: int | None = options["seats_per_player"]
    if given is not None and mine > given:
        raise wrong_fields(
            {"options.seats_per_player": [f"Must be at least {mine}: you take {mine} seats yourself."]}, "bad_options"
        )
    rules = _rules(game, options)
    side = max(Counter(game.setup.sides(rules, len(places))).values())
    return given or max(side, mine)


def _rated(
    game: AnyGame, options: Mapping[str, Any], places: Sequence[SeatRequest], clock: Clock, visibility: str
) -> int:
    """Return the number of seats of one player in a rated match. Raise 422 if it cannot be rated."""
    mine = sum(place.kind == "me" for place in places)
    levels = [place.level if place.kind == "bot" else None for place in places]
    most = max(options["seats_per_player"] or 1, mine)
    rules = _rules(game, options)
    if why := unrated_because(game, rules, clock, levels, seats_per_player=most, visibility=visibility):
        raise wrong_fields({"options.rated": [why]}, "bad_options")
    return most


def check_nonces(places: Sequence[SeatRequest], options: Mapping[str, Any]) -> None:
    """Raise 422 for a nonce that is not accepted at creation: with `nonce_commit`, only its hash is."""
    name, why = (
        ("nonce", "With `nonce_commit`, send `nonce_hash`. Nonces follow once all hashes are in.")
        if options["nonce_commit"]
        else ("nonce_hash", "Without `nonce_commit`, send the nonce itself.")
    )
    wrong = {f"seats.{i}.{name}": [why] for i, place in enumerate(places) if getattr(place, name) is not None}
    for name in ("nonce", "nonce_hash"):
        given = [getattr(place, name) for place in places]
        wrong |= {f"seats.{i}.{name}": [COPIED] for i, one in enumerate(given) if one and one in given[:i]}
    if wrong:
        raise wrong_fields(wrong)


def clock_of(asked: Clock) -> Clock:
    """Complete a clock. Raises 422."""
    clock = complete_clock(with_fields(asked, days_off=tuple(sorted(asked.days_off))))
    if bad := bad_clock(clock):
        raise wrong_fields({f"clock.{name}": [why] for name, why in bad.items()})
    return clock


def requested_places(game: AnyGame, asked: Sequence[SeatPlanBody] | None) -> tuple[SeatRequest, ...]:
    """Return the requested seats, by default the caller's and bots. Raise 422."""
    if asked is None:
        return (SeatRequest("me"), *[SeatRequest("bot", "steady")] * (game.setup.usual - 1))
    if len(asked) not in game.setup.seats:
        raise wrong_fields({"seats": [f"{game.words.title} has {_numbers(game.setup.seats)} seats."]})
    faults = ((i, _wrong_with(game, seat)) for i, seat in enumerate(asked))
    if wrong := {f"seats.{i}.{name}": why for i, found in faults for name, why in found.items()}:
        raise wrong_fields(wrong)
    return tuple(_place(game, seat) for seat in asked)


def _place(game: AnyGame, seat: SeatPlanBody) -> SeatRequest:
    return SeatRequest(
        seat.kind,
        "steady" if seat.kind == "bot" and seat.level is None else seat.level,
        entry_of(game, seat),
        nonce=seat.nonce,
        nonce_hash=seat.nonce_hash,
        player_key=seat.player_key,
        key_proof=seat.key_proof,
    )


def _numbers(seats: range) -> str:
    return str(seats[0]) if len(seats) == 1 else f"{seats[0]} to {seats[-1]}"


def _wrong_with(game: AnyGame, seat: SeatPlanBody) -> dict[str, list[str]]:
    wrong = {}
    if seat.level is not None and seat.kind != "bot":
        wrong["level"] = ["Send this only for a bot."]
    if seat.kind != "me":
        wrong |= {name: ["Send this only for your own seat."] for name in _OF_MINE if getattr(seat, name) is not None}
    why = ["Send this only for your own seat, in a game that uses it."]
    brought = [name for name in ("entry", *entry_names()) if getattr(seat, name) not in (None, UNSET)]
    strange = unasked_fields(game, seat) if seat.kind == "me" else brought
    return wrong | dict.fromkeys(strange, why)


_OF_MINE: Final = ("nonce", "nonce_hash", "player_key", "key_proof", "deck_id")
"""The fields of a request for a seat that only the caller's own has."""


def _options(game: AnyGame, given: Mapping[str, Any], preset: str | None, seats: int, clock: Clock) -> dict[str, Any]:
    """Complete the options: from the preset, then from the other options, then from the defaults."""
    if preset is not None and preset not in game.setup.presets:
        known = ", ".join(game.setup.presets)
        raise wrong_fields({"preset": [f"{game.words.title} has these presets: {known}."]}, "bad_options")
    chosen = {"standing_orders": _slow(clock)} | dict(game.setup.presets[preset] if preset is not None else {})
    resolved = game.setup.resolve({**chosen, **given}, seats)
    try:
        options = read_options(game, resolved)
    except Faults as faults:
        raise wrong_fields(faults_by_path(faults, "options"), "bad_options") from None
    rules = _rules(game, options)
    if bad := game.setup.bad_options(rules, seats):
        raise wrong_fields({f"options.{name}": [why] for name, why in bad.items()}, "bad_options")
    if _crossed(options["least_rating"], options["most_rating"]):
        raise wrong_fields({"options.least_rating": ["Must not be greater than `most_rating`."]}, "bad_options")
    if options["standing_orders"] and not clock.ticks:
        raise wrong_fields(
            {"options.standing_orders": ["Standing orders need a time limit. Set `clock`."]}, "bad_options"
        )
    return options | {"fairness_reveal": options["fairness_reveal"] or game.setup.reveal}


def _crossed(least: int | None, most: int | None) -> bool:
    return least is not None and most is not None and least > most


def _rules(game: AnyGame, options: Mapping[str, Any]) -> Any:
    """Return the game's own options among all options of a match."""
    return game.setup.options(**{name: options[name] for name in game.setup.options.__dataclass_fields__})


def _slow(clock: Clock) -> bool:
    """Return whether a decision has at least an hour, so that players may need standing orders."""
    return first_budget(clock) >= 1000 * HOUR
