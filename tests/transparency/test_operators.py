"""Tests an operator who knows every secret and changes the history: witnesses refuse it, and every client notices."""

import json
import random
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import cast

import pytest
from sqlalchemy import delete, update

from api.terminal import log_watch
from api.terminal.history_watch import HistoryChanged
from api.terminal.log_watch import LogWatch
from api.terminal.remote import Query
from events.proof.keys import KeyRing, SigningKey, add_new_key
from events.proof.signed_notes import SignedNote, read_note
from events.store.opening import open_store
from events.store.protocol import Store
from events.store.schema.log_schema import checkpoint, stream
from events.store.schema.tree_schema import tree, tree_heads, tree_leaves, tree_tiles
from events.store.tables import stream_rows, tree_rows
from events.transparency import public_log
from events.transparency.witness import Witness, write_request
from tests import built
from tests.draws import draws
from tests.store.commits import commit
from tests.stores import store_of_owner
from tests.transparency.logs import Kept, ring_of
from tests.transparency.test_witness import witness_of

OTHERS_SECRET = b"o" * 32


def answers(kept: Kept) -> Callable[..., tuple[int, bytes]]:
    """Return the function that answers a client as the server does."""

    def key(one: SigningKey) -> dict[str, str | None]:
        return {name: getattr(one, name) for name in ("key", "since", "until", "succession", "countersignature")}

    def asked(server: str, token: str | None, query: Query) -> tuple[int, bytes]:
        found: str | None
        if query.path == "/v1/keys":
            found = json.dumps({"server": kept.ring.server, "items": [key(one) for one in kept.ring.keys]})
        elif query.path.endswith("/checkpoint"):
            found = public_log.read_checkpoint_note(kept.store)
        else:
            *_, old, size = query.path.split("/")
            found = public_log.prove_growth(kept.store, int(old), int(size))
        return (404, b"") if found is None else (200, found.encode())

    return asked


PAGE = """
import {readFileSync} from "node:fs";
import {lookAtLog} from "#page/guard/log_watch.ts";
const found = [];
for (const servers of JSON.parse(readFileSync(0, "utf8"))) {
  let kept = null, fault = null;
  for (const answers of servers) {
    const ask = async (path) => answers[path] ? {status: 200, text: answers[path]} : {status: 404, text: ""};
    const one = await lookAtLog(ask, kept);
    fault = one?.fault ?? null;
    kept = one?.kept ?? kept;
  }
  found.push(fault);
}
console.log(JSON.stringify(found));
"""
"""Looks at each server several times, as the page does, and prints the last fault found; null if there is none."""


def page_answers(kept: Kept, known: int) -> dict[str, str]:
    """Return what a server answers to a page that knows its log up to a size."""
    ask, head = answers(kept), tree_rows.newest_head(kept.store)
    size = head.size if head else 0
    paths = ("/keys", "/transparency/checkpoint", f"/transparency/consistency/{known}/{size}")
    found = {path: ask("", None, Query("GET", f"/v1{path}", "*/*")) for path in paths}
    return {path: text.decode() for path, (status, text) in found.items() if status == 200}


def faults_on_page(servers: list[list[dict[str, str]]]) -> list[str | None]:
    return cast(list[str | None], json.loads(built.run_in_node(PAGE, json.dumps(servers))))


def statuses(witness: Witness, kept: Kept) -> set[int]:
    """Return a witness's answers to the newest checkpoint, for each size that the server may claim it knows."""
    head = tree_rows.newest_head(kept.store)
    assert head is not None
    note = read_note(head.note)
    own = str(SignedNote(note.text, note.lines[:1]))
    known = witness.add_checkpoint(write_request(0, "", own)).text.strip()
    sizes = {0, head.size, int(known) if known.isdecimal() else 0}
    proofs = {old: public_log.prove_growth(kept.store, old, head.size) or "" for old in sorted(sizes)}
    return {witness.add_checkpoint(write_request(old, proof, own)).status for old, proof in proofs.items()}


def play_on(kept: Kept, moves: int, mark: str) -> None:
    """Append moves to the first match."""
    version = stream_rows.versions(kept.store, [1])[1]
    for n in range(moves):
        kept.store.append(1, commit(version + 1 + n, 1, f"{mark} {n}"))


def forget_log(store: Store) -> None:
    """Delete the log; the keeper then starts another."""
    with store_of_owner(store) as mine:
        for statement in (delete(tree_leaves), delete(tree_tiles), delete(tree_heads), update(tree).values(size=0)):
            mine.change(statement)
    store.change(delete(checkpoint).where(checkpoint.c.name.like("transparency%")))


def set_back(kept: Kept, draw: random.Random) -> None:
    """The store has the older state."""


def fork(kept: Kept, draw: random.Random) -> None:
    play_on(kept, draw.randrange(1, 60), "another")


def delete_match(kept: Kept, draw: random.Random) -> None:
    kept.store.change(update(stream).where(stream.c.match_no == draw.choice([1, 2])).values(imported="{}"))
    forget_log(kept.store)
    kept.plays("filler", draw.randrange(40, 90))


def swap_key(kept: Kept, draw: random.Random) -> None:
    """Replace the key of the server without that key's signature."""
    first = ring_of().keys[0]
    false = add_new_key((), draw.randbytes(32), first.since)[0]
    keys = draw.choice([(false,), (first, SigningKey(false.key, false.since, false.secret))])
    kept.keeper._ring = kept.ring = KeyRing("cards.example", keys)
    play_on(kept, 1, "on")


CHANGES = [set_back, fork, delete_match, swap_key]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_changed_history_is_refused_by_witnesses_and_noticed_by_clients(
    change: Callable[[Kept, random.Random], None],
    empty_sqlite: Callable[[Path], str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    draw, pages = random.Random(change.__name__), []
    first = tmp_path / "first.sqlite3"
    with closing(open_store(empty_sqlite(first))) as store:
        kept = Kept(store)
        kept.plays("match-1", 10)
        kept.plays("match-2", 7)
        kept.looks()
    for n in range(draws(4)):
        folder = tmp_path / str(n)
        folder.mkdir()
        older, newer = folder / "older.sqlite3", folder / "newer.sqlite3"
        shutil.copy(first, newer)
        with closing(open_store(f"sqlite:///{newer}")) as store:
            kept = Kept(store)
            play_on(kept, draw.randrange(5), "true")
            kept.looks()
            play_on(kept, draw.randrange(1, 40), "later")
            kept.looks()
            witnesses = [witness_of(folder, name) for name in ("one.example", "two.example")]
            assert [200 in statuses(witness, kept) for witness in witnesses] == [True, True]
            monkeypatch.setattr(log_watch, "request_server", answers(kept))
            watch = LogWatch("https://cards.example", folder, patience=0)
            seen = watch.look()
            assert seen is not None
            assert watch.look() == seen  # nothing has changed
            before = [page_answers(kept, 0), page_answers(kept, seen.size)]
        shutil.copy(first, older)
        with closing(open_store(f"sqlite:///{newer if change is swap_key else older}")) as store:
            kept = Kept(store)
            change(kept, draw)
            kept.looks()
            for witness in witnesses:
                assert not statuses(witness, kept) & {200}, "a second branch was cosigned"
            monkeypatch.setattr(log_watch, "request_server", answers(kept))
            with pytest.raises(HistoryChanged, match="contradicts itself"):
                watch.look()
            assert len([*(folder / "alarms").glob("*.json")]) == 2
            pages += [before, [*before, page_answers(kept, seen.size)]]
    faults = faults_on_page(pages)
    assert (set(faults[::2]), faults[1::2].count(None)) == ({None}, 0)


def test_client_follows_an_honest_log_and_a_signed_change_of_keys(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    kept = Kept(store)
    kept.plays("match-1")
    kept.looks()
    monkeypatch.setattr(log_watch, "request_server", answers(kept))
    watch = LogWatch("https://cards.example", tmp_path, patience=0)
    sizes, page = [0], []
    for n in range(4):
        kept.plays(f"more-{n}", 90)
        if n == 2:
            keys = add_new_key(kept.ring.keys, OTHERS_SECRET, "2026-03-01T00:00:00.000Z")
            kept.keeper._ring = kept.ring = KeyRing("cards.example", keys)
        kept.looks()
        seen = watch.look()
        assert seen is not None
        page.append(page_answers(kept, sizes[-1]))
        sizes.append(seen.size)
    assert sizes == sorted(set(sizes))
    assert faults_on_page([page]) == [None]


def test_server_without_a_log_raises_no_alarm_unless_it_had_one(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    kept = Kept(store)
    monkeypatch.setattr(log_watch, "request_server", answers(kept))
    watch = LogWatch("https://cards.example", tmp_path, patience=0)
    assert watch.look() is None
    kept.plays("match-1")
    kept.looks()
    assert watch.look() is not None
    forget_log(store)
    with pytest.raises(HistoryChanged, match="no longer has a transparency log"):
        watch.look()
