"""Reads what a client asks for of a tournament: its plan, what is played at its tables, and who may enter."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args

from marshmallow import fields, validate

from api.http.app_state import here
from api.http.auth import me
from api.http.bodies import refused
from api.http.fields import Flag, Instant, Strict, Whole
from api.http.game_schemas import of_record
from api.http.problems import Problem
from api.http.schemas import LARGEST, Handle, Name, PageQuery, Prose, number, of_the_game, one_of, said, shaped
from api.http.waiting import StreamQuery, wait_for
from api.resources.match_request import clock_of, new_match
from api.resources.preparation_parts import check_brought, preparation_field, preparation_of
from api.resources.prize_parts import prizes_field, prizes_of
from domain.core.clock import Clock
from domain.core.game import AnyGame
from domain.games.catalogue import GAMES
from domain.match.creation import Series
from domain.ratings.finished import pace
from domain.tournament.tournament_events import EntryTerms, MatchTerms, Preparation, TournamentAnnounced
from domain.tournament.tournament_plan import (
    MOST_DAYS,
    MOST_ENTRANTS,
    MOST_HANDS,
    MOST_ROUNDS,
    BetterScore,
    Fill,
    FormatName,
    Overdue,
    Teams,
    TournamentPlan,
    faults_of,
)
from events.service import players
from events.service.new_match import NewMatch

MOST_HELPERS: Final = 10
MOST_INVITED: Final = 100
REASON: Final = 500
"""A reason has at most this many characters."""
STATUSES: Final = ("announced", "playing", "over", "cancelled")
DUEL: Final = 2
HANDS: Final = 10
"""The hands of each round of a tournament of many tables, where it does not say how many."""

SHOW_UP_SECONDS: Final = {"live": 900, "mail": 3 * 86_400}
"""The time in which players take their seats where a tournament does not say it, live and by mail, in seconds."""
ARENA_SHOW_UP_SECONDS: Final = 120
"""That time in an arena."""


def _handles(most: int, description: str, **more: Any) -> fields.List[str]:
    limits = {"maxItems": most, **({"minItems": 1} if more.get("required") else {})}
    lengths = validate.Length(1 if more.get("required") else 0, most)
    return fields.List(Handle(), validate=lengths, **more, **said(description, **limits))


class NewTournamentBody(Strict):
    """The tournament to be announced."""

    name = Name(required=True, **said("What others see.", minLength=1, maxLength=40))
    game = one_of(*GAMES, required=True, **said("The name of the game."))
    options = fields.Dict(
        keys=fields.String(),
        load_default=dict,
        **said("The same for all tables; as in a match.", **of_the_game("Options")),
    )
    preset = fields.String(
        allow_none=True, load_default=None, **said("The preset that the options begin with; null: none.")
    )
    clock = fields.Nested(lambda: of_record(Clock), load_default=dict, **said("The clock of each table."))
    series = fields.Nested(
        lambda: of_record(Series), load_default=dict, **said("How many games make the match at each table.")
    )
    format = one_of(*get_args(FormatName), required=True, **said("How rounds are paired."))
    seats = Whole(
        validate=validate.Range(2, 10),
        **said("The seats of each table; by default 2 where format and game are played by two, else its usual number."),
    )
    rounds = Whole(
        allow_none=True,
        load_default=None,
        validate=validate.Range(1, MOST_ROUNDS),
        **said(
            "Of a Swiss; null: as many as it takes to halve the entrants until one is left. Of a duplicate; null: as"
            " many as a table has seats."
        ),
    )
    legs = Whole(load_default=1, validate=validate.Range(1, 4), **said("How often all meet in a league."))
    cut = Whole(
        load_default=0, validate=validate.OneOf((0, 4, 8)), **said("How many play on by elimination after a Swiss.")
    )
    advance = Whole(
        load_default=1,
        validate=validate.Range(1, 5),
        **said("How many of each table go on in single elimination at tables of more than two."),
    )
    hands = Whole(
        allow_none=True,
        load_default=None,
        validate=validate.Range(1, MOST_HANDS),
        **said("The hands of each round of a tournament of many tables; null: 10 there, and none elsewhere."),
    )
    fill = one_of(
        *get_args(Fill),
        load_default="bye",
        **said("What becomes of those who fill no table: a bye, a smaller table, or bots beside them."),
    )
    most = Whole(
        validate=validate.Range(2, MOST_ENTRANTS),
        **said("The most entrants; who comes later waits. By default as many as the format admits."),
    )
    late = Whole(
        load_default=0,
        validate=validate.Range(0, MOST_ROUNDS),
        **said("Up to so many paired rounds players may still enter a Swiss."),
    )
    show_up_seconds = Whole(
        allow_none=True,
        load_default=None,
        validate=validate.Range(60, MOST_DAYS * 86_400),
        **said(
            "The time in which players take their seats at a table; who has not has lost it. By default 15 minutes, or"
            " 3 days where a decision may take an hour or more; in an arena 2 minutes."
        ),
    )
    round_days = Whole(
        allow_none=True,
        load_default=None,
        validate=validate.Range(1, MOST_DAYS),
        **said("The days from the beginning of a table to its deadline; null: there is none."),
    )
    overdue = one_of(
        *get_args(Overdue),
        load_default="lost",
        **said("How a table ends that is late: who is to move has lost, or it is drawn."),
    )
    teams = one_of(
        *get_args(Teams),
        allow_none=True,
        load_default=None,
        **said(
            "In a duplicate, `tables`: teams of as many as a table has seats; `pairs`: partners at one table. Both are"
            " named by `club`. Null: each alone."
        ),
    )
    closes_at = Instant(
        allow_none=True,
        load_default=None,
        **said("When entries close by themselves; null: you close them."),
    )
    ends_at = Instant(
        allow_none=True,
        load_default=None,
        **said("When an arena is paired no more; the tables that are open then are played to their end."),
    )
    visibility = one_of(
        "public", "private", load_default="public", **said("Who may see it; a private one is entered by invitation.")
    )
    by_invite = Flag(load_default=False, **said("Whether only those may enter who were invited."))
    least_rating = Whole(
        allow_none=True,
        load_default=None,
        validate=validate.Range(0, 5000),
        **said("The least rating in the pool of its matches with which players may enter; null: any."),
    )
    most_rating = Whole(
        allow_none=True,
        load_default=None,
        validate=validate.Range(0, 5000),
        **said("The most rating with which players may enter; null: any."),
    )
    helpers = _handles(MOST_HELPERS, "The handles of players who may do all that you may.", load_default=list)
    prizes = prizes_field()
    preparation = preparation_field()


class TournamentEntryBody(Strict):
    """How you enter."""

    club = Name(allow_none=True, load_default=None, **said("Your club, if any: pairing keeps clubs apart."))
    nonce = shaped(
        "(?:[0-9a-f]{16,64})?",
        load_default="",
        **said("Your own part of all draws, in hex: with it, the server alone has not chosen them."),
    )


class RulingBody(Strict):
    """How a table of the open round ends, and why."""

    places = fields.List(
        Whole(validate=validate.Range(1, 10)),
        required=True,
        validate=validate.Length(2, 10),
        **said(
            "The place of each seat, from 1, shared ones as in 1, 1, 3; all the last: all lose.",
            minItems=2,
            maxItems=10,
        ),
    )
    reason = Prose(REASON, "", "Why; all can see it.")


class DisqualificationBody(Strict):
    """Who is taken out, and why."""

    entrant = Whole(required=True, validate=validate.Range(0, 9_999), **said("The number of the entrant, from 0."))
    reason = Prose(REASON, "", "Why; all can see it.")


class ReasonBody(Strict):
    """Why something is done."""

    reason = Prose(REASON, "", "Why; all can see it.")


class InvitationsBody(Strict):
    """Who is invited."""

    players = _handles(MOST_INVITED, "The handles of the players.", required=True)


class TournamentsQuery(PageQuery):
    status = one_of(*STATUSES, **said("Only those that stand so."))
    game = one_of(*GAMES, **said("Only those of this game."))
    mine = one_of("true", "false", load_default="false", **said("`true`: only those that you have to do with."))


class TournamentEventsQuery(StreamQuery):
    after = number(0, LARGEST, 0, **said("Only events with a higher number."))
    limit = number(1, 1_000, 100, **said("How many at most, on a page of JSON."))
    wait = wait_for("How many seconds to wait for something new. At once when the tournament has ended.")


# --- What follows from it ---------------------------------------------------------------------------------


def announced(asked: Mapping[str, Any]) -> TournamentAnnounced:
    """Complete a tournament that a client asked for. Raises 422 with what cannot be had."""
    game = GAMES[asked["game"]]
    for_two = DUEL in game.setup.seats and asked["format"] not in ("shoot_out", "multi_table")
    seats = asked.get("seats") or (DUEL if for_two else game.setup.usual)
    if seats not in game.setup.seats:
        raise refused({"seats": [f"{game.words.title} is not played by {seats}."]})
    asked = {**asked, "show_up_seconds": asked["show_up_seconds"] or _show_up_seconds(asked)}
    new = table(asked, seats)
    plan = planned(game, seats, asked, new)
    if faults := faults_at(game, plan, new):
        raise Problem("bad_options", " ".join(faults))
    _check(game, plan, new, asked)
    if asked["closes_at"] is not None and asked["closes_at"] <= here().context.now():
        raise refused({"closes_at": ["Name a time that is in the future."]})
    if asked["ends_at"] is not None and asked["ends_at"] <= max(here().context.now(), asked["closes_at"] or 0):
        raise refused({"ends_at": ["Name a time that is in the future, after entries have closed."]})
    private = asked["visibility"] == "private"
    entry = EntryTerms(asked["visibility"], asked["by_invite"] or private, asked["least_rating"], asked["most_rating"])
    return TournamentAnnounced(
        name=asked["name"],
        organiser=me().player_id,
        helpers=players_of("helpers", asked["helpers"]),
        plan=plan,
        terms=MatchTerms(game.name, new.options, new.preset, new.clock, new.series.best_of),
        prizes=prizes_of(game, asked["prizes"]),
        closes=asked["closes_at"],
        entry=entry,
    )


def _show_up_seconds(asked: Mapping[str, Any]) -> int:
    """Give the time in which players take their seats: in an arena a short one, since the others wait for them."""
    of_pace = SHOW_UP_SECONDS[pace(clock_of(asked["clock"]))]
    return min(of_pace, ARENA_SHOW_UP_SECONDS) if asked["format"] == "arena" else of_pace


def planned(game: AnyGame, seats: int, asked: Mapping[str, Any], new: NewMatch) -> TournamentPlan:
    """Give the plan; by default there are as many entrants as the format admits."""
    meet = asked["format"] in ("round_robin", "league")
    most = asked.get("most") or (MOST_ROUNDS // asked["legs"] if meet else MOST_ENTRANTS)
    names = (
        "format", "teams", "rounds", "legs", "cut", "advance", "fill", "late", "show_up_seconds", "round_days",
        "overdue",
    )  # fmt: skip
    fewest = min(*game.setup.seats, seats)
    better: BetterScore | None = None
    if asked["format"] == "duplicate":
        better = "low" if game.setup.low_wins else "high"
    many = asked["format"] == "multi_table"
    hands = asked["hands"] or HANDS if many else asked["hands"]
    staking = game.lifecycle.staking if many else None
    rules = _rules(game, new)
    plan = {name: asked[name] for name in names}
    return TournamentPlan(
        seats=seats,
        fewest=fewest,
        most=most,
        ends=asked["ends_at"],
        hands=hands,
        stack=staking.stack(rules) if staking else None,
        levels="clock" if staking and staking.timed(rules) else None,
        better_score=better,
        **plan,
    )


def _rules(game: AnyGame, new: NewMatch) -> Any:
    """Give the options of the game at each table."""
    return game.setup.options(**{name: new.options[name] for name in game.setup.options.__dataclass_fields__})


def table(asked: Mapping[str, Any], seats: int) -> NewMatch:
    """Give a table as a match that is to be created; each player has one seat of it."""
    places = [{"kind": "open"}] * seats
    names = ("game", "preset", "clock", "series", "visibility")
    options = {**asked["options"], "seats_per_player": 1}
    return new_match({**{name: asked[name] for name in names}, "seats": places, "options": options})


def prepares(asked: Mapping[str, Any]) -> Preparation | None:
    """Complete what a client asked for that entrants play before the first round; None for nothing. Raises 422."""
    return preparation_of(asked["preparation"], GAMES[asked["game"]].setup.cards, asked["visibility"])


def faults_at(game: AnyGame, plan: TournamentPlan, new: NewMatch) -> tuple[str, ...]:
    """Say in sentences what cannot be played of a plan at such tables; none if all can."""
    if plan.teams == "pairs" and not _are_partners(game.setup.sides(_rules(game, new), plan.seats)):
        return (*faults_of(plan), "Pairs sit opposite each other and win together; so the options must have it.")
    return faults_of(plan)


def _check(game: AnyGame, plan: TournamentPlan, new: NewMatch, asked: Mapping[str, Any]) -> None:
    """Raise 422 for what can be played in a match, and not at all tables of such a tournament."""
    rules = _rules(game, new)
    if plan.format == "multi_table" and (new.options["rated"] or new.series.best_of > 1):
        raise Problem("bad_options", "A table of many is one stage of a tournament: it is not rated, and has one game.")
    sizes = range(plan.fewest if plan.fill == "short" else plan.seats, plan.seats + 1)
    for size in sizes:
        if bad := game.setup.bad_options(rules, size):
            raise Problem("bad_options", errors={f"options.{name}": [why] for name, why in bad.items()})
    check_brought(game, rules, asked)
    if not game.setup.winnable:
        raise Problem("bad_options", f"Nobody wins {game.words.title}: it is not played in tournaments.")


def _are_partners(sides: Sequence[int]) -> bool:
    """Say whether seats win together by twos, each with the one opposite."""
    half = len(sides) // 2
    return sides[:half] == sides[half:] and len(set(sides)) == half


def players_of(field: str, handles: Sequence[str]) -> tuple[str, ...]:
    """Give the ids of the players who have these handles, each once. Raises 422 for handles that nobody has."""
    found, wrong = list[str](), dict[str, list[str]]()
    for i, handle in enumerate(handles):
        player = players.by_handle(here().context, handle)
        if player is None:
            wrong[f"{field}.{i}"] = ["Nobody has this handle."]
        else:
            found.append(player.player_id)
    if wrong:
        raise refused(wrong)
    return tuple(dict.fromkeys(found))
