"""Tests that a witness cosigns only a log that only grows, and answers invalid requests as the protocol specifies."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from hashlib import sha256
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest

from api.http.witness_server import WitnessServer
from events.proof.signed_notes import (
    COSIGNATURE,
    ED25519,
    NoteKey,
    SignedNote,
    find_signers,
    read_lines,
    read_note,
    read_note_key,
    sign_text,
)
from events.settings import Settings
from events.store.protocol import Store
from events.store.tables import tree_rows
from events.transparency.public_log import prove_growth, read_checkpoint_note
from events.transparency.quorum import BadWitnesses, Quorum, WitnessAddress, read_quorum
from events.transparency.witness import Witness, write_request
from tests.transparency.logs import Kept, ring_of
from workers.witness_asker import WitnessAsker

VECTORS = json.loads((Path(__file__).parents[1] / "proof/vectors/notes.json").read_text())["witness"]
ORIGIN = "cards.example/v1/transparency"
NOW = 1_750_000_000


def log_key() -> NoteKey:
    return NoteKey(ORIGIN, ED25519, ring_of().keys[0].key)


def witness_of(
    folder: Path, name: str = "witness.example", origin: str = ORIGIN, key: NoteKey | None = None
) -> Witness:
    logs = {origin: [key or log_key()]}
    return Witness(name, name.ljust(32)[:32].encode(), logs, folder / f"{name[:9]}.json", lambda: NOW)


@contextmanager
def running(witness: Witness) -> Iterator[str]:
    """Serve a witness; return its address."""
    with WitnessServer(("127.0.0.1", 0), witness) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def test_requests_are_answered_as_the_protocol_specifies(tmp_path: Path):
    origin = VECTORS["origin"]
    witness = witness_of(tmp_path, origin=origin, key=NoteKey(origin, ED25519, VECTORS["log_key"]))
    due = [status for _, status in VECTORS["asks"]]
    # The Base 64 of the false signature is not canonical, and is refused first. An unknown log is 404 by now.
    due[1:3] = [400, 404]
    assert [witness.add_checkpoint(body.encode()).status for body, _ in VECTORS["asks"]] == due
    assert due == [200, 400, 404, 422, 422, 200, 409, 200, 409]


def test_origin_may_differ_from_the_name_of_the_key(tmp_path: Path):
    given = VECTORS["sumdb"]
    witness = witness_of(tmp_path, origin=given["origin"], key=read_note_key(given["key"]))
    assert [witness.add_checkpoint(body.encode()).status for body, _ in given["asks"]] == [200]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"old 0\n", 400),
        (b"old -1\n\n", 400),
        (b"old 01\n\n", 400),
        (b"\xff", 400),
        (b"old 0\n" + b"A\n" * 10 + b"\n", 400),
        (b"old 0\n" + b"A" * 43 + b"=\n" * 70 + b"\n", 400),
    ],
)
def test_malformed_request_is_answered_with_400(tmp_path: Path, body: bytes, status: int):
    assert witness_of(tmp_path).add_checkpoint(body).status == status


@pytest.fixture
def kept(store: Store) -> Kept:
    kept = Kept(store)
    kept.plays("match-1")
    kept.looks()
    return kept


def asked(kept: Kept, old: int, size: int | None = None) -> bytes:
    """Return a server's request for the cosignature of its newest checkpoint."""
    head = tree_rows.newest_head(kept.store)
    assert head is not None
    note = read_note(head.note)
    proof = prove_growth(kept.store, old, head.size) or ""
    return write_request(old, proof, str(SignedNote(note.text, note.lines[:1])))


def test_valid_cosignature_is_written_to_disk_before_it_is_sent(kept: Kept, tmp_path: Path):
    witness = witness_of(tmp_path)
    answer = witness.add_checkpoint(asked(kept, 0))
    assert answer.status == 200
    note = read_note(read_checkpoint_note(kept.store) or "")
    assert find_signers(SignedNote(note.text, read_lines(answer.text)), [witness.key]) == {witness.key: NOW}
    after_restart = witness_of(tmp_path)
    assert [after_restart.add_checkpoint(asked(kept, old)).status for old in (0, 5)] == [409, 200]


def test_false_signature_is_answered_with_403(kept: Kept, tmp_path: Path):
    false = NoteKey(ORIGIN, ED25519, ring_of(secret=b"f" * 32).keys[0].key)
    assert witness_of(tmp_path, key=false).add_checkpoint(asked(kept, 0)).status == 403
    over_another = asked(kept, 0).decode().replace("\n5\n", "\n6\n")
    assert witness_of(tmp_path).add_checkpoint(over_another.encode()).status == 403


def test_checkpoint_is_cosigned_only_after_it_is_on_disk(kept: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    witness = witness_of(tmp_path)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        witness.add_checkpoint(asked(kept, 0))
    monkeypatch.undo()
    assert witness_of(tmp_path).add_checkpoint(asked(kept, 0)).status == 200


def test_two_simultaneous_requests_create_no_fork(store: Store, tmp_path: Path):
    """Of two branches that arrive together, one is cosigned."""
    kept = Kept(store)
    kept.plays("match-1")
    kept.looks()
    note = read_note(read_checkpoint_note(store) or "")
    other = note.text.replace("\n5\n", "\n6\n")
    signature = kept.ring.signature(other.encode())
    assert signature is not None
    bodies = [
        write_request(0, "", str(note)),
        write_request(0, "", str(SignedNote(other, (sign_text(log_key(), signature[1]),)))),
    ]
    witness = witness_of(tmp_path)
    with ThreadPoolExecutor(8) as pool:
        statuses = [answer.status for answer in pool.map(witness.add_checkpoint, bodies * 4)]
    assert statuses.count(200) == 1
    assert set(statuses) == {200, 409}


def test_witness_can_be_reached_over_http(kept: Kept, tmp_path: Path):
    with running(witness_of(tmp_path)) as url:
        address = urlsplit(url)

        def ask(method: str, path: str, body: bytes | None = None) -> tuple[int, str, str]:
            connection = HTTPConnection(address.hostname or "", address.port, timeout=60)
            connection.request(method, path, body)
            answer = connection.getresponse()
            text = answer.read().decode()
            connection.close()
            return answer.status, answer.headers["Content-Type"], text

        monitored = f"/{sha256(ORIGIN.encode()).hexdigest()}/checkpoint"
        assert ask("GET", monitored)[0] == 404
        status, _, line = ask("POST", "/add-checkpoint", asked(kept, 0))
        assert (status, line[:18]) == (200, "— witness.example ")
        assert ask("POST", "/add-checkpoint", asked(kept, 0)) == (409, "text/x.tlog.size", "5\n")
        assert line in ask("GET", monitored)[2]
        assert ask("POST", "/add-checkpoint", b"x" * 40_000)[0] == 413
        assert ask("GET", "/")[0] == 404


def test_server_asks_its_witnesses_until_there_is_a_quorum(kept: Kept, tmp_path: Path):
    one, two, gone = (witness_of(tmp_path, name) for name in ("one.example", "two.example", "gone.example"))
    with running(one) as first, running(two) as second:
        addresses = [WitnessAddress(one.key, first), WitnessAddress(two.key, second)]
        unreachable = WitnessAddress(gone.key, "http://127.0.0.1:9")
        asker = WitnessAsker(kept.store, Quorum([*addresses, unreachable], 2))
        asker.look()
        head = tree_rows.newest_head(kept.store, witnessed=True)
        assert head is not None
        assert find_signers(read_note(head.note), [one.key, two.key, gone.key]).keys() == {one.key, two.key}
        kept.plays("match-2", 20)
        size = kept.looks().size
        WitnessAsker(kept.store, Quorum(addresses, 2)).look()  # it learns what they know
        head = tree_rows.newest_head(kept.store, witnessed=True)
        assert head is not None
        assert head.size == size == 26


def test_cosignature_by_another_key_is_ignored(kept: Kept, tmp_path: Path, caplog):
    true, false = witness_of(tmp_path), witness_of(tmp_path, "forger.example")
    with running(false) as url:
        WitnessAsker(kept.store, Quorum([WitnessAddress(true.key, url)], 1)).look()
    assert tree_rows.newest_head(kept.store, witnessed=True) is None
    assert "has no cosignature by its key" in caplog.text


def test_settings_name_witnesses_and_a_quorum(tmp_path: Path):
    keys = [witness_of(tmp_path, name).key for name in ("one.example", "two.example", "three.example")]
    named = "\n".join(f"{key} https://{key.name}/w/" for key in keys)
    quorum = read_quorum(Settings(dealt_witnesses=named))
    assert [witness.url for witness in quorum.witnesses] == [f"https://{key.name}/w" for key in keys]
    assert quorum.least == 2
    assert read_quorum(Settings(dealt_witnesses=named, dealt_witness_quorum=3)).least == 3
    assert read_quorum(Settings()).witnesses == []


@pytest.mark.parametrize(
    "named",
    [
        "KEY",
        "KEY ftp://x",
        f"{NoteKey('log.example', ED25519, '11' * 32)} https://x",
        f"{NoteKey('w.example', COSIGNATURE, '11' * 32)} https://x " * 2,
    ],
)
def test_unusable_witnesses_are_refused(named: str):
    with pytest.raises(BadWitnesses):
        read_quorum(Settings(dealt_witnesses=named))


def test_quorum_is_at_most_the_number_of_witnesses():
    named = f"{NoteKey('w.example', COSIGNATURE, '11' * 32)} https://x"
    with pytest.raises(BadWitnesses, match="at most 1"):
        read_quorum(Settings(dealt_witnesses=named, dealt_witness_quorum=2))
