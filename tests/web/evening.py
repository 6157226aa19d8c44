"""Plays tournaments on a stage: players enter, the runner advances rounds, and tables are resigned or left open."""

from typing import Any

from tests.factories import StoredPlayer
from tests.web.stage import Stage
from workers.tournament_runner import TournamentRunner

NAMES = (
    "Ada",
    "Ben",
    "Cem",
    "Dora",
    "Emil",
    "Fay",
    "Gus",
    "Hal",
    "Ida",
    "Jon",
    "Kim",
    "Lea",
    "Max",
    "Nia",
    "Ole",
    "Pia",
)
RESIGN = {"name": "resign", "args": {"whole_match": True}}


class Evening:
    """A tournament of a stage; the first of its players is the one whose page is shown, if they enter."""

    def __init__(
        self,
        stage: Stage,
        count: int,
        *,
        with_me: bool = True,
        organiser: Any = None,
        names: tuple[str, ...] = NAMES,
        **asked: Any,
    ) -> None:
        self.stage, self.organiser = stage, organiser or stage.me
        there = [stage.me] if with_me else []
        self.players = [*there, *(StoredPlayer(store=stage.store, name=name) for name in names[: count - len(there)])]
        self.by_id = {one["player_id"]: one for one in self.players}
        body = {"name": "Friday evening", "game": "crazy_eights", "format": "swiss", "options": {"on_resign": "end"}}
        self.is_rated = bool(asked.get("options", {}).get("rated"))
        self.id = stage.asks(self.organiser, "POST", "/v1/tournaments", body | asked)["id"]
        self.path = f"/v1/tournaments/{self.id}"
        self.runner = TournamentRunner(stage.matches)
        for n, one in enumerate(self.players):
            stage.asks(one, "POST", f"{self.path}/entries", {"club": "Bonn" if n % 3 == 1 else None})

    def begins(self) -> "Evening":
        self.stage.asks(self.organiser, "POST", f"{self.path}/close", {})
        return self.looks()

    def looks(self) -> "Evening":
        """Run the runner until nothing is left to do."""
        while not self.runner.look():
            pass
        return self

    def sees(self, what: str = "") -> Any:
        return self.stage.asks(self.organiser, "GET", f"{self.path}{what}")

    def tables(self) -> list[Any]:
        """Return the open tables of the last round."""
        found = self.sees(f"/rounds/{self.sees()['round']}")["tables"]
        return [table for table in found if table["how"] == "open"]

    def plays(self, table: Any) -> None:
        """Seat all entrants of a table, and resign for all but the lowest number.

        At rated tables, all make a move first.
        """
        seats = sorted((seat for seat in table["seats"] if seat["player"]), key=lambda seat: int(seat["entrant"]))
        match = f"/v1/matches/{table['match']}"
        for seat in seats:
            one = self.by_id[seat["player"]["id"]]
            if self.stage.asks(one, "GET", match)["your_seat"] is None:
                self.stage.asks(one, "PUT", f"{match}/seats/{seat['seat']}", {})
        if self.is_rated:
            self.stage.all_move(table["match"], *(self.by_id[seat["player"]["id"]] for seat in seats))
        for seat in seats[1:]:
            self.stage.asks(self.by_id[seat["player"]["id"]], "POST", f"{match}/moves", RESIGN)

    def plays_round(self, *, but: int = 0) -> "Evening":
        """Play the tables of a round except the last ones, and pair the next round if all are over."""
        tables = self.tables()
        for table in tables[: len(tables) - but]:
            self.plays(table)
        return self.looks()
