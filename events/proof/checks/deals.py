"""This module computes deals again and compares them with the events (docs/proof.md, "Deals")."""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.core.choices import Ask
from domain.core.dealing import Dealing, EventCheck, WrongDeal, length, whole
from domain.core.fairness import NONCE
from domain.core.game import AnyGame
from domain.core.game_guard import GameFailed
from domain.match import Chance
from events.proof.findings import Fact


def first_wrong(game: AnyGame, facts: Sequence[Fact], chance: Chance) -> tuple[int, str] | None:
    """Compute every deal again whose seed `chance` knows: the first event that is not as it had to be, and why."""
    created = facts[0].data
    options, seats = created.get("options"), length(created.get("seats"))
    draws = _Draws(chance, seats)
    dealing = Dealing(seats, options if isinstance(options, dict) else {}, draws.answer)
    _remember_anew(game, dealing)
    sees = _sees(game)
    for fact in facts:
        try:
            draws.see(fact)
            for see in sees.get(fact.type, ()):
                see(dealing, fact)
        except WrongDeal as wrong:
            return fact.seq, str(wrong)
        except GameFailed as failed:
            return fact.seq, f"The deal cannot be recomputed because the game has failed: {failed}."
        except (LookupError, TypeError, ValueError, AttributeError):  # a forged event lacks what is read of it
            return fact.seq, "The event lacks a required field of its type."
    return None


def _sees(game: AnyGame) -> Mapping[str, list[EventCheck]]:
    """Return what is to be done at each type of event: for all games, then for this one."""
    sees: dict[str, list[EventCheck]] = {
        "FairnessCommitted": [_epoch_begins],
        "MoveTakenBack": [_taken_back(game)],
        game.lifecycle.game_starts.__name__: [_game_begins(game)],
        game.lifecycle.hand_starts.__name__: [_hand_begins(game)],
    }
    for kind, see in game.deal.sees.items():
        sees.setdefault(kind.__name__, []).append(see)
    return sees


def _remember_anew(game: AnyGame, dealing: Dealing) -> None:
    dealing.cuts = []
    dealing.known = game.deal.fresh() if game.deal.fresh else None


def _epoch_begins(dealing: Dealing, fact: Any) -> None:
    dealing.hands = 0


def _game_begins(game: AnyGame) -> EventCheck:
    return lambda dealing, fact: _remember_anew(game, dealing)


def _hand_begins(game: AnyGame) -> EventCheck:
    def see(dealing: Dealing, fact: Any) -> None:
        dealing.hands, dealing.started = dealing.hands + 1, fact.data
        _remember_anew(game, dealing)

    return see


def _taken_back(game: AnyGame) -> EventCheck:
    return lambda dealing, fact: game.deal.taken_back(dealing) if game.deal.taken_back else None


class _Draws:
    """These are the current epoch, its nonces, and the answers of chance in it."""

    def __init__(self, chance: Chance, seats: int) -> None:
        self._chance = chance
        self._epoch = self._links = 0
        self._nonces = [""] * seats
        self._shared: list[str] = []  # those of all tables of a group

    def see(self, fact: Fact) -> None:
        data = fact.data
        if fact.type == "FairnessCommitted":
            self._epoch, self._links = data["epoch"], data["links"]
            self._nonces = [""] * len(self._nonces)
        elif fact.type == "DealsShared":
            self._shared = _of_all_tables(data.get("nonces"), self._nonces)
        elif fact.type in ("NonceSubmitted", "SeatLeft"):
            nonce = data.get("nonce") if fact.type == "NonceSubmitted" else ""
            if not whole(data.get("seat"), len(self._nonces)):
                raise WrongDeal("There is no such seat.")
            if not isinstance(nonce, str) or not _nonce(nonce, fact.type):
                raise WrongDeal("A nonce is 16 to 64 hexadecimal digits.")
            self._nonces[data["seat"]] = nonce

    def answer(self, ask: Ask, link: int) -> Any:
        try:
            return self._chance.answer(ask, self._epoch, self._links, link, tuple(self._shared or self._nonces))
        except LookupError:
            return None


def _of_all_tables(rows: Any, own: list[str]) -> list[str]:
    """Return the nonces of a group of tables, one after the other; those that this one has are among them."""
    if not isinstance(rows, list) or not all(length(row) == len(own) for row in rows) or own not in rows:
        raise WrongDeal("The nonces of a group must be those of all its tables, including this one.")
    nonces = [nonce for row in rows for nonce in row]
    if not all(isinstance(nonce, str) and _nonce(nonce, "" if nonce else "SeatLeft") for nonce in nonces):
        raise WrongDeal("A nonce is 16 to 64 hexadecimal digits.")
    return nonces


def _nonce(nonce: str, kind: str) -> bool:
    return kind == "SeatLeft" or NONCE.fullmatch(nonce) is not None
