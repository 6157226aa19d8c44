"""Tests poker hands in the PHH format over HTTP, and their import by the command."""

import json
import tomllib
import warnings

import pytest
from click.testing import CliRunner
from pokerkit import HandHistory

from api.cli.main import main
from events.ids import new_id
from events.store.tables import stream_rows
from tests.api.client import Table, code
from tests.proof.test_second_verifier import agree, node
from tests.tampered import verified

__all__ = ["node"]

TOML = "application/toml"


def taken(client, table, query="", **headers):
    return client.get(f"{table.path}/record?format=phh{query}", headers=headers)


@pytest.fixture
def duel(ada, ben):
    """Return a match of hold'em in which Ada and Ben have played a hand that the button folded."""

    def made(**chosen):
        seats, options = [{"kind": "me"}, {"kind": "open"}], {"hands": 2, **chosen.pop("options", {})}
        table = ada.creates(game="holdem", seats=seats, options=options, **chosen)
        assert ben.put(f"{table.path}/seats/1").status_code == 200
        button = ada.sees(table)["to_act"][0]
        assert (ada, ben)[button].plays(table, {"name": "fold", "args": {}}).status_code == 200
        return table

    return made


def dealt(got):
    """Return each seat's cards as shown in the answer."""
    hand = tomllib.loads(got.text)["1"]
    return {seat - 1: line.split()[-1].upper() for seat, line in zip(hand["seats"], hand["actions"], strict=False)}


def test_exported_hands_have_the_toml_media_type_and_a_file_name(ada, duel):
    table = duel()
    for accept in ("*/*", TOML, f"application/json, {TOML};q=0.1"):
        got = taken(ada, table, Accept=accept)
        assert (got.status_code, got.mimetype) == (200, TOML)
        assert got.headers["Content-Disposition"] == f'attachment; filename="holdem-{table["id"]}.phhs"'
    assert code(taken(ada, table, Accept="application/json")) == (406, "not_acceptable")
    assert code(ada.get(f"{table.path}/record", headers={"Accept": TOML})) == (406, "not_acceptable")
    one = taken(ada, table, "&hand=1")
    assert one.headers["Content-Disposition"] == f'attachment; filename="holdem-{table["id"]}-1.phh"'
    assert tomllib.loads(one.text) == tomllib.loads(taken(ada, table).text)["1"]


def test_exported_hands_are_readable_by_another_library(ada, duel):
    (hand,) = HandHistory.loads_all(taken(ada, duel()).text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        *_, end = hand
    assert list(end.stacks) == hand.finishing_stacks == [201, 199]
    assert sorted(hand.players) == ["Ada", "Ben"]
    assert hand.table


def test_exported_hands_show_only_the_cards_that_the_reader_saw(ada, ben, stranger, duel):
    table = duel()
    for client, seat in ((ada, 0), (ben, 1)):
        line = dealt(taken(client, table))
        assert line[1 - seat] == "????"
        assert "?" not in line[seat]
    assert set(dealt(taken(stranger, table)).values()) == {"????"}
    assert list(tomllib.loads(taken(ada, table).text)) == ["1"]  # the second is on


@pytest.mark.parametrize("reveal", ["match_end", "never"])
def test_exported_hands_show_disclosed_cards_after_the_match(ada, stranger, duel, reveal):
    table = duel(options={"hands": 1, "fairness_reveal": reveal})
    assert ada.sees(table)["status"] == "finished"
    line = set(dealt(taken(stranger, table)).values())
    assert ("????" in line) == (reveal == "never")
    assert (dealt(taken(ada, table)) == dealt(taken(stranger, table))) == (reveal != "never")


def test_unreadable_match_is_not_found(ada, stranger):
    table = ada.creates(game="holdem", seats=[{"kind": "me"}] * 2, private=True)
    assert taken(ada, table).status_code == 200
    assert code(taken(stranger, table)) == (404, "not_found")


def test_export_etag_is_the_match_version(ada, duel):
    table = duel()
    got = taken(ada, table)
    assert taken(ada, table, **{"If-None-Match": got.headers["ETag"]}).status_code == 304


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("format=pgn", "format"),
        ("format=", "format"),
        ("format=phh&hand=2", "hand"),
        ("format=phh&hand=0", "hand"),
        ("format=phh&hand=x", "hand"),
        ("hand=1", "hand"),
        ("format=record&hand=1", "hand"),
        ("format=phh&format=phh", "format"),
    ],
)
def test_unavailable_format_is_refused(ada, duel, query, field):
    refused = ada.get(f"{duel().path}/record?{query}")
    assert code(refused) == (422, "bad_arguments")
    assert list(refused.json["errors"]) == [field]


def test_phh_export_is_refused_for_other_games(ada):
    refused = taken(ada, ada.creates())
    assert code(refused) == (422, "bad_arguments")
    assert refused.json["errors"] == {"format": ["Only poker hands are available in PHH."]}


def test_phh_export_of_another_seat_is_refused(ada, duel):
    table = duel()
    assert code(taken(ada, table, "&seat=1")) == (403, "not_seated")
    assert taken(ada, table, "&seat=0").text == taken(ada, table).text


def test_record_without_a_format_is_unchanged(ada, duel):
    table = duel()
    plain = ada.get(f"{table.path}/record")
    assert plain.data == ada.get(f"{table.path}/record?format=record").data
    assert plain.json["format"] == "dealt-record/1"


# --- Import -------------------------------------------------------------------------------------------------

FOLDED = """\
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [110, 420, 90]
actions = [
  "d dh p1 7h6h",
  "d dh p2 As??",
  "d dh p3 ????",
  "p3 cbr 6",
  "p1 f",
  "p2 cc # after long thought",
  "d db 2s3c8h",
  "p2 cc",
  "p3 cbr 20",
  "p2 f",
]
players = ["Phil", "", "Doyle"]
finishing_stacks = [109, 414, 97]
year = 2024
month = 2
day = 29
"""
SHOWN = """\
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 250]
actions = [
  "d dh p1 ????",
  "d dh p2 KcKd",
  "p2 cbr 250",
  "p1 cc",
  "p1 sm AcAd",
  "p2 sm -",
  "d db 2s3c8h",
  "d db Js",
  "d db 9d",
]
"""


@pytest.fixture
def imports(store, tmp_path, monkeypatch):
    """Import documents with the command; return its output, one line of JSON each, and its exit code."""
    monkeypatch.setattr("api.http.log_setup.set_up_logging", lambda *_: None)
    monkeypatch.setenv("DATABASE_URL", store.engine.url.render_as_string(hide_password=False))

    def made(text, *options, name="hands.phh"):
        path = tmp_path / name
        path.write_text(text)
        done = CliRunner().invoke(main, ["import", "--json", *options, str(path)])
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return [json.loads(line) for line in done.output.splitlines()], done.exit_code

    return made


@pytest.fixture
def one(imports):
    """Import a new hand, made unique by its `event`; return its match."""

    def made(text):
        (line,), code_ = imports(f'{text}event = "{new_id()}"\n')
        assert (code_, line["imported"]) == (0, True), line
        return Table(id=line["match_id"], **line)

    return made


def test_imported_hand_becomes_a_finished_match_marked_as_imported(one, stranger):
    table = one(FOLDED)
    shown = stranger.sees(table)
    assert (shown["status"], shown["imported"], shown["visibility"], shown["rules"]) == (
        "finished",
        True,
        "public",
        "phh",
    )
    assert shown["created_at"] == "2024-02-29T12:00:00.000Z"
    assert [seat["player"]["name"] for seat in shown["seats"]] == ["Phil", None, "Doyle"]
    assert shown["result"]["scores"] == [-1, -6, 7]
    assert shown["table"]["stacks"] == [109, 414, 97]
    assert shown["fairness"]["provable"] is False
    assert "dealt on another server" in shown["fairness"]["note"]
    listed = stranger.get("/v1/matches?game=holdem&limit=100").json["items"]
    assert next(m["imported"] for m in listed if m["id"] == table["id"])


def test_every_version_of_an_imported_hand_can_be_replayed_from_every_seat(one, stranger):
    table = one(FOLDED)
    events = stranger.events(table, "?limit=100")
    kinds = [event["type"] for event in events]
    flop = 1 + kinds.index("BoardDealt")
    seen = stranger.get(f"{table.path}/replay?version={flop}&seat=all").json["table"]
    assert (seen["board"], seen["stacks"], seen["pot"]) == (["2S", "3C", "8H"], [109, 414, 84], 13)
    assert seen["hands"] == [["6H", "7H"], None, None]
    mine = stranger.get(f"{table.path}/replay?version={flop}&seat=0").json["table"]
    assert mine["hand"] == ["6H", "7H"]
    for version in range(1, len(events) + 1):
        assert stranger.get(f"{table.path}/replay?version={version}").status_code == 200


def test_shown_hands_determine_the_winner(one, stranger):
    table = one(SHOWN)
    shown = stranger.sees(table)
    assert shown["table"]["stacks"] == [200, 150]
    events = stranger.events(table, "?limit=100")
    assert [e["data"]["category"] for e in events if e["type"] == "PotAwarded"] == ["one_pair"]
    assert next(e for e in events if e["type"] == "BetReturned")["data"]["amount"] == 150


def test_record_of_imported_hands_skips_shuffles_and_rules(one, stranger):
    record = stranger.get(f"{one(FOLDED).path}/record").json
    report = verified(record)
    assert report.verdict == "unverifiable"
    assert {check.name for check in report.checks if check.skipped} == {"shuffles", "rules"}
    assert "dealt on another server" in next(c.detail for c in report.checks if c.name == "shuffles")


def test_audit_of_an_imported_hand_passes_and_skips_its_deals(one, stranger):
    audit = stranger.get(f"{one(SHOWN).path}/audit").json
    assert (audit["verdict"], audit["ok"]) == ("unverifiable", False), audit


@pytest.mark.parametrize("text", [FOLDED, SHOWN])
def test_imported_hands_can_be_exported_again(one, stranger, text):
    (hand,) = tomllib.loads(taken(stranger, one(text)).text).values()
    first = tomllib.loads(text)
    same = ("variant", "antes", "blinds_or_straddles", "min_bet", "starting_stacks")
    assert {name: hand[name] for name in same} == {name: first[name] for name in same}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        *_, end = HandHistory.loads(text)
    assert hand["finishing_stacks"] == end.stacks


def test_imported_hand_has_a_winner_like_a_match_played_here(one, stranger):
    table = one(FOLDED)
    assert stranger.sees(table)["result"]["wins"] == [0, 0, 1]
    kinds = [event["type"] for event in stranger.events(table, "?limit=100")]
    assert kinds[-3:] == ["GameEnded", "GameWon", "MatchEnded"]


def summed(line):
    """Return the counts of a summary that are not zero."""
    return {status: count for status, count in line["summary"].items() if count}


def test_each_hand_of_a_document_becomes_a_match(imports, stranger):
    text = f'[1]\n{FOLDED}event = "{new_id()}"\n[2]\n{SHOWN}event = "{new_id()}"\n'
    (*hands, summary), code_ = imports(text, "--unlisted", name="HANDS.PHHS")
    assert (code_, [(hand["hand"], hand["status"]) for hand in hands]) == (0, [("1", "imported"), ("2", "imported")])
    assert summed(summary) == {"imported": 2}
    assert "Noon is used" in hands[0]["assumed"][0]
    for hand in hands:
        assert stranger.sees(Table(id=hand["match_id"]))["visibility"] == "unlisted"
    (*again, summary), code_ = imports(text)
    assert (code_, summed(summary)) == (1, {"duplicate": 2})
    assert again[0]["detail"] == "A match with this id already exists here."


def test_refused_hand_does_not_prevent_importing_the_others(imports, stranger):
    good = f'{FOLDED}event = "{new_id()}"\n'
    hands = {
        "good": good,
        "again": good,
        "omaha": good.replace('"NT"', '"PO"'),
        "toml": good.replace("min_bet = 2", "min_bet ="),
        "much": SHOWN.replace("p2 cbr 250", "p2 cbr 251"),
        "last": f'{SHOWN}event = "{new_id()}"\n',
    }
    text = "".join(f"[{name}]\n{hand}" for name, hand in hands.items())
    (*lines, summary), code_ = imports(text, name="a.phhs")
    assert code_ == 1
    assert [(line["hand"], line["status"]) for line in lines] == [
        ("good", "imported"),
        ("again", "duplicate"),
        ("omaha", "unsupported"),
        ("toml", "malformed"),
        ("much", "malformed"),
        ("last", "imported"),
    ]
    assert summed(summary) == {"imported": 2, "duplicate": 1, "unsupported": 1, "malformed": 2}
    at = 1 + next(n for n, line in enumerate(text.splitlines()) if "251" in line)
    assert lines[4]["detail"] == f"line {at}: 'p2 cbr 251': The rules refuse it: not_enough_chips."


def test_hand_imported_concurrently_is_reported_as_a_duplicate(imports, monkeypatch):
    text = f'{FOLDED}event = "{new_id()}"\n'
    imports(text)
    monkeypatch.setattr(stream_rows, "head", lambda store, match_id: None)
    (line,), code_ = imports(text)
    assert (code_, line["status"], line["detail"]) == (1, "duplicate", "A match with this id already exists here.")


def test_amounts_in_a_unit_are_imported_as_chips(imports, stranger):
    text = FOLDED.replace("[110, 420, 90]", "[1.10, 4.2, 0.90]").replace("[1, 2, 0]", "[0.01, 0.02, 0.00]")
    text = text.replace("min_bet = 2", "min_bet = 0.02").replace("cbr 6", "cbr 0.06").replace("cbr 20", "cbr 0.20")
    text = text.replace("[109, 414, 97]", "[1.09, 4.14, 0.97]") + f'event = "{new_id()}"\n'
    (refused,), code_ = imports(text)
    assert (code_, refused["status"]) == (1, "unsupported")
    assert "`--unit 0.01`, in the API `?unit=0.01`, fits this document" in refused["detail"]
    (line,), code_ = imports(text, "--unit", "0.01")
    assert (code_, stranger.sees(Table(id=line["match_id"]))["table"]["stacks"]) == (0, [109, 414, 97])
    assert imports(text, "--unit", "0.001")[0][0]["status"] == "duplicate"  # it is the same hand


def test_import_reports_a_hand_dated_in_the_future(imports):
    (line,), code_ = imports(f'{FOLDED}event = "{new_id()}"\n'.replace("year = 2024", "year = 2992"))
    assert (code_, "in the future. The time of the import is used." in line["assumed"][-1]) == (0, True)


def test_document_that_is_not_toml_is_a_bad_request(imports):
    (line,), code_ = imports("no = [toml")
    assert (code_, line["status"], line["imported"]) == (1, "malformed", False)


def test_import_command_reports_the_result_of_each_hand(store, tmp_path, monkeypatch):
    monkeypatch.setattr("api.http.log_setup.set_up_logging", lambda *_: None)
    monkeypatch.setenv("DATABASE_URL", store.engine.url.render_as_string(hide_password=False))
    path = tmp_path / "two.phhs"
    path.write_text(f'[1]\n{FOLDED}event = "{new_id()}"\n[2]\n{FOLDED.replace("NT", "PO")}')
    done = CliRunner().invoke(main, ["import", str(path)])
    assert "two.phhs, hand 1: imported holdem" in done.stdout
    assert "Noon is used" in done.stdout
    assert "two.phhs: 1 imported, 0 duplicate, 1 unsupported, 0 malformed." in done.stdout
    assert "two.phhs, hand 2: not imported (unsupported): The variant 'PO' is not supported." in done.stderr
    refused = CliRunner().invoke(main, ["import", "--unit", "nothing", str(path)])
    assert (refused.exit_code, "A unit must be a number above 0" in refused.stderr) == (2, True)


def test_second_verifier_agrees_about_an_imported_hand(one, stranger, node):
    made = [stranger.get(f"{one(text).path}/record").json for text in (FOLDED, SHOWN)]
    agree(node, [(record["match"]["id"], record, []) for record in made])
