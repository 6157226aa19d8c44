"""Builds the announcement of a tournament from a request: its plan, and the game at its tables."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, Final

from api.http.app_state import app_state
from api.http.auth import require_player
from api.http.problems import Problem, wrong_fields
from api.resources.match_request import MatchRequestBody, SeatPlanBody, clock_of, new_match
from api.resources.preparation_parts import check_brought, preparation_of
from api.resources.prize_parts import prizes_of
from api.resources.tournament_request import TournamentRequestBody
from domain.core.game import AnyGame
from domain.games.catalogue import GAMES
from domain.ratings.finished import SAME_DEALS, pace
from domain.tournament.announcement import TournamentAnnounced
from domain.tournament.formats.format_catalogue import FORMATS, TOO_FEW_PLACES, can_begin, plan_faults
from domain.tournament.tournament_plan import BetterScore, EntryTerms, MatchTerms, Preparation, TournamentPlan
from events.service import players
from events.service.names_in_texts import named_in
from events.service.new_match import NewMatch

DUEL: Final = 2

BOUNDS: Final = ("least_rating", "most_rating", "least_reliability")
"""The fields that bound who may enter."""

SHOW_UP_SECONDS: Final = {"live": 900, "mail": 3 * 86_400}
"""The default time to take a seat in a tournament, live and by mail, in seconds."""
ARENA_SHOW_UP_SECONDS: Final = 120
"""The default time to take a seat in an arena, in seconds."""


def complete_announcement(asked: TournamentRequestBody) -> TournamentAnnounced:
    """Complete the requested tournament. Raise 422 with its faults."""
    game = GAMES[asked.game]
    for_two = DUEL in game.setup.seats and FORMATS[asked.format].least_seats <= DUEL
    seats = asked.seats or (DUEL if for_two else game.setup.usual)
    if seats not in game.setup.seats:
        raise wrong_fields({"seats": [f"{game.words.title} is not played by {seats}."]})
    asked = replace(asked, show_up_seconds=asked.show_up_seconds or _show_up_seconds(asked))
    new = complete_table(asked, seats)
    plan = complete_plan(game, seats, asked, new)
    if faults := faults_at(game, plan, new):
        raise Problem("bad_options", " ".join(faults))
    if not can_begin(plan):
        raise wrong_fields({"most": [TOO_FEW_PLACES]})
    if asked.least_rating is not None and asked.most_rating is not None and asked.least_rating > asked.most_rating:
        raise wrong_fields({"least_rating": ["Must not be greater than `most_rating`."]})
    _check(game, plan, new, asked)
    if asked.closes_at is not None and asked.closes_at <= app_state().context.now():
        raise wrong_fields({"closes_at": ["Must be a future time."]})
    if asked.ends_at is not None and asked.ends_at <= max(app_state().context.now(), asked.closes_at or 0):
        raise wrong_fields({"ends_at": ["Must be a future time, after entries close."]})
    private = asked.visibility == "private"
    helpers = players_of("helpers", asked.helpers)
    check_names_nobody("name", asked.name, {require_player().player_id, *helpers}, "choose another name")
    entry = EntryTerms(asked.visibility, asked.by_invite or private, *(getattr(asked, name) for name in BOUNDS))
    return TournamentAnnounced(
        name=asked.name,
        organiser=require_player().player_id,
        helpers=helpers,
        plan=plan,
        terms=_terms(game, plan, new),
        prizes=prizes_of(game, asked.prizes),
        closes=asked.closes_at,
        entry=entry,
    )


def _terms(game: AnyGame, plan: TournamentPlan, new: NewMatch) -> MatchTerms:
    """Return the game at the tables, and in an elimination the deciding match, which is not rated."""
    deciding = None
    changes = [game.setup.deciding(_rules(game, new), size) for size in _sizes(plan)]
    shorter = changes[0] if all(one == changes[0] for one in changes) else None
    # If the game ended with a resignation, the others would remain tied as often as that player resigns.
    goes_on = {"on_resign": "bot"} if plan.seats > DUEL and new.options["on_resign"] == "end" else {}
    if FORMATS[plan.format].eliminates(plan) and (shorter is not None or goes_on):
        deciding = {**new.options, **(shorter or {}), **goes_on, "rated": False}
    return MatchTerms(game.name, new.options, new.preset, new.clock, new.series.best_of, deciding)


NAMED: Final = "It names {}. This text is kept when a player is erased; {}."
"""The refusal of a text that names a player, with a suggestion."""


def check_names_nobody(field: str, text: str | None, player_ids: Collection[str], otherwise: str) -> None:
    """Raise 422 if a text stored in a tournament's log names one of these players."""
    name = named_in(app_state().context, text, player_ids) if text else None
    if name is not None:
        raise wrong_fields({field: [NAMED.format(name, otherwise)]})


def _show_up_seconds(asked: TournamentRequestBody) -> int:
    """Return the time to take a seat; in an arena it is short, because the others wait."""
    of_pace = SHOW_UP_SECONDS[pace(clock_of(asked.clock))]
    return min(of_pace, ARENA_SHOW_UP_SECONDS) if FORMATS[asked.format].is_continuous else of_pace


def complete_plan(game: AnyGame, seats: int, asked: TournamentRequestBody, new: NewMatch) -> TournamentPlan:
    """Return the plan; by default with the maximum number of entrants of the format."""
    most = asked.most or FORMATS[asked.format].most_entrants(asked.legs)
    names = (
        "format", "teams", "rounds", "legs", "cut", "advance", "fill", "late", "show_up_seconds", "round_days",
        "overdue", "most_waiting",
    )  # fmt: skip
    fewest = min(*game.setup.seats, seats)
    better: BetterScore | None = None
    if FORMATS[asked.format].has_same_deals:
        better = "low" if game.setup.low_wins else "high"
    many = FORMATS[asked.format].has_stacks
    staking = game.lifecycle.staking if many else None
    rules = _rules(game, new)
    plan = {name: getattr(asked, name) for name in names}
    return TournamentPlan(
        seats=seats,
        fewest=fewest,
        most=most,
        ends=asked.ends_at,
        stack=staking.stack(rules) if staking else None,
        levels="clock" if staking and staking.timed(rules) else None,
        better_score=better,
        **plan,
    )


def _rules(game: AnyGame, new: NewMatch) -> Any:
    """Return the options of the game at each table."""
    return game.setup.options(**{name: new.options[name] for name in game.setup.options.__dataclass_fields__})


def complete_table(asked: TournamentRequestBody, seats: int) -> NewMatch:
    """Return a table as a match to be created, with one seat per player."""
    table = MatchRequestBody(
        game=asked.game,
        options={**asked.options, "seats_per_player": 1},
        preset=asked.preset,
        seats=(SeatPlanBody(kind="open"),) * seats,
        visibility=asked.visibility,
        clock=asked.clock,
        series=asked.series,
    )
    return new_match(table)


def complete_preparation(asked: TournamentRequestBody) -> Preparation | None:
    """Complete the requested preparation of entrants; None for none. Raises 422."""
    return preparation_of(asked.preparation, GAMES[asked.game].setup.cards, asked.visibility)


def faults_at(game: AnyGame, plan: TournamentPlan, new: NewMatch) -> tuple[str, ...]:
    """Return the faults of a plan for such tables in sentences; empty if it is possible."""
    if plan.teams == "pairs" and not _are_partners(game.setup.sides(_rules(game, new), plan.seats)):
        return (*plan_faults(plan), "Pairs sit opposite each other and win together. Choose options with these sides.")
    return plan_faults(plan)


def _check(game: AnyGame, plan: TournamentPlan, new: NewMatch, asked: TournamentRequestBody) -> None:
    """Raise 422 for options that a match can have, but not all tables of such a tournament."""
    rules = _rules(game, new)
    if FORMATS[plan.format].has_stacks and (new.options["rated"] or new.series.best_of > 1):
        raise Problem(
            "bad_options",
            "In a tournament of many tables, matches are unrated and have one game. Leave out `rated` and `series`.",
        )
    if FORMATS[plan.format].has_same_deals and new.options["rated"]:
        raise wrong_fields({"options.rated": [SAME_DEALS]}, "bad_options")
    for size in _sizes(plan):
        if bad := game.setup.bad_options(rules, size):
            raise wrong_fields({f"options.{name}": [why] for name, why in bad.items()}, "bad_options")
    check_brought(game, rules, asked.preparation)
    if not game.setup.winnable:
        raise Problem("bad_options", f"{game.words.title} has no winner, so it cannot be played in tournaments.")


def _sizes(plan: TournamentPlan) -> range:
    """Return the numbers of seats that tables may have."""
    return range(plan.fewest if plan.fill == "short" else plan.seats, plan.seats + 1)


def _are_partners(sides: Sequence[int]) -> bool:
    """Return whether seats win together in pairs, each with the one opposite."""
    half = len(sides) // 2
    return sides[:half] == sides[half:] and len(set(sides)) == half


def players_of(field: str, handles: Sequence[str]) -> tuple[str, ...]:
    """Return the ids of the players with these handles, each once. Raise 422 for unknown handles."""
    found, wrong = list[str](), dict[str, list[str]]()
    for i, handle in enumerate(handles):
        player = players.find_by_handle(app_state().context, handle)
        if player is None:
            wrong[f"{field}.{i}"] = ["No player has this handle."]
        else:
            found.append(player.player_id)
    if wrong:
        raise wrong_fields(wrong)
    return tuple(dict.fromkeys(found))
