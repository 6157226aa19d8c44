"""Describes the events of a tournament in words. Entrants are named by their numbers."""

from collections.abc import Sequence
from typing import Any

from domain.core import text as words
from domain.tournament.rounds import BOT, Seating, TableResult
from domain.tournament.tournament_events import TEXTS
from domain.tournament.tournament_plan import PlacePrize


def _name(entrant: int | None) -> str:
    return "a bot" if entrant is BOT else str(entrant)


def _tables(tables: Sequence[Seating]) -> str:
    return (
        "; ".join(f"table {n}: {words.join_words(map(_name, table))}" for n, table in enumerate(tables)) or "no tables"
    )


def _result(result: TableResult) -> str:
    if 1 not in result.places:
        return "all lost"
    ranked = sorted(zip(result.places, map(_name, result.seats), strict=True), key=lambda one: one[0])
    return ", ".join(f"{place}. {name}" for place, name in ranked)


def _ranking(event: Any) -> str:
    return ", ".join(f"{place}. {one}" for one, place in zip(event.ranked, event.places, strict=True))


def _prize(prize: PlacePrize) -> str:
    boosters = [f"{n} of {name}" for name, n in prize.boosters.items()]
    promo = [f"the promo card {prize.promo}"] if prize.promo else []
    won = words.join_words([*boosters, *promo]) if boosters or promo else "the honour"
    return f"the prize of place {prize.place}: {won}"


text = words.event_text(
    TEXTS,
    {
        "as_said": str,
        "row": lambda row: ", ".join(map(str, row)),
        "tables": _tables,
        "result": _result,
        "forfeit": lambda result: "it will be played again" if result is None else _result(result),
        "count": lambda row: str(len(row)),
        "ranking": _ranking,
        "prize": _prize,
        "stakes": lambda stakes: ", ".join(map(str, stakes.stacks)),
    },
)
"""Write an event of a tournament in one English line."""
