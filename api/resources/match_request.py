"""Completes and checks what a client asks for: presets, options and seats, from which a match is created."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args

from marshmallow import ValidationError, fields

from api.http.common_fields import (
    choice_field,
    doc,
    game_part,
    key_proof_field,
    nonce_field,
    pattern_field,
    player_key_field,
)
from api.http.game_request_schemas import options_request_schema
from api.http.problems import Problem
from api.http.request_parsing import invalid_request, messages_by_path
from api.http.seat_entries import EntryBody, deck_id_field, entry_fields, entry_of, unasked_fields
from api.http.strict_fields import Strict
from domain.core.clock import HOUR, Clock, bad_clock, complete_clock, first_budget
from domain.core.fairness import COPIED
from domain.core.game import Game
from domain.games.catalogue import GAMES
from domain.match.creation import Level, Series
from domain.ratings import unrated_because
from events.service.new_match import NewMatch, SeatRequest

AnyGame = Game[Any, Any, Any, Any]


SeatPlanBody = Strict.from_dict(
    {
        "kind": choice_field(
            "me", "open", "invite", "bot", required=True, **doc("The kind of seat: player, open, invited or bot.")
        ),
        "level": choice_field(*get_args(Level), **doc("Of a bot; by default `steady`.")),
        "nonce": nonce_field(**doc("Of your own seat: your part of the shuffles.")),
        "nonce_hash": pattern_field(
            "[0-9a-f]{64}", **doc("Of your own seat, with `nonce_commit`: the SHA-256 of the nonce's text.")
        ),
        "player_key": player_key_field(),
        "key_proof": key_proof_field(),
        "entry": fields.Nested(EntryBody, **doc("The seat's entries for the game, by name.")),
        "deck_id": deck_id_field(),
        **entry_fields(),
    },
    name="SeatPlanBody",
)
SeatPlanBody.__doc__ = "A seat of the match to be created."


class AlikeBody(Strict):
    """The common settings of several matches."""

    game = choice_field(*GAMES, required=True, **doc("The name of the game."))
    options = fields.Dict(
        keys=fields.String(),
        load_default=dict,
        **doc("The same for all tables; as in a match.", **game_part("Options")),
    )
    preset = fields.String(
        allow_none=True, load_default=None, **doc("The preset that the options begin with; null if there is none.")
    )


def new_match(asked: Mapping[str, Any]) -> NewMatch:
    """Complete the requested match. Raise 422 with every invalid field."""
    game = GAMES[asked["game"]]
    places, clock = requested_places(game, asked["seats"]), clock_of(asked["clock"])
    options = _options(game, asked["options"], asked["preset"], len(places), clock)
    best_of = asked["series"].get("best_of", game.setup.best_of)
    if best_of > 1 and not game.setup.winnable:
        raise Problem("bad_options", errors={"series.best_of": [f"{game.words.title} has no winner. Leave this out."]})
    most = seats_per_player(game, options, places)
    if options["rated"]:
        most = _rated(game, options, places, clock, asked["visibility"])
    return NewMatch(
        game=game.name,
        options=options | {"seats_per_player": most},
        preset=asked["preset"],
        places=places,
        visibility=asked["visibility"],
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
        raise Problem("bad_options", errors={"options.seats_per_player": [f"You already take {mine} seats."]})
    rules = _rules(game, options)
    side = max(Counter(game.setup.sides(rules, len(places))).values())
    return given or max(side, mine)


def _rated(
    game: AnyGame, options: Mapping[str, Any], places: Sequence[SeatRequest], clock: Clock, visibility: str
) -> int:
    """Return the seats of one player in a rated match: one. Raise 422 if it cannot be rated."""
    mine = sum(place.kind == "me" for place in places)
    levels = [place.level if place.kind == "bot" else None for place in places]
    most = max(options["seats_per_player"] or 1, mine)
    rules = _rules(game, options)
    if why := unrated_because(game, rules, clock, levels, seats_per_player=most, visibility=visibility):
        raise Problem("bad_options", errors={"options.rated": [why]})
    return most


def check_nonces(places: Sequence[SeatRequest], options: Mapping[str, Any]) -> None:
    """Raise 422 for a nonce that is not taken at the creation: with `nonce_commit` its hash is, and nothing else."""
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
        raise invalid_request(wrong)


def clock_of(asked: Mapping[str, Any]) -> Clock:
    """Complete a clock. Raises 422."""
    clock = complete_clock(Clock(**{**asked, "days_off": tuple(sorted(asked.get("days_off", ())))}))
    if bad := bad_clock(clock):
        raise invalid_request({f"clock.{name}": [why] for name, why in bad.items()})
    return clock


def requested_places(game: AnyGame, asked: list[dict[str, Any]] | None) -> tuple[SeatRequest, ...]:
    """Return the requested seats, by default the caller's and bots. Raise 422."""
    if asked is None:
        return (SeatRequest("me"), *[SeatRequest("bot", "steady")] * (game.setup.usual - 1))
    if len(asked) not in game.setup.seats:
        raise invalid_request({"seats": [f"{game.words.title} has {_numbers(game.setup.seats)} seats."]})
    if wrong := {f"seats.{i}": found for i, seat in enumerate(asked) if (found := _wrong_with(game, seat))}:
        raise invalid_request(wrong)
    return tuple(_place(game, seat) for seat in asked)


def _place(game: AnyGame, seat: Mapping[str, Any]) -> SeatRequest:
    kind, level = seat["kind"], seat.get("level")
    return SeatRequest(
        kind,
        "steady" if kind == "bot" and level is None else level,
        entry_of(game, seat),
        nonce=seat.get("nonce"),
        nonce_hash=seat.get("nonce_hash"),
        player_key=seat.get("player_key"),
        key_proof=seat.get("key_proof"),
    )


def _numbers(seats: range) -> str:
    return str(seats[0]) if len(seats) == 1 else f"{seats[0]} to {seats[-1]}"


def _wrong_with(game: AnyGame, seat: Mapping[str, Any]) -> dict[str, list[str]]:
    wrong = {}
    if "level" in seat and seat["kind"] != "bot":
        wrong["level"] = ["Only a bot has a level."]
    if seat["kind"] != "me":
        wrong |= {name: ["Only your own seat has one."] for name in _OF_MINE if name in seat}
    why = ["Only your own seat can have this, in a game that uses it."]
    brought = [name for name in ("entry", *entry_fields()) if name in seat]
    strange = unasked_fields(game, seat) if seat["kind"] == "me" else brought
    return wrong | dict.fromkeys(strange, why)


_OF_MINE: Final = ("nonce", "nonce_hash", "player_key", "key_proof", "deck_id")
"""The fields of a request for a seat that only the caller's own has."""


def _options(game: AnyGame, given: Mapping[str, Any], preset: str | None, seats: int, clock: Clock) -> dict[str, Any]:
    """Fill in what was left out: the preset first, then what follows from the rest, then the defaults."""
    if preset is not None and preset not in game.setup.presets:
        known = ", ".join(game.setup.presets)
        raise Problem("bad_options", errors={"preset": [f"The presets of {game.words.title}: {known}."]})
    chosen = {"standing_orders": _slow(clock)} | dict(game.setup.presets[preset] if preset is not None else {})
    try:
        options: dict[str, Any] = options_request_schema(game.name).load(game.setup.resolve({**chosen, **given}, seats))
    except ValidationError as error:
        raise Problem("bad_options", errors=dict(messages_by_path(error.messages, "options"))) from None
    rules = _rules(game, options)
    if bad := game.setup.bad_options(rules, seats):
        raise Problem("bad_options", errors={f"options.{name}": [why] for name, why in bad.items()})
    if _crossed(options["least_rating"], options["most_rating"]):
        raise Problem("bad_options", errors={"options.least_rating": ["Must not be greater than `most_rating`."]})
    if options["standing_orders"] and not clock.ticks:
        raise Problem("bad_options", errors={"options.standing_orders": ["Standing orders need a clock."]})
    return options | {"fairness_reveal": options["fairness_reveal"] or game.setup.reveal}


def _crossed(least: int | None, most: int | None) -> bool:
    return least is not None and most is not None and least > most


def _rules(game: AnyGame, options: Mapping[str, Any]) -> Any:
    """Return the game's own options among all options of a match."""
    return game.setup.options(**{name: options[name] for name in game.setup.options.__dataclass_fields__})


def _slow(clock: Clock) -> bool:
    """Return whether a decision has at least an hour, so that players may need standing orders."""
    return first_budget(clock) >= 1000 * HOUR
