"""Tells the events of a tournament in words. Entrants are named by their numbers."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.core import text as words
from domain.tournament.entry_events import (
    EntriesClosed,
    PlayerBarred,
    PlayerDisqualified,
    PlayerDropped,
    PlayerEntered,
    PlayerEnteredLate,
    PlayerMovedUp,
    PlayerRested,
    PlayerReturned,
    PlayersInvited,
    PlayerStoppedWaiting,
    PlayerWaits,
    PlayerWithdrew,
)
from domain.tournament.rounds import BOT, Seating, TableResult
from domain.tournament.table_events import (
    ByeGiven,
    PairingEnded,
    RoundClosed,
    RoundPaired,
    StackMoved,
    TableAdjudicated,
    TableBroken,
    TableDrawn,
    TableFinished,
    TableForfeited,
    TableRuled,
    TablesPaired,
    TableStaked,
)
from domain.tournament.tournament_events import (
    DealsDisclosed,
    DrawsCommitted,
    PayoutMade,
    PlayerUnprepared,
    PodFinished,
    PodRepeated,
    PodsMade,
    PreparationAnnounced,
    PrizeAwarded,
    TournamentAnnounced,
    TournamentCancelled,
    TournamentEnded,
    TournamentPaused,
    TournamentResumed,
)
from domain.tournament.tournament_terms import PlacePrize

TEXTS: Final[Mapping[type, str]] = {
    TournamentAnnounced: "The tournament {name} is announced.",
    DealsDisclosed: "The secret of the deals at all tables is disclosed: {seed}.",
    DrawsCommitted: "The server commits to the draws of the tournament: {commitment}.",
    PlayersInvited: "{players:count} players are invited.",
    PlayerEntered: "Entrant {entrant} enters.",
    PlayerWaits: "A player waits for a place.",
    PlayerMovedUp: "Entrant {entrant} gets the place that has become free.",
    PlayerStoppedWaiting: "A player waits no longer for a place.",
    PlayerEnteredLate: "Entrant {entrant} enters late.",
    PlayerWithdrew: "Entrant {entrant} leaves the tournament.",
    PlayerDisqualified: "Entrant {entrant} is taken out of the tournament: {reason:as_said}",
    PlayerBarred: "A player cannot enter the tournament: {reason:as_said}",
    PlayerDropped: "Entrant {entrant} has not come for the second time, and is out of the tournament.",
    PlayerRested: "Entrant {entrant} is not paired for now.",
    PlayerReturned: "Entrant {entrant} is back.",
    EntriesClosed: "Entries are closed. The order is {order:row}.",
    PreparationAnnounced: "Entrants prepare before the first round.",
    PodsMade: "Entrants prepare in pods: {pods:tables}.",
    PodFinished: "Pod {pod} is over.",
    PodRepeated: "Not all came to pod {pod}; it is played without them.",
    PlayerUnprepared: "Entrant {entrant} has not prepared, and is out of the tournament.",
    RoundPaired: "Round {round} is paired: {tables:tables}.",
    TablesPaired: "More tables are paired: {tables:tables}.",
    PairingEnded: "The time is over. The tables that are open are played to their end.",
    StackMoved: "Entrant {entrant} moves from table {before} to table {table} with {stack} chips.",
    TableBroken: "Table {table} is broken.",
    TableStaked: "The stacks at table {table} are {stakes}.",
    ByeGiven: "Entrant {entrant} has a bye in round {round}.",
    TableFinished: "Table {table} of round {round} is over: {result:result}.",
    TableDrawn: "Table {table} of round {round} is drawn, and is played once more.",
    TableForfeited: "Not all came to table {table} of round {round}: {result:forfeit}.",
    TableAdjudicated: "Table {table} of round {round} was not over at its deadline: {result:result}.",
    TableRuled: "Table {table} of round {round} is ruled: {result:result}. {reason:as_said}",
    RoundClosed: "Round {round} is over. {:ranking}.",
    TournamentPaused: "The tournament is paused: {reason:as_said}",
    TournamentResumed: "The tournament goes on.",
    PrizeAwarded: "Entrant {entrant} gets {prize:prize}.",
    PayoutMade: "Entrant {entrant} gets {percent} percent of all that was put in.",
    TournamentEnded: "The tournament is over. {:ranking}.",
    TournamentCancelled: "The tournament is cancelled: {reason:as_said}",
}


def _name(entrant: int | None) -> str:
    return "a bot" if entrant is BOT else str(entrant)


def _tables(tables: Sequence[Seating]) -> str:
    return "; ".join(f"table {n}: {words.listed(map(_name, table))}" for n, table in enumerate(tables)) or "no tables"


def _result(result: TableResult) -> str:
    if 1 not in result.places:
        return "all lose"
    ranked = sorted(zip(result.places, map(_name, result.seats), strict=True), key=lambda one: one[0])
    return ", ".join(f"{place}. {name}" for place, name in ranked)


def _ranking(event: Any) -> str:
    return ", ".join(f"{place}. {one}" for one, place in zip(event.ranked, event.places, strict=True))


def _prize(prize: PlacePrize) -> str:
    boosters = [f"{n} of {name}" for name, n in prize.boosters.items()]
    promo = [f"the promo card {prize.promo}"] if prize.promo else []
    return (
        f"the prize of place {prize.place}: {words.listed([*boosters, *promo]) if boosters or promo else 'the honour'}"
    )


text = words.event_text(
    TEXTS,
    {
        "as_said": str,
        "row": lambda row: ", ".join(map(str, row)),
        "tables": _tables,
        "result": _result,
        "forfeit": lambda result: "it is played once more" if result is None else _result(result),
        "count": lambda row: str(len(row)),
        "ranking": _ranking,
        "prize": _prize,
        "stakes": lambda stakes: ", ".join(map(str, stakes.stacks)),
    },
)
"""Write an event of a tournament in one English line."""
