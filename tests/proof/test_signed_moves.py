"""Tests signed moves: even with all secrets of the server, no one can move for such a player (docs/proof.md)."""

import copy
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from random import Random
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain import match as life
from domain.core.clock import Clock, Time
from domain.core.game import CHANCE
from domain.match.clocks import ContinueMatch
from domain.match.draws import OfferDraw
from domain.match.move_signatures import MoveSigned
from domain.match.move_texts import from_text, in_text
from domain.match.resignations import Resign
from domain.match.seating import Sit
from events.log.codec import canonical
from events.proof.player_keys import is_player_key, move_message, seat_message
from tests.draws import first_of
from tests.laws.entry import Entry
from tests.laws.games import ENTRIES
from tests.laws.play import steps
from tests.proof.test_second_verifier import node, reports  # noqa: F401 -- a fixture
from tests.recorded import Recorded
from tests.tampered import failing, relinked, resealed, verified

ANNS, BENS, FORGERS = (Ed25519PrivateKey.from_private_bytes(bytes([n]) * 32) for n in (1, 2, 3))


def public(key: Ed25519PrivateKey) -> str:
    return key.public_key().public_bytes_raw().hex()


@dataclass
class Signing(Recorded):
    """Return a match in which Ann signs in seat 0 and Ben in seat 1 does not."""

    seats: tuple[str, ...] = ("open", "open")
    signing: Mapping[int, Ed25519PrivateKey] = field(default_factory=lambda: {0: ANNS})

    def __post_init__(self) -> None:
        super().__post_init__()
        for seat, player in enumerate(("ann", "ben")):
            key = self.signing.get(seat)
            proof = key.sign(seat_message(player, "m-1", seat)).hex() if key else None
            self.does(seat, Sit(player, player_key=public(key) if key else None, key_proof=proof))

    def intent(self, seat: int, command: Any) -> life.Intent:
        if type(command) is Sit or seat not in self.signing:
            return super().intent(seat, command)
        return life.Intent("seat", seat, command, self.signed(seat, command, self.signing[seat]).signature)

    def signed(self, seat: int, command: Any, key: Ed25519PrivateKey) -> MoveSigned:
        move = in_text(self.match.game, command)
        text = move_message("m-1", seat, len(self.said), self.head, move)
        return MoveSigned(seat, move, key.sign(text).hex())

    def forges(self, admitted: life.Admitted, signed: MoveSigned | None = None) -> None:
        """Write a commit without the player, as the operator can: all digests, seals and codes are valid."""
        self.now, before = self.now + 1000, len(self.said)
        admitted = replace(admitted, signature=signed.signature if signed else None)
        self.match, happened = life.carry_out(self.match, admitted, self.dealer, Time(self.now))
        self.said += [replace(e, event=signed) if signed and type(e.event) is MoveSigned else e for e in happened]
        self._write(before)


def a_table(**chosen: Any) -> Signing:
    return Signing("crazy_eights", chosen={"target_score": 1, **chosen})


def played(seed: int = 1, **chosen: Any) -> Signing:
    table = a_table(**chosen)
    table.plays_on(Random(seed))
    assert table.match.over
    return table


def found(one: Any, node: str) -> tuple[Any, Any]:  # noqa: F811 -- the fixture
    """Return the findings of both verifiers: the verdict of ours, and whether `moves` passes in each."""
    (theirs,) = reports(node, [(one, ())])
    mine = verified(one)
    check = next(c for c in mine.checks if c.name == "moves")
    other = next(c for c in theirs["checks"] if c["name"] == "moves")
    assert (check.ok, check.skipped, check.seq) == (other["ok"], other["skipped"], other["seq"])
    assert [asdict(seat) for seat in mine.signed_seats] == theirs["signed_seats"]
    return mine, theirs


# --- What holds ---------------------------------------------------------------------------------------------


def test_both_verifiers_list_the_seats_with_signed_moves(node: str) -> None:  # noqa: F811 -- the fixture
    mine, _ = found(played().record(), node)
    assert (mine.verdict, [(seat.seat, seat.key) for seat in mine.signed_seats]) == ("verified", [(0, public(ANNS))])
    assert {e.seat for e in played().events if type(e) is MoveSigned} == {0}


@pytest.mark.long
def test_sealed_moves_are_not_judged_yet(node: str) -> None:  # noqa: F811 -- the fixture
    table = a_table()
    table.plays_on(until=lambda m: len(table.said) > 25)
    for reader, said in (("0", "are open and valid"), ("1", "still sealed"), ("spectators", "still sealed")):
        mine, theirs = found(table.record(reader), node)
        check = next(c for c in mine.checks if c.name == "moves")
        assert (failing(mine), said in check.detail) == ([], True), check
    never = played(fairness_reveal="never").record()
    mine, theirs = found(never, node)
    assert (mine.verdict, theirs["verdict"]) == ("unverifiable", "unverifiable")


@pytest.mark.long
def test_sealed_cause_is_not_opened_with_a_hand(node: str) -> None:  # noqa: F811 -- the fixture
    """The first is opened when the match is over, the second with the cards of its hand."""
    table = Signing("crazy_eights", chosen={"target_score": 100, "standing_orders": True}, clock=Clock(3600))
    table.plays_on(until=lambda m: m.hand_no == 2)
    assert table.match.hand_no == 2
    shut = {e["type"] for e in table.record()["events"] if e["commit"] < 60 and e["seals"] and not e.get("unseal")}
    assert shut == {"CauseSealed"}
    found(table.record(), node)
    table.plays_on()
    mine, theirs = found(table.record(), node)
    assert (mine.verdict, [check["name"] for check in theirs["checks"] if not check["ok"]]) == ("verified", [])


def test_move_between_hands_is_opened_with_the_previous_hand(node: str) -> None:  # noqa: F811 -- the fixture
    table = Signing("crazy_eights", chosen={"target_score": 100, "pause_between_hands": True})
    table.plays_on(until=lambda m: m.hand_no == 2)
    made = table.record()
    said = [
        e["disclosed"]["move"]["0"]["name"] for e in made["events"] if "disclosed" in e and e["type"] == "MoveSigned"
    ]
    assert said[-1] == "continue_match"
    mine, theirs = found(made, node)
    assert (failing(mine), [check["name"] for check in theirs["checks"] if not check["ok"]]) == ([], [])


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry.game.name} {entry.seats}")
def test_signed_text_of_every_move_can_be_read_back(entry: Entry) -> None:
    moves = [Resign(whole_match=True), Resign(), OfferDraw(), ContinueMatch(), *_drawn(entry)]
    for move in moves:
        written = json.loads(canonical(in_text(entry.game, move)))
        assert from_text(entry.game, written) == move
        for bad in _misread(written):
            with pytest.raises(ValueError, match="no such move"):
                from_text(entry.game, bad)


def _drawn(entry: Entry) -> list[Any]:
    """Yield moves of whole games, one of each kind."""
    drawn = [(rows[0], seed) for rows in entry.blocks.values() for seed in range(3)]
    every = [
        step.move for options, seed in drawn for step in steps(entry, options, Random(seed)) if step.seat != CHANCE
    ]
    return list({type(move): move for move in every}.values())


def _misread(written: Mapping[str, Any]) -> list[Any]:
    args = written["args"]
    more = [{**written, "args": {**args, n: [value]}} for n, value in args.items() if not isinstance(value, list)]
    return [
        None, [], "resign", {}, {**written, "name": "cheat"}, {**written, "seat": 0}, {**written, "args": None},
        {**written, "args": {**args, "nonsense": 1}}, {"name": written["name"]}, *more,
    ]  # fmt: skip


# --- What the operator forges -------------------------------------------------------------------------------

Forge = Callable[[Signing, int, Any], None]


def unsigned(cause: str) -> Forge:
    return lambda table, seat, move: table.forges(life.Admitted(seat, move, cause))


def by_the_operator(table: Signing, seat: int, move: Any) -> None:
    table.forges(life.Admitted(seat, move, "move"), table.signed(seat, move, FORGERS))


def with_nothing(table: Signing, seat: int, move: Any) -> None:
    table.forges(life.Admitted(seat, move, "move"), MoveSigned(seat, in_text(table.match.game, move), "00" * 64))


def as_the_other(table: Signing, seat: int, move: Any) -> None:
    signed = table.signed(1, move, FORGERS)
    table.forges(life.Admitted(seat, move, "move"), signed)


FORGED: dict[str, Forge] = {
    "unsigned": unsigned("move"),
    "as a bot's": unsigned("bot"),
    "as a consequence": unsigned("auto"),
    "as the clock's": unsigned("timeout"),
    "signed by the operator": by_the_operator,
    "signed by nobody": with_nothing,
    "as the other seat's": as_the_other,
}


@pytest.mark.parametrize("how", first_of(FORGED))
def test_the_operator_cannot_move_for_a_seat_that_signs(node: str, how: str) -> None:  # noqa: F811 -- the fixture
    """Another play of the same deal is made with all secrets of the server; without the player's key, both refuse
    it."""
    table, rng, forged = a_table(), Random(2), 0
    while not table.match.over:
        (seat,) = life.to_act(table.match)
        move = rng.choice(table.match.game.legal(table.match.table, seat)).sample(rng)
        if seat != 0:
            table.does(seat, move)
            continue
        FORGED[how](table, seat, move)
        forged = forged or before(table) + 1
    mine, theirs = found(table.record(), node)
    assert (mine.verdict, theirs["verdict"]) == ("failed", "failed")
    assert ("moves", forged) in failing(mine)


def before(table: Signing) -> int:
    """Return the number of the last event before the last commit."""
    return table.rows[-1].first - 1


def test_events_after_a_signed_move_must_follow_from_it() -> None:
    """The events after a signed move must follow from that move by the rules, whatever the server writes."""
    table, rng = a_table(), Random(2)
    table.plays_on(rng, until=lambda m: 0 in life.to_act(m) and len(m.game.legal(m.table, 0)) > 0 and _choice(m))
    one, other = _choice(table.match)
    table.forges(life.Admitted(0, other, "move"), table.signed(0, one, ANNS))
    at = before(table) + 2
    table.plays_on(rng)
    assert ("rules", at) in failing(verified(table.record()))


def _choice(m: life.Match) -> list[Any]:
    """Return two moves that seat 0 may make, if it has two."""
    rng, table = Random(0), m.game
    made = {repr(move): move for c in table.legal(m.table, 0) for move in [c.sample(rng) for _ in range(20)]}
    return list(made.values())[:2] if len(made) > 1 else []


def test_key_replaced_by_the_operator_is_reported() -> None:
    """The record is valid and names another key: anyone who knows Ann's key sees that these are not her moves."""
    table = Signing("crazy_eights", chosen={"target_score": 1}, signing={0: FORGERS})
    table.plays_on(Random(1))
    report = verified(table.record())
    assert (report.verdict, [seat.key for seat in report.signed_seats]) == ("verified", [public(FORGERS)])


# --- What is altered in a record ----------------------------------------------------------------------------


def with_event(made: dict[str, Any], at: int, event: dict[str, Any]) -> dict[str, Any]:
    """Insert an event before the commit that begins at this position, and renumber all later events."""
    later = made["events"][at:]
    for e in later:
        e["seq"], e["commit"] = e["seq"] + 1, e["commit"] + 1
    made["events"][at:] = [{**event, "seq": at + 1, "commit": at + 1}, *later]
    made["match"]["version"] = len(made["events"])
    return relinked(made)


def test_seat_key_cannot_change_during_play(node: str) -> None:  # noqa: F811 -- the fixture
    made = played().record()
    at = next(i for i, e in enumerate(made["events"]) if e["type"] == "MoveSigned")
    taken = copy.deepcopy(next(e for e in made["events"] if e["type"] == "SeatTaken"))
    taken |= {"data": {**taken["data"], "player_key": public(FORGERS)}, "at": made["events"][at]["at"]}
    mine, _ = found(with_event(made, at, taken), node)
    assert ("moves", at + 1) in failing(mine)


def at_signed(made: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Return the first signed move, and its position."""
    return next((i, e) for i, e in enumerate(made["events"]) if e["type"] == "MoveSigned")


def opened(event: dict[str, Any]) -> Any:
    return event["disclosed"]


def another_move(made: dict[str, Any]) -> None:
    opened(at_signed(made)[1])["move"]["0"] = {"name": "pass_turn", "args": {}}


def another_signature(made: dict[str, Any]) -> None:
    signature = opened(at_signed(made)[1])["signature"]
    signature["0"] = signature["0"][:-1] + ("0" if signature["0"][-1] != "0" else "1")


def one_signature_twice(made: dict[str, Any]) -> None:
    one, other, *_ = [e for e in made["events"] if e["type"] == "MoveSigned"]
    other["disclosed"] = copy.deepcopy(one["disclosed"])


def no_text(made: dict[str, Any]) -> None:
    opened(at_signed(made)[1])["signature"]["0"] = 7


def no_key(made: dict[str, Any]) -> None:
    next(e for e in made["events"] if e["type"] == "SeatTaken")["data"]["player_key"] = None


def a_key_of_small_order(made: dict[str, Any]) -> None:
    next(e for e in made["events"] if e["type"] == "SeatTaken")["data"]["player_key"] = "00" * 32


def the_others_key(made: dict[str, Any]) -> None:
    next(e for e in made["events"] if e["type"] == "SeatTaken")["data"]["player_key"] = public(BENS)


def no_signed_move(made: dict[str, Any]) -> None:
    _, event = at_signed(made)
    event |= {"type": "CauseSealed", "data": {"seat": 0}}


def another_cause(made: dict[str, Any]) -> None:
    at_signed(made)[1]["cause"] = "auto"


def another_seat(made: dict[str, Any]) -> None:
    at_signed(made)[1]["data"]["seat"] = 1


def not_first(made: dict[str, Any]) -> None:
    at, _ = at_signed(made)
    events = made["events"]
    events[at], events[at + 1] = events[at + 1], events[at]
    for n in (at, at + 1):
        events[n]["seq"] = n + 1


ALTERED: dict[str, Callable[[dict[str, Any]], None]] = {
    alter.__name__: alter
    for alter in (
        another_move, another_signature, one_signature_twice, no_text, no_key, a_key_of_small_order, the_others_key,
        no_signed_move, another_cause, another_seat, not_first,
    )
}  # fmt: skip


@pytest.mark.parametrize("how", first_of(ALTERED))
def test_both_verifiers_find_altered_signed_moves(node: str, how: str) -> None:  # noqa: F811 -- the fixture
    """Every seal and digest is recomputed, as the writer of the log could."""
    made = played().record()
    ALTERED[how](made)
    mine, theirs = found(resealed(made), node)
    assert "moves" in dict(failing(mine))
    assert theirs["verdict"] == "failed"


def test_both_verifiers_accept_the_same_keys(node: str) -> None:  # noqa: F811 -- the fixture
    """About half of all random byte strings are a point; neither verifier accepts one of small order."""
    rng = Random(5)
    small = ["01" + "00" * 31, "ec" + "ff" * 30 + "7f", "00" * 32, "00" * 31 + "80"]
    small += ["26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"]
    keys = [rng.randbytes(32).hex() for _ in range(30)] + small
    made = a_table().record("1")
    with_keys = []
    for key in keys:
        twin = copy.deepcopy(made)
        next(e for e in twin["events"] if e["type"] == "SeatTaken")["data"]["player_key"] = key
        with_keys.append(relinked(twin))
    found = [report["checks"] for report in reports(node, [(one, ()) for one in with_keys])]
    theirs = ["The key of the seat is invalid." not in [check["detail"] for check in checks] for checks in found]
    assert theirs == [is_player_key(key) for key in keys]
    assert 5 < sum(theirs) < 25
    assert not any(theirs[-len(small) :])
