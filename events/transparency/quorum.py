"""Reads the witnesses that the settings name, and counts which of them have cosigned a checkpoint."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from domain.core.values import value
from events.proof.signed_notes import COSIGNATURE, NoteKey, SignedNote, find_signers, read_note_key
from events.settings import Settings


class BadWitnesses(ValueError):
    """The settings name no usable witnesses; the message says why."""


@value
class WitnessAddress:
    """A witness that the server asks: its key, and the prefix of its address."""

    key: NoteKey
    url: str


@value
class Quorum:
    """The witnesses of a server, and how many of them must cosign a checkpoint."""

    witnesses: Sequence[WitnessAddress]
    least: int

    def signers(self, note: SignedNote) -> set[NoteKey]:
        """Return the witnesses that have cosigned a checkpoint. Raises `BadNote`."""
        return set(find_signers(note, [witness.key for witness in self.witnesses]))


def read_quorum(settings: Settings) -> Quorum:
    """Read the witnesses that the settings name. Raises `BadWitnesses`."""
    words = settings.dealt_witnesses.split()
    if len(words) % 2:
        raise BadWitnesses("DEALT_WITNESSES must be verifier keys, each with the address of its witness after it.")
    witnesses = [_witness(key, url) for key, url in zip(words[::2], words[1::2], strict=True)]
    if len({witness.key for witness in witnesses}) < len(witnesses):
        raise BadWitnesses("DEALT_WITNESSES names a witness twice.")
    least = settings.dealt_witness_quorum or len(witnesses) // 2 + 1
    if witnesses and least > len(witnesses):
        raise BadWitnesses(f"DEALT_WITNESS_QUORUM must be at most {len(witnesses)}, the number of witnesses.")
    return Quorum(witnesses, least)


def _witness(key: str, url: str) -> WitnessAddress:
    try:
        read, address = read_note_key(key), urlsplit(url)
    except ValueError as error:
        raise BadWitnesses(f"DEALT_WITNESSES: {error}") from None
    if read.type != COSIGNATURE:
        raise BadWitnesses(f"DEALT_WITNESSES: the key of {read.name} is not a witness's key.")
    if address.scheme not in ("http", "https") or not address.hostname:
        raise BadWitnesses(f"DEALT_WITNESSES: {url} must begin with https:// or http://.")
    return WitnessAddress(read, url.rstrip("/"))
