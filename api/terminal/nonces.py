"""Sends a player's nonces for the shuffles of a match whenever they are accepted, and keeps the receipts."""

import hmac
import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from api.terminal.player_state import read_document, write_document
from domain.core.fairness import nonce_hash


class NonceGiver:
    """Derives the nonces for a match.

    They follow from a secret on this machine, so that a restarted program can reveal promised nonces.
    """

    def __init__(self, server: str, folder: Path) -> None:
        self._server, self._folder = server, folder
        self._sent: set[tuple[Any, ...]] = set()

    def nonce(self, about: str) -> str:
        """Return the nonce for this: 32 hex digits that only this player can know."""
        return hmac.digest(self._secret(), f"{self._server} {about}".encode(), "sha256").hex()[:32]

    def nonce_for(self, match_id: str, seat: int, fairness: Mapping[str, Any]) -> str | None:
        """Return the nonce of a seat for an epoch; None if the server has shown a different commitment for it before.

        The nonce depends on the commitment, and the first one counts. So a server cannot learn a nonce and commit to a
        shuffle afterwards. `match_id` is the requested id, whatever the answer says.
        """
        place, commitment = f"{match_id} {seat} {fairness['epoch']}", str(fairness["commitment"])
        file = self._folder / "commitments" / f"{sha256(f'{self._server} {place}'.encode()).hexdigest()[:32]}.json"
        first = read_document(file)
        if first is None:
            write_document(file, first := commitment)
        return self.nonce(f"{place} {commitment}") if first == commitment else None

    def due(self, match_id: str, match: Mapping[str, Any]) -> tuple[int, dict[str, str]] | None:
        """Return the seat, and the nonce or hash that it can send now; None if there is none.

        Each is sent once: if it is refused, no one waits for it.
        """
        seat, fairness = match["your_seat"], match["fairness"]
        if seat is None or seat in fairness["contributed"]:
            return None
        nonce = self.nonce_for(match_id, seat, fairness)
        if nonce is None:
            return None
        is_open = match["status"] == "lobby" or fairness["awaits"] is not None
        if not match["options"].get("nonce_commit"):
            body = {"nonce": nonce} if is_open else None
        elif fairness["awaits"] == "nonces":
            body = {"nonce": nonce}
        else:
            body = {"nonce_hash": nonce_hash(nonce)} if is_open else None
        key = (match_id, seat, fairness["epoch"], *(body or ()))
        if body is None or key in self._sent:
            return None
        self._sent.add(key)
        return seat, body

    def keep_receipts(self, answer: Any) -> None:
        """Keep the receipts in an answer: they convict a server that later leaves a nonce out."""
        for receipt in answer.get("receipts") or ():
            names = (receipt[name] for name in ("kind", "id", "seat", "player", "epoch", "stage"))
            name = sha256("|".join(map(str, names)).encode()).hexdigest()[:32]
            write_document(self._folder / "receipts" / f"{name}.json", receipt)

    def _secret(self) -> bytes:
        file = self._folder / "nonce-secret.json"
        found = read_document(file)
        if not isinstance(found, str) or len(found) != 64:
            found = os.urandom(32).hex()
            write_document(file, found)
        return bytes.fromhex(found)
