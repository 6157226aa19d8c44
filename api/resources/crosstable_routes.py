"""Reads a tournament from FIDE's Tournament Report File, without storing it."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final

from flask import Response, request

from api.http.openapi_operations import Answer, Body, Count, Operation, Ordinal, Reply, says, text
from api.http.problems import wrong_fields
from api.http.request_parsing import check_media_type
from api.http.responses import json_answer
from domain.tournament.rounds import BOT
from events.formats import trf
from events.formats.trf_reader import Crosstable, ReportedRound, read_report

EXAMPLE: Final = """\
012 Club evening
001    1      Ann                                                                3.0    1     2 w 1
001    2      Ben                                                                0.0    2     1 b 0
"""
"""A tournament of one round."""

SENT: Final = text(EXAMPLE, "A file in the format TRF16 or TRF26.")

NOT_VERIFIED: Final = (
    "Draws, pairings and results: the tournament was played on another server, and only its file reports them."
)

MOST_CONTRADICTIONS: Final = 20
"""Maximum number of contradictions in an answer."""

StartingNumber = Annotated[Ordinal, says("The starting number of the player in the file.")]


class CrosstablePlayerAnswer(Answer):
    place: Annotated[
        Ordinal, says("The place by the rules of this server; complete ties are ordered by starting number.")
    ]
    number: StartingNumber
    name: Annotated[str, says("The name in the file.")]
    points: Annotated[Count, says("The points by the rules of this server.")]
    opponents: Annotated[str, says("The exact average of the opponents' rates of points.", examples=["1/3"])]
    games: Annotated[str, says("The entrant's exact rate of games.", examples=["2/3"])]
    opponents_games: Annotated[str, says("The exact average of the opponents' rates of games.", examples=["1/3"])]
    byes: Annotated[Count, says("The byes.")]


Places = Annotated[
    Sequence[Ordinal],
    says("The place of each. 1 and 1 is a draw, 2 and 2 a loss for both.", minItems=2, maxItems=2),
]


class CrosstableTableAnswer(Answer):
    players: Annotated[
        Sequence[int | None],
        says(
            "The starting numbers of white and black, in any order if there are no colours. Null for no opponent,"
            " with half a point.",
            minItems=2,
            maxItems=2,
        ),
    ]
    places: Annotated[Places | None, says("How the table ended; null if not yet played.")]
    played: Annotated[bool, says("Whether the game was played; false for a win or double loss by forfeit.")]


class CrosstableRoundAnswer(Answer):
    round: Annotated[Ordinal, says("The number of the round, from 1.")]
    tables: Annotated[list[CrosstableTableAnswer], says("The tables of the round, those without a result last.")]
    byes: Annotated[list[StartingNumber], says("The players who had a bye that counts as a table won.")]


class CrosstableAnswer(Answer):
    name: Annotated[str, says("The name of the tournament in the file; it may be empty.")]
    encoding: Annotated[
        str,
        says("The encoding the file was read in. Any but UTF-8 and UTF-16 is a guess.", examples=["windows-1252"]),
    ]
    not_verified: Annotated[str, says("Unverified parts and contradictions.")]
    items: Annotated[list[CrosstablePlayerAnswer], says("The players, the first place first.")]
    rounds: Annotated[list[CrosstableRoundAnswer], says("The rounds, from the first.")]


@Operation(
    cost_per_kib=1,
    tag="tournaments",
    searches=("import trf", "crosstable"),
    access="public",
    body=Body(SENT, example=EXAMPLE, forms=(trf.MEDIA_TYPE,), most_bytes=trf.MOST_SENT_BYTES),
    replies={200: Reply("The tournament in the file.", CrosstableAnswer)},
    needs_database=False,
)
def read_tournament_report() -> Response:
    """Read a tournament report.

    Send a Tournament Report File (TRF16 or TRF26) as text, as chess programs and `GET …/trf` write it. Returns its
    rounds, and standings by the rules of this server. Pairings without a result count as not played. A file that is not
    UTF-8 is read as Windows-1252 or Latin-1, as `encoding` says. A line that cannot be read returns 422 with its
    number. Needs no token and stores nothing; the result cannot be verified.
    """
    check_media_type(trf.MEDIA_TYPE)
    request.max_content_length = trf.MOST_SENT_BYTES
    try:
        found = read_report(request.get_data())
    except trf.NotTrf as error:
        raise wrong_fields({"_schema": [str(error)]}) from None
    rounds = [_round(n, one) for n, one in enumerate(found.rounds, 1)]
    return json_answer(
        CrosstableAnswer(found.name, found.encoding, _not_verified(found), _players(found, found.players), rounds)
    )


def _not_verified(found: Crosstable) -> str:
    """Return what cannot be verified, with points that contradict the results."""
    return " ".join([NOT_VERIFIED, *(f"Points in {one}." for one in found.contradictions[:MOST_CONTRADICTIONS])])


def _players(found: Crosstable, names: Mapping[int, str]) -> list[CrosstablePlayerAnswer]:
    return [
        CrosstablePlayerAnswer(
            place=row.place,
            number=row.entrant,
            name=names[row.entrant],
            points=row.points,
            opponents=str(row.opponents),
            games=str(row.games),
            opponents_games=str(row.opponents_games),
            byes=row.byes,
        )
        for row in found.standings()
    ]


def _round(n: int, one: ReportedRound) -> CrosstableRoundAnswer:
    tables = [
        CrosstableTableAnswer([None if who is BOT else who for who in table.seats], table.places, table.games > 0)
        for table in one.played.tables
    ]
    tables += [CrosstableTableAnswer(pair, None, played=False) for pair in one.unplayed]
    return CrosstableRoundAnswer(n, tables, list(one.played.byes))
