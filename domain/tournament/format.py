"""Defines formats of tournaments, and pairs a tournament by its format.

A format determines how rounds are paired and entrants ranked, and everything that differs between formats.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from functools import partial
from typing import Any, Final, Protocol

from domain.core.choices import Ask, Drawing
from domain.core.values import value, with_fields
from domain.tournament.rounds import Ground, PairedRound, PlayedRound, Words
from domain.tournament.table_pairing import left_over
from domain.tournament.tournament_plan import MOST_ENTRANTS, MOST_ROUNDS, MOST_SEATS, TournamentPlan
from domain.tournament.tournament_state import Tournament

DUEL: Final = 2
"""The seats of a table of two."""


EPOCH: Final = 1
"""The number of the only chain of seeds that a tournament has."""


KnockedOut = Callable[[Tournament, Ground], frozenset[int]]
"""A format's rule that returns the entrants who are out."""


NOBODY: Final = frozenset[int]()


NO_PREPARATION: Final = "`preparation` needs a Swiss with `fill` `bye` and `late` 0."


class Draws(Protocol):
    """Answers draws from the seeds of a tournament, as `domain.core.fairness.Dealer` does."""

    def answer(self, ask: Ask, epoch: int, links: int, link: int, nonces: tuple[str, ...]) -> Any: ...
    def seed(self, epoch: int, links: int, link: int) -> str: ...


def _fill_a_table(t: Tournament, there: tuple[int, ...]) -> bool:
    return left_over(len(there), t.plan) < len(there)


Decisions = Mapping[type, Callable[[Tournament, Any, "TournamentFormat", Draws], tuple[Any, ...]]]
"""The function that decides each type of command, and returns its events or raises `Refused`."""


Causes = Mapping[type, Callable[[Tournament, Any], Any]]
"""For each type of event that can be the first of a commit: the command that leads to it."""


@value
class TournamentPart:
    """The commands and events of one subject of a tournament; a format may add its own."""

    events: tuple[type, ...]
    evolve: Callable[[Tournament, Any], None]
    """Assigns the effects of an event of this part to the tournament."""
    decisions: Decisions = field(default_factory=dict)
    causes: Causes = field(default_factory=dict)
    cancels: Mapping[str, Any] = field(default_factory=dict)
    """The commands that cancel a tournament automatically, by the reason."""


@value
class TournamentFormat:
    """A format pairs the next round (None after the last one), and gives the place of each entrant so far.

    The defaults of its other fields suit most formats.
    """

    pair: Callable[[Ground, Words], PairedRound | None]
    places: Callable[[Ground], dict[int, int]]
    step: Callable[[Tournament, "TournamentFormat", Draws], Iterator[Any]]
    """The events that follow next automatically; none while the tournament waits."""
    pairing_rule: Callable[[str], str]
    """A summary of the rule that pairs the rounds of a stage; the rulebook of tournaments has it in full."""
    takes: frozenset[str] = frozenset()
    """The fields of a plan that this format supports, but not every format."""
    faults: Callable[[TournamentPlan], Iterator[str]] = lambda plan: iter(())
    """Yields a sentence for each field of a plan that this format does not support."""
    preparation_fault: Callable[[TournamentPlan], str | None] = lambda plan: NO_PREPARATION
    """Why entrants cannot prepare before the first round; None if they can."""
    eliminates: Callable[[TournamentPlan], bool] = lambda plan: False
    """Whether tied tables are played again until it is decided which entrants advance."""
    is_reported: bool = False
    """Whether a Tournament Report File can contain such a tournament: every table's result counts."""
    counted: Callable[[Ground], tuple[PlayedRound, ...]] = lambda ground: ground.rounds
    """The rounds from which points are counted."""
    out: KnockedOut = lambda t, ground: NOBODY
    """The entrants who were knocked out, including at finished tables of the open round."""
    ground: Callable[[Tournament, Ground], Ground] = lambda t, ground: ground
    """The data from which the next round is paired, even while a round is open."""
    part: TournamentPart | None = None
    """The commands and events that only this format has."""
    follow_pairing: Callable[[int, PairedRound], Iterator[Any]] = lambda number, paired: iter(())
    """The events that follow the pairing of a round of this number."""
    pay_out: Callable[[Tournament, Mapping[int, int]], Iterator[Any]] = lambda t, places: iter(())
    """The events by which the places are paid out at the end."""
    most_pairings: int = MOST_ROUNDS
    """The maximum number of pairings."""
    most_entrants: Callable[[int], int] = lambda legs: MOST_ENTRANTS
    """The maximum number of entrants, by the legs of a league."""
    least_seats: int = DUEL
    """The minimum number of seats of a table."""
    most_seats: int = MOST_SEATS
    """The maximum number of seats of a table."""
    rounds: Callable[[TournamentPlan, int], int | None] = lambda plan, entrants: None
    """The number of rounds for the number of entrants when entries close; None if it depends on the remaining entrants.
    """
    can_begin: Callable[[TournamentPlan], bool] = lambda plan: left_over(plan.most, plan) < plan.most
    """Whether the maximum number of entrants of a plan is enough for its tables."""
    are_enough: Callable[[Tournament, tuple[int, ...]], bool] = _fill_a_table
    """Whether these entrants are enough to begin."""
    check_entry: Callable[[Tournament, str | None], None] = lambda t, club: None
    """Raises `Refused` if no player may enter for this club."""
    allows_late_entry: Callable[[Tournament], bool] = lambda t: False
    """Whether players may enter although entries were closed."""
    bot_sits_in: Callable[[Tournament, int, int], bool] = lambda t, one, seats: seats > DUEL and one in t.left
    """Whether a bot has the seat of an entrant at a table of this number of seats."""
    first_absence: Callable[[Tournament, int], tuple[Any, ...]] = lambda t, entrant: ()
    """The events that follow an entrant's first no-show."""
    is_continuous: bool = False
    """Whether all tables belong to one round, in which free players are paired until its time is over."""
    has_same_deals: bool = False
    """Whether all tables of a round get the same deals: they begin together, and their scores are compared."""
    has_stacks: bool = False
    """Whether stacks move from table to table, and the prize pool is paid out by place."""


# --- What is drawn ------------------------------------------------------------------------------------------
@value
class NextRound:
    """Chance's answer for a round: the pairing, or None if all rounds have been played."""

    paired: PairedRound | None


def draw(t: Tournament, ask: Ask, chance: Draws) -> tuple[Any, int, str]:
    """Return chance's answer from the next link, the link, and its seed."""
    link = t.link + 1
    return chance.answer(ask, EPOCH, t.links, link, t.nonces), link, chance.seed(EPOCH, t.links, link)


def draw_round(t: Tournament, by: TournamentFormat, chance: Draws) -> tuple[PairedRound | None, int, str]:
    """Return the pairing of the next round, drawn from the next link, the link, and its seed."""
    ask = Drawing(NextRound, f"pairing.{t.link}", partial(by.pair, ground_by(t, by)))
    answer, link, seed = draw(t, ask, chance)
    return answer.paired, link, seed


def ground_by(t: Tournament, by: TournamentFormat) -> Ground:
    """Return the data from which the rounds of a format are paired and its places follow."""
    clubs = {one: club for one, club in enumerate(t.clubs) if club is not None}
    clock = t.closes if t.plan.levels == "clock" else None
    plan = with_fields(t.plan, rounds=t.rounds)
    barred = frozenset(one for one in t.left if t.players[one] in t.barred)
    ground = Ground(plan, t.order, t.played, t.left, clubs, missed=t.missed, levels_from=clock, barred=barred)
    return by.ground(t, ground)
