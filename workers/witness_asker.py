"""Sends each new checkpoint of the transparency log to the witnesses, and stores their cosignatures.

Each dispatcher's process runs one; any number may run. A slow witness delays the others by a few seconds at most.
"""

import logging
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Final
from urllib.parse import urlsplit

from events.proof.checkpoints import read_number
from events.proof.signed_notes import BadNote, NoteKey, SignedNote, find_signers, read_lines, read_note
from events.store.protocol import Store
from events.store.tables import tree_rows
from events.store.tree_records import HeadRow
from events.transparency.public_log import prove_growth
from events.transparency.quorum import Quorum, WitnessAddress
from events.transparency.witness import write_request

PAUSE: Final = 1.0
"""The pause between two looks, in seconds."""
REST: Final = 30.0
"""The pause after a look in which a witness gave no cosignature, in seconds."""
SECONDS: Final = 5.0
"""The time limit for the answer of a witness, in seconds."""
MOST_BYTES: Final = 8_192

log = logging.getLogger(__name__)


class NoCosignature(Exception):
    """The witness did not cosign; the message is the reason, for the log."""


class WitnessAsker:
    """Requests cosignatures from the witnesses of a quorum."""

    def __init__(self, store: Store, quorum: Quorum) -> None:
        self._store, self._quorum = store, quorum
        self._sizes: dict[NoteKey, int] = {}
        self._failing: set[NoteKey] = set()

    def look(self) -> float:
        """Ask the witnesses that have not cosigned the newest checkpoint; return the seconds to wait."""
        head = tree_rows.newest_head(self._store)
        if head is None:
            return PAUSE
        note = read_note(head.note)
        there = self._quorum.signers(note)
        asked = [witness for witness in self._quorum.witnesses if witness.key not in there]
        for witness in asked:
            try:
                note = self._cosigned(witness, head, note)
                self._failing.discard(witness.key)
            except NoCosignature as error:
                if witness.key not in self._failing:
                    log.warning("witness %s does not cosign: %s", witness.key.name, error)
                self._failing.add(witness.key)
        if len(note.lines) > len(read_note(head.note).lines):
            witnessed = len(self._quorum.signers(note)) >= self._quorum.least
            tree_rows.cosign_head(self._store, head.size, head.note, str(note), witnessed=witnessed)
        return REST if self._failing.intersection(witness.key for witness in asked) else PAUSE

    def _cosigned(self, witness: WitnessAddress, head: HeadRow, note: SignedNote) -> SignedNote:
        """Return the checkpoint with the cosignature of a witness. Raise `NoCosignature`."""
        own = str(SignedNote(note.text, note.lines[:1]))
        for _ in range(2):
            old = self._sizes.get(witness.key, 0)
            if old > head.size:
                raise NoCosignature(
                    f"it has seen {old} leaves, but this log has {head.size}: was an old backup restored?"
                )
            proof = prove_growth(self._store, old, head.size)
            if proof is None:
                raise NoCosignature("no consistency proof could be made for it")
            status, text = _post(f"{witness.url}/add-checkpoint", write_request(old, proof, own))
            if status != 409:
                break
            try:
                self._sizes[witness.key] = read_number(text.removesuffix("\n"))
            except BadNote:
                raise NoCosignature("it answered 409 without a size") from None
        if status != 200:
            raise NoCosignature(f"it answered {status}: {text.strip()[:200]}")
        try:
            lines = read_lines(text)
            mine = [line for line in lines if (line.name, line.id) == (witness.key.name, witness.key.id)]
            cosigned = SignedNote(note.text, (*note.lines, *mine[:1]))
            is_there = witness.key in find_signers(cosigned, [witness.key])
        except BadNote as error:
            raise NoCosignature(str(error)) from None
        if not is_there:
            raise NoCosignature("its answer has no cosignature by its key")
        self._sizes[witness.key] = head.size
        return cosigned


def _post(url: str, body: bytes) -> tuple[int, str]:
    """Post a request to a witness; return the status and the text of its answer. Raise `NoCosignature`."""
    address = urlsplit(url)
    kind = HTTPSConnection if address.scheme == "https" else HTTPConnection
    try:
        connection = kind(address.hostname or "", address.port, timeout=SECONDS)
        try:
            connection.request("POST", address.path, body=body, headers={"Content-Type": "text/plain; charset=utf-8"})
            answer = connection.getresponse()
            return answer.status, answer.read(MOST_BYTES).decode(errors="replace")
        finally:
            connection.close()
    except (OSError, HTTPException, ValueError) as error:
        raise NoCosignature(f"it cannot be reached ({type(error).__name__})") from None
