"""Tests signed notes, checkpoints and cosignatures: those of others can be read, and ours are the same bytes."""

import json
from base64 import b64decode
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.core.merkle import EMPTY, hash_complete, hash_leaf, root_hash
from events.proof.checkpoints import Checkpoint, read_checkpoint
from events.proof.signed_notes import (
    BadNote,
    SignedNote,
    cosign_text,
    cosigned_message,
    find_signers,
    read_note,
    read_note_key,
    sign_text,
)

VECTORS = json.loads((Path(__file__).parent / "vectors/notes.json").read_text())
"""The example of c2sp.org/signed-note, a checkpoint with the cosignatures of public witnesses, the log of
https://github.com/transparency-dev/tessera, and the requests of https://github.com/FiloSottile/torchwood.
"""

COSIGNED = VECTORS["cosigned"]
LOG = VECTORS["log"]
WITNESS = VECTORS["witness"]


def test_example_of_the_specification_is_valid():
    example = VECTORS["example"]
    key = read_note_key(example["key"])
    assert str(key) == example["key"]
    assert find_signers(read_note(example["note"]), [key]) == {key: None}


def test_cosignatures_of_public_witnesses_are_valid():
    note = read_note(COSIGNED["note"])
    assert str(note) == COSIGNED["note"]
    witnesses = [read_note_key(key) for key in COSIGNED["witnesses"]]
    assert find_signers(note, witnesses) == dict.fromkeys(witnesses, 1_779_573_024)
    assert read_note_key(COSIGNED["log"]) in find_signers(note, [read_note_key(COSIGNED["log"])])


@pytest.mark.parametrize("place", [3, 42, 60, 70])
def test_changed_note_has_an_invalid_signature(place: int):
    text = COSIGNED["note"]
    changed = text[:place] + ("a" if text[place] != "a" else "b") + text[place + 1 :]
    with pytest.raises(BadNote):
        find_signers(read_note(changed), [read_note_key(key) for key in COSIGNED["witnesses"]])


def test_checkpoint_of_another_log_is_signed_to_the_same_bytes():
    """Each checkpoint of another log follows from its entries and its secret."""
    key, secret = read_note_key(LOG["key"]), Ed25519PrivateKey.from_private_bytes(bytes.fromhex(LOG["secret"]))
    leaves = [hash_leaf(word.encode()) for word in LOG["words"]]
    assert b"".join(leaves) == b64decode(LOG["tile"])

    def subtree(height: int, place: int) -> bytes:
        return hash_complete(leaves[place << height : place + 1 << height])

    for size, written in enumerate(LOG["checkpoints"]):
        checkpoint = Checkpoint(key.name, size, root_hash(size, subtree))
        line = sign_text(key, secret.sign(str(checkpoint).encode()).hex())
        assert str(SignedNote(str(checkpoint), (line,))) == written
        assert read_checkpoint(read_note(written)) == checkpoint
        assert find_signers(read_note(written), [key]) == {key: None}


def test_empty_log_has_the_hash_of_no_bytes():
    assert read_checkpoint(read_note(LOG["checkpoints"][0])).root == EMPTY


def test_cosignature_covers_the_time_and_the_text():
    secret = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(WITNESS["secret"]))
    key = read_note_key(COSIGNED["witnesses"][0])
    key = type(key)("example.com/witness", key.type, secret.public_key().public_bytes_raw().hex())
    note = read_note(COSIGNED["note"])
    line = cosign_text(key, 1_700_000_000, secret.sign(cosigned_message(note.text, 1_700_000_000)).hex())
    assert find_signers(SignedNote(note.text, (*note.lines, line)), [key]) == {key: 1_700_000_000}
    late = cosign_text(key, 1_700_000_001, line.signature[8:].hex())
    with pytest.raises(BadNote):
        find_signers(SignedNote(note.text, (late,)), [key])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "text\n",
        "text\n\n",
        "text\n\n— name\n",
        "text\n\n— name AAAA\n",
        "text\n\n- name AAAAAAAAAA==\n",
        "text\n\n— name AAAAAAAAAA==",
        "te\txt\n\n— name AAAAAAAAAA==\n",
        "text\n\n— na+me AAAAAAAAAA==\n",
        "text\n\n— name AAAAAAAAAB==\n",
        "x" * 20_000 + "\n\n— name AAAAAAAAAA==\n",
    ],
)
def test_malformed_note_is_refused(text: str):
    with pytest.raises(BadNote):
        read_note(text)


@pytest.mark.parametrize("size", ["", "-1", "01", "1.0", "9007199254740992", "٣"])
def test_malformed_size_is_refused(size: str):
    with pytest.raises(BadNote):
        read_checkpoint(SignedNote(f"origin\n{size}\n{'A' * 43}=\n", ()))
