"""Names the fields that several events of tournaments have."""

from typing import Annotated

from domain.core.types import Doc
from domain.tournament.rounds import TableResult

EntrantNo = Annotated[int, Doc("The number of the entrant, from 0.")]

RoundNo = Annotated[int, Doc("The number of the round, from 1.")]

TableNo = Annotated[int, Doc("The number of the table, from 0.")]

Club = Annotated[str | None, Doc("The club of the player; null where none was named.")]

Reason = Annotated[str, Doc("Why; all can see it.")]

Ended = Annotated[TableResult, Doc("How it has ended, seat by seat.")]

Absent = Annotated[
    tuple[int, ...],
    Doc("The entrants who had not taken their seats in time; the match has begun, and their clocks have run."),
]
