"""Tests records with a proof from the transparency log: both verifiers judge valid and forged ones alike."""

import io
import json
import random
import re
import subprocess
from base64 import b64encode
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from api.cli.main import main
from domain.core.merkle import hash_complete, hash_leaf, prove_inclusion, root_hash
from events.proof.checkpoints import Checkpoint, EntryProof, read_entry_proof
from events.proof.documents import verify_document
from events.proof.findings import Evidence
from events.proof.keys import KeyRing, add_new_key
from events.proof.log_entries import entry_of, head_text
from events.proof.signed_heads import MATCH, KnownKey
from events.proof.signed_notes import (
    COSIGNATURE,
    ED25519,
    NoteKey,
    SignedNote,
    cosign_text,
    cosigned_message,
    sign_text,
)
from tests.proof.test_second_verifier import VERIFIER, node

__all__ = ["node"]

PAGE = (Path(__file__).parents[2] / "docs/proof.md").read_text()
RECORD = json.loads(re.search(r"```json record\n(.*?)```", PAGE, re.DOTALL)[1])  # type: ignore[index]
HEAD = RECORD["match"]["head"]
VERSION = RECORD["match"]["version"]

RING = KeyRing("cards.example", add_new_key((), b"k" * 32, "2025-01-01T00:00:00.000Z"))
KEY = RING.keys[0].key
ORIGIN = "cards.example/v1/transparency"
SALT = b"s" * 32
PLACE, SIZE = 70, 300


@dataclass
class Signer:
    """A witness without a server."""

    name: str

    def __post_init__(self) -> None:
        self.secret = Ed25519PrivateKey.from_private_bytes(self.name.ljust(32)[:32].encode())
        self.key = NoteKey(self.name, COSIGNATURE, self.secret.public_key().public_bytes_raw().hex())

    def line(self, text: str, seconds: int = 1_750_000_000) -> Any:
        return cosign_text(self.key, seconds, self.secret.sign(cosigned_message(text, seconds)).hex())


WITNESSES = [Signer("one.example"), Signer("two.example"), Signer("three.example")]


def proof(
    *, salt: bytes = SALT, text: str = "", place: int = PLACE, size: int = SIZE, ring: KeyRing = RING, signers: int = 2
) -> EntryProof:
    """Return the proof that the head of the record is in a log of 300 entries cosigned by two witnesses."""
    text = text or head_text(MATCH, "m-1", VERSION, HEAD)
    leaves = [hash_leaf(n.to_bytes(32)) for n in range(size)]
    leaves[place] = hash_leaf(entry_of(salt, text))

    def subtree(height: int, n: int) -> bytes:
        return hash_complete(leaves[n << height : n + 1 << height])

    checkpoint = Checkpoint(ORIGIN, size, root_hash(size, subtree))
    made = ring.signature(str(checkpoint).encode())
    assert made is not None
    own = sign_text(NoteKey(ORIGIN, ED25519, made[0]), made[1])
    lines = (own, *(one.line(str(checkpoint)) for one in WITNESSES[:signers]))
    hashes = tuple(prove_inclusion(place, size, subtree))
    return EntryProof(salt, place, hashes, SignedNote(str(checkpoint), lines), checkpoint)


def record_with(logged: str | None) -> bytes:
    signed = RING.sign(MATCH, "m-1", VERSION, HEAD)
    assert signed is not None
    fields = {name: getattr(signed, name) for name in ("server", "kind", "id", "version", "head", "key", "signature")}
    return json.dumps({**RECORD, "signed": fields if logged is None else {**fields, "logged": logged}}).encode()


def ours(text: bytes, witnesses: list[NoteKey], quorum: int | None = None) -> dict[str, Any]:
    _, report = verify_document(io.BytesIO(text), Evidence((), [KnownKey(KEY)], (), witnesses, quorum))
    return asdict(report)


Asked = tuple[bytes, list[NoteKey], int | None]
"""A record with the named witnesses and the quorum."""


def theirs(node: str, asked: list[Asked]) -> list[dict[str, Any]]:
    """Return the reports of the verifier in JavaScript."""
    lines = [
        json.dumps(
            {
                "record": b64encode(text).decode(),
                "heads": [],
                "keys": [{"key": KEY}],
                "witnesses": [str(key) for key in witnesses],
                "quorum": quorum,
            }
        )
        for text, witnesses, quorum in asked
    ]
    done = subprocess.run([node, VERIFIER, "--batch"], input="\n".join(lines).encode(), capture_output=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def log_check(report: dict[str, Any]) -> Any:
    """Return the finding about the log, and `attested`."""
    found = [(check["ok"], check["skipped"]) for check in report["checks"] if check["name"] == "log"]
    return found, report["attested"]


KEYS = [one.key for one in WITNESSES]
HOLDS, SKIPPED, FAILS = [(True, False)], [(True, True)], [(False, False)]

OTHER_SALT = str(proof()).replace(b64encode(SALT).decode(), b64encode(b"t" * 32).decode())
OTHER_VERSION = str(proof(text=head_text(MATCH, "m-1", VERSION - 1, HEAD)))
OTHER_KEY = str(proof(ring=KeyRing("cards.example", add_new_key((), b"f" * 32, "2025-01-01T00:00:00.000Z"))))

CASES: dict[str, tuple[str | None, list[NoteKey], int | None, Any]] = {
    "two of three witnesses": (str(proof()), KEYS, 2, (HOLDS, "witnessed")),
    "all that were named": (str(proof()), KEYS[:2], None, (HOLDS, "witnessed")),
    "one witness too few": (str(proof()), KEYS, None, (SKIPPED, "signed")),
    "witnesses that did not cosign": (str(proof()), KEYS[2:], 1, (SKIPPED, "signed")),
    "no witness named": (str(proof()), [], None, (HOLDS, "signed")),
    "no proof, no witness named": (None, [], None, ([], "signed")),
    "no proof, but a witness named": (None, KEYS, 1, (SKIPPED, "signed")),
    "another salt": (OTHER_SALT, [], None, (FAILS, "unsigned")),
    "another version's entry": (OTHER_VERSION, KEYS, 1, (FAILS, "unsigned")),
    "another log's key": (OTHER_KEY, KEYS, 1, (SKIPPED, "signed")),
    "nonsense": ("nonsense", KEYS, 1, (FAILS, "unsigned")),
    "nothing": ("", [], None, (FAILS, "unsigned")),
}  # fmt: skip


def test_both_verifiers_judge_log_proofs_the_same_way(node: str):
    made = [(record_with(logged), witnesses, quorum) for logged, witnesses, quorum, _ in CASES.values()]
    due = {name: case[3] for name, case in CASES.items()}
    assert {name: log_check(ours(*one)) for name, one in zip(CASES, made, strict=True)} == due
    assert {name: log_check(report) for name, report in zip(CASES, theirs(node, made), strict=True)} == due


def changed(line: str, place: int, draw: random.Random) -> str:
    """Return a line with another character at one position."""
    return line[:place] + draw.choice("ABCDabcd0189+/".replace(line[place], "")) + line[place + 1 :]


def forged(draw: random.Random) -> str:
    """Yield proofs that were changed in one place, or combined from two logs."""
    text, other = str(proof()), str(proof(place=draw.randrange(SIZE), salt=draw.randbytes(32), size=SIZE + 1))
    lines, others = text.split("\n"), other.split("\n")
    how = draw.randrange(6)
    if how == 0:  # a bit of some hash, of the salt or of the root
        encoded = [n for n, line in enumerate(lines) if re.fullmatch(r"(extra )?[0-9A-Za-z+/]{43}=", line)]
        at = draw.choice(encoded)
        place = draw.randrange(len(lines[at]) - 43, len(lines[at]) - 2)
        lines[at] = (
            lines[at][:place] + draw.choice("ABCDabcd0189+/".replace(lines[at][place], "")) + lines[at][place + 1 :]
        )
    elif how == 1:  # another place, or another size
        at = draw.choice([2, next(n for n, line in enumerate(lines) if line == str(SIZE))])
        lines[at] = re.sub(r"\d+$", lambda found: str(int(found[0]) + draw.choice([-3, -1, 1, 2, 64])), lines[at])
    elif how == 2:  # a hash left out, or once more
        at = draw.randrange(3, 3 + len(proof().hashes))
        lines[at : at + 1] = draw.choice([[], [lines[at]] * 2])
    elif how == 3:  # the signature of the log, or a cosignature
        at = draw.choice([n for n, line in enumerate(lines) if line.startswith("— ")])
        place = draw.randrange(len(lines[at]) - 80, len(lines[at]) - 4)
        lines[at] = (
            lines[at][:place] + draw.choice("ABCDabcd0189+/".replace(lines[at][place], "")) + lines[at][place + 1 :]
        )
    elif how == 4:  # the checkpoint of another log under the proof of this one
        lines = [*lines[: lines.index("")], *others[others.index("") :]]
    else:  # the proof of another log over the checkpoint of this one
        lines = [*others[: others.index("")], *lines[lines.index("") :]]
    return "\n".join(lines)


def test_forged_proofs_are_refused_by_both_verifiers(node: str):
    draw = random.Random(7)
    made: list[Asked] = [(record_with(forged(draw)), KEYS[:2], None) for _ in range(200)]
    verdicts = [(report["verdict"], report["attested"]) for report in (ours(*one) for one in made)]
    assert set(verdicts) == {("failed", "unsigned")}
    assert {(report["verdict"], report["attested"]) for report in theirs(node, made)} == {("failed", "unsigned")}


def test_proof_of_a_million_entries_is_small():
    written = read_entry_proof(str(proof()))
    assert len(written.hashes) * 32 <= 288
    assert len(str(proof())) < 1_400


def test_command_line_distinguishes_witnessed_and_signed(tmp_path: Path):
    path = tmp_path / "record.json"
    path.write_bytes(record_with(str(proof())))

    def verify(*options: str) -> tuple[int, str]:
        result = CliRunner().invoke(main, ["verify", str(path), "--key", KEY, *options])
        return result.exit_code, result.output

    witnesses = [word for one in WITNESSES for word in ("--witness", str(one.key))]
    code, said = verify(*witnesses, "--quorum", "2")
    assert (code, "witnessed by a quorum that you named" in said) == (0, True)
    code, said = verify(*witnesses)
    assert (code, "signed only, not witnessed" in said) == (3, True)
    assert verify(*witnesses, "--lenient")[0] == 3
    assert verify()[0] == 0
    assert verify(*witnesses, "--quorum", "4")[0] == 2
    assert verify("--witness", str(NoteKey("log", ED25519, KEY)))[0] == 2
