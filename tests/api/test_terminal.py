"""Tests a match in the terminal: its drawings, keys and log, and untrusted records."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from rich.cells import cell_len
from rich.console import Console
from rich.screen import Screen

from api.cli.main import main
from api.terminal.card_art import fan, hand_layouts
from api.terminal.fit import choose_fitting
from api.terminal.painter import Painted, table
from api.terminal.replay_player import Tape, first_reader
from api.terminal.screen import screen
from api.terminal.source import NotThere, split, text_of
from api.terminal.steps import TapePosition, advance_after_event, press
from api.terminal.tty import keys
from domain import match as life
from domain.core.scene import Scene, SeatShown, Spot, Zone, zone
from domain.games.bots import BOTS
from domain.poker.betting_moves import AllIn, Call, Fold
from events import proof
from events.proof import record
from tests.draws import draws, first_of
from tests.laws.games import LAWS
from tests.recorded import FINISHED, Recorded

NAMES = ["Anna", "Bert", "Cleo", "Dora", "Emil", "Fritz", "Gerda", "Hugo", "Ines", "Jan"]


def played(game, seats, until=lambda m: False, seed=1, **chosen):
    """Return a match whose seats make the clock's moves, or a bot's if those lead nowhere."""
    table, rng = Recorded(game, ("bot",) * seats, chosen, seed=seed), Random(seed)
    while not table.match.over and not until(table.match):
        m = table.match
        seat = life.to_act(m)[0]
        if game in ("gin_rummy", "fivewells"):
            table.does(seat, BOTS[game]("steady", m.table, seat, (), rng), "bot")
        elif game in ("trio", "five_card_draw", "holdem"):
            table.does(seat, rng.choice(m.game.legal(m.table, seat)).sample(rng), "bot")
        else:
            table.does(seat, m.game.timing.default(m.table, seat), "bot")
    return table


def tape_of(document):
    read = record.read_record(json.dumps(document).encode())
    return Tape(read, proof.verify_match(read.match.id, record.facts(read), record.claims(read)))


@pytest.fixture(scope="module")
def document():
    """Return the record of a whole match of Hearts for a spectator."""
    return played("hearts", 4, target_score=30).record()


@pytest.fixture(scope="module")
def tape(document):
    return tape_of(document)


# --- Pictures -------------------------------------------------------------------------------------------

CARDS_LIE: Mapping[str, Any] = {name: (game, *row) for game, law in LAWS.items() for name, row in law.PICTURES.items()}
"""The drawn tables: game, seats, options, moment and viewing seat."""


WIDE = ("hearts-trick", "gin-partners", "holdem-10", "trio-6")


@pytest.mark.parametrize(
    ("name", "size"), [*((name, (49, 20)) for name in CARDS_LIE), *((name, (83, 36)) for name in WIDE)]
)
def test_table_matches_its_reviewed_drawing(name, size):
    game, seats, chosen, until, seat = CARDS_LIE[name]
    tape = tape_of(played(game, seats, until, **chosen).record("spectators" if seat is None else str(seat)))
    wide = "" if size == (49, 20) else "-wide"
    drawn = drawn_table(tape, tape.last, seat, size)
    same_picture(drawn, f"{name}{wide}", OF_GAMES / game / "pictures")


def test_all_cards_are_drawn_once_they_are_disclosed(tape):
    same_picture(
        drawn_table(tape, tape.find("trick:2.2").version, None, (49, 20)),
        "hearts-all",
        OF_GAMES / "hearts" / "pictures",
    )


def drawn_table(tape, version, seat, size):
    """Return the part of a screen that shows the table, for 80×24 or 130×40."""
    m = tape.at("all" if seat is None else str(seat), version)
    return paint(m.game.scene(m.table, seat), *size)


def paint(scene, width=49, height=20):
    names = NAMES[: len(scene.seats)]
    return plain(table(Painted(scene, names, big=width >= 76), width, height), width, height)


def plain(drawn, width=80, height=24):
    """Return the text of a terminal of this size, without colours and trailing spaces."""
    text = "".join(segment.text for segment in segments(drawn, width, height))
    return "\n".join(line.rstrip() for line in text.split("\n"))


def segments(drawn, width=80, height=24):
    console = Console(width=width, height=height, color_system=None, file=StringIO())
    return list(console.render(Screen(drawn)))


OF_GAMES = Path(__file__).parents[1] / "games"


def same_picture(drawn, name, folder):
    assert drawn.rstrip("\n") == (folder / f"{name}.txt").read_text().rstrip("\n")


@pytest.mark.parametrize("game", first_of(FINISHED, 4))
def test_every_version_of_a_match_can_be_drawn_from_every_seat(game):
    tape = tape_of(FINISHED[game]().record())
    for reader in tape.readers:
        for version in {*range(1, tape.last, 1 + tape.last // draws(2)), tape.last}:
            assert "cannot be drawn" not in plain(screen(tape, TapePosition(version, reader, log=False), 80, 24))


def scene(*zones, seats=3, seat=None, **known):
    """Return a scene of an unknown game."""
    return Scene("playing", seat, tuple(SeatShown(i) for i in range(seats)), zones, **known)


def test_seat_line_shows_its_cards_and_action():
    bet = Zone("bet-1", "bet", "pile", 1, numbers=(("bet", 20),))
    chips = Zone("chips-1", "chips", "pile", 1, numbers=(("chips", 80),))
    shown = replace(
        scene(chips, bet),
        seats=(SeatShown(0, ("turn", "dealer", "small blind")), SeatShown(1, ("all in",)), SeatShown(2)),
    )
    drawn = paint(shown, 100)
    assert all(part in drawn for part in ("▶ Anna (D, SB)", "80 · bet 20 · all in"))


def test_pots_show_the_names_of_possible_winners():
    pots = [
        Zone(f"pot-{i}", "pot", "pile", numbers=((f"side {i}", 9 + i),), note=note)
        for i, note in enumerate(["", "seats 0 and 2"])
    ]
    drawn = paint(scene(*pots, numbers=(("level", 3),), notes=("Seat 1 is out.",)))
    assert all(part in drawn for part in ("side 0 9", "side 1 10: Anna and Cleo", "level 3 · Bert is out"))


@pytest.mark.parametrize(
    ("width", "height", "board"),
    [(60, 20, "│4♣││A♠││J♦││2♥││  │"), (26, 20, "│4♣│A♠│J♦│2♥│"), (49, 4, "4♣ A♠ J♦ 2♥")],
)
def test_row_is_shortened_to_the_available_width(width, height, board):
    spots = (*(Spot(card) for card in ("4C", "AS", "JD", "2H")), Spot(empty=True))
    assert board in paint(scene(Zone("board", "board", "row", None, spots, 4)), width, height)


def test_seats_without_room_are_cut_off_and_not_overwritten():
    hands = [zone("hand", "fan", (-1, -1), seat) for seat in range(7)]
    drawn = paint(scene(*hands, seats=7), 40, 11).splitlines()
    assert [line[:5].rstrip() for line in drawn[:6:2]] == ["Dora", "Cleo", "Bert"]


def test_game_with_other_cards_is_drawn_by_layout():
    zones = [
        Zone("battlefield-0", "battlefield", "row", 0, (Spot("Wolf"), Spot("Oak", marks=("tapped",))), 2),
        Zone("stack", "stack", "pile", None, (Spot("Fireball"),), 1),
        Zone("graveyard-1", "graveyard", "pile", 1, (Spot("Bear"), Spot("Elf")), 2),
        Zone("maze", "maze", "grid", None, (Spot("1"), Spot(), Spot(empty=True)), 2, columns=2),
        zone("hand", "fan", (7, 12), 0, face=lambda card: Spot(str(card))),
    ]
    drawn = paint(scene(*zones, seats=2, seat=0), 60, 24)
    assert all(part in drawn for part in ("Anna: battlefield", "│Wolf│ │Oak│", "stack Fireball", "graveyard 2"))
    assert all(part in drawn for part in ("│ 1││▒▒│", "│ 7│12│"))


@pytest.mark.parametrize("size", [(80, 24), (140, 50), (100, 30), (40, 12), (7, 2), (300, 90)])
@pytest.mark.parametrize("signs", [True, False])
def test_screen_fits_its_size_and_character_set(tape, size, signs):
    for place in (
        TapePosition(40, "2"),
        TapePosition(tape.last, "all", log=False),
        TapePosition(1, "0", help=True),
    ):
        text = "".join(x.text for x in segments(screen(tape, place, *size, signs=signs), *size))
        assert [cell_len(row) for row in text.split("\n")] == [size[0]] * size[1]
        assert signs or text.isascii()


def test_screen_shows_the_position_in_the_replay(tape):
    version = tape.find("trick:2.7").version
    drawn = plain(screen(tape, TapePosition(version, "1"), 80, 24)).splitlines()
    assert drawn[0].startswith(" Hearts: target score 30")
    assert drawn[0].endswith("– unverifiable, unsigned")
    assert f"event {version}/{tape.last} · seen by Bot 1 · hand 2 · trick 7 · playing, waiting for " in drawn[1]
    assert [line for line in drawn if line[50:].strip().startswith(f"{version} ")]
    assert "q quit" in drawn[-1]


def test_red_suits_are_red_and_the_current_event_is_highlighted(tape):
    drawn = [(x.text, str(x.style)) for x in segments(screen(tape, TapePosition(60, "all"), 80, 24)) if x.style]
    reds = {letter for text, style in drawn if "red" in style.split() for letter in text}
    assert reds & set("♥♦")
    assert not reds & set("♣♠")
    assert [text for text, style in drawn if style == "reverse" and text.lstrip().startswith("60 ")]


@pytest.mark.parametrize(
    ("cards", "width", "height", "drawn"),
    [
        (["QS", "2C"], 20, 3, "╭──╭──╮\n│Q♠│2♣│\n╰──╰──╯"),
        ([None] * 3, 20, 3, "╭╭╭──╮\n│││▒▒│\n╰╰╰──╯"),
        ([None] * 30, 10, 3, "╭──╮\n│▒▒│ ×30\n╰──╯"),
        ([None] * 3, 10, 1, "▒▒ ×3"),
        (["KH", None, None], 20, 3, "╭──╮ ╭╭──╮\n│K♥│ ││▒▒│\n╰──╯ ╰╰──╯"),
        (["AS", "QS", "3H", "2H", "4C", "5D"], 12, 4, "♠ A Q\n♥ 3 2\n♣ 4\n♦ 5"),
        (["AS", "QS", "3H", "2H", "4C", "5D"], 12, 2, "A♠ Q♠ 3♥ 2♥\n4♣ 5♦"),
        (["1", "7", "12"], 20, 3, "╭──╭──╭──╮\n│ 1│ 7│12│\n╰──╰──╰──╯"),
        ([], 20, 3, ""),
    ],
)
def test_hand_is_shortened_to_the_available_width(cards, width, height, drawn):
    known = tuple(Spot(card) for card in cards if card)
    ways = hand_layouts(Zone("hand", "hand", "fan", 0, known, len(cards)), big=False)
    (chosen,) = choose_fitting([[way] for way in ways], width, height)
    assert plain(chosen, width, height).rstrip("\n") == drawn


def test_melds_are_drawn_apart():
    melded = [Spot(card, marks=("meld 1",)) for card in ("7C", "7D")]
    assert "│7♣│7♦│ │2♠│" in plain(fan([*melded, Spot("2S")]))


# --- Keys -----------------------------------------------------------------------------------------------


def after(tape, place, *pressed):
    for key in pressed:
        place = press(place, key, tape)
    return place


def test_arrow_keys_step_through_events(tape):
    start = TapePosition(10, "0")
    assert after(tape, start, "right", " ", "n").version == 13
    assert after(tape, start, "left", "p").version == 8
    assert after(tape, start, "home", "left").version == 1
    assert after(tape, start, "end", "right", "down").version == tape.last
    assert after(tape, start, "pgdn").version == 30


def test_replay_keys_step_move_by_move(tape, document):
    commits = [e["commit"] for e in document["events"]]
    place = TapePosition(1, "0")
    while place.version < tape.last:
        place = after(tape, place, "down")
        assert place.version == tape.last or commits[place.version] == place.version + 1
    assert after(tape, place, "up", "down").version == tape.last


def test_keys_jump_to_hands_and_tricks(tape):
    first, second = tape.find("hand:1").version, tape.find("hand:2").version
    assert after(tape, TapePosition(1, "0"), "h").version == first
    assert after(tape, TapePosition(1, "0"), "h", "h").version == second
    assert after(tape, TapePosition(second, "0"), "H").version == first
    assert after(tape, TapePosition(second, "0"), "t").version == tape.find("trick:2.1").version
    assert after(tape, TapePosition(second, "0"), "T").version == tape.find("trick:1.13").version
    assert after(tape, TapePosition(1, "0"), "H") == TapePosition(1, "0", said="There is no hand before this one.")


def test_hand_and_trick_bookmarks_lead_to_their_versions(tape):
    m = tape.at("0", tape.find("hand:2").version)
    assert (m.hand_no, m.table.phase, len(m.table.tricks)) == (2, "passing", 0)
    m = tape.at("0", tape.find("trick:2.7").version)
    assert (m.hand_no, len(m.table.tricks), m.table.trick) == (2, 6, ())


def test_keys_open_the_jump_prompt(tape):
    assert after(tape, TapePosition(1, "0"), "g", *"57", "enter").version == 57
    there = after(tape, TapePosition(1, "0"), "g", *"hand:33", "backspace", "backspace", "2", "enter")
    assert there.version == tape.find("hand:2").version
    assert after(tape, TapePosition(5, "0"), "g", *"q9", "esc") == TapePosition(5, "0")
    assert after(tape, TapePosition(5, "0"), "g", "enter") == TapePosition(5, "0")
    missed = after(tape, TapePosition(5, "0"), "g", *"hand:99", "enter")
    assert (missed.version, missed.said[:25]) == (5, "There is no hand:99; they")


@pytest.mark.parametrize(
    "at", ["0", "99999", "99999999999999", "x", "hand:", "hand:0", "trick:1", "trick:1.14", "-1", "¹"]
)
def test_unknown_bookmarks_are_refused(tape, at):
    with pytest.raises(ValueError, match=r"no|is"):
        tape.find(at)


def test_keys_change_the_viewing_seat(tape):
    assert [after(tape, TapePosition(1, "0"), key).reader for key in ("3", "s", "a")] == [
        "3",
        "spectators",
        "all",
    ]
    assert after(tape, TapePosition(1, "0"), "7") == TapePosition(1, "0", said="The seats are 0 to 3.")


def test_automatic_replay_runs_until_stopped_or_finished(tape):
    runs = after(tape, TapePosition(tape.last - 1, "0"), "r")
    assert runs.seconds == 0.5
    assert after(tape, runs, "+").seconds == 0.25
    assert after(tape, runs, "-").seconds == 1
    assert advance_after_event(advance_after_event(runs, tape), tape) == TapePosition(tape.last, "0")
    assert not after(tape, runs, "left").running
    assert after(tape, TapePosition(tape.last, "0"), "r").version == 1


def test_other_keys_do_nothing(tape):
    assert not after(tape, TapePosition(1, "0"), "l").log
    assert after(tape, TapePosition(1, "0"), "?").help
    assert after(tape, TapePosition(1, "0"), "?", "right") == TapePosition(1, "0")
    assert after(tape, TapePosition(1, "0"), "z", "enter", "up") == TapePosition(1, "0")
    assert after(tape, TapePosition(1, "0"), "q").over
    assert after(tape, TapePosition(1, "0"), "ctrl-c").over


def test_terminal_key_sequences_are_decoded():
    sent = "\x1b[C\x1bOA\x1b[1~\x1b[6~\x1b[1;5Cn\r\x7f\x1b\x03é"
    assert list(keys(sent)) == [
        "right",
        "up",
        "home",
        "pgdn",
        "n",
        "enter",
        "backspace",
        "esc",
        "ctrl-c",
        "é",
    ]
    assert list(keys("\x1b[")) == []


# --- The tape -------------------------------------------------------------------------------------------


def test_every_version_looks_the_same_forwards_and_backwards(tape, document):
    read = record.read_record(json.dumps(document).encode())
    for reader in ("0", "spectators", "all"):
        for version in (tape.last, 200, 129, 128, 127, 65, 64, 63, 1):
            assert tape.at(reader, version) == record.match_at(read, reader, version)


def test_seat_of_a_running_match_sees_only_its_own_cards():
    own = tape_of(played("hearts", 4, lambda m: m.table.phase == "playing").record("1"))
    assert first_reader(own) == "1"
    for reader in own.readers:
        m = own.at(reader, own.last)
        hands = m.game.view(m.table, int(reader) if reader.isdecimal() else None)["hands"]
        assert [i for i, hand in enumerate(hands) if hand] == ([1] if reader in ("1", "all") else [])
        printed = "\n".join(own.text(reader, v) for v in range(1, own.last + 1))
        assert bool(re.search(r"Bot 1 got [2-9TJQKA][CDHS]", printed)) == (reader in ("1", "all"))


def test_unverified_parts_are_named():
    running = tape_of(played("hearts", 4, lambda m: m.table.phase == "playing").record("1"))
    assert running.verdict() == ("unverifiable", "unverifiable, unsigned; not checked: shuffles, rules")


def test_spectators_see_all_cards_once_they_are_disclosed(tape):
    assert first_reader(tape) == "all"
    assert first_reader(tape_of(played("hearts", 4, lambda m: m.table.phase == "playing").record())) == "spectators"


def test_names_are_distinct_and_contain_no_terminal_commands(document):
    names = ["Ann", "Ann", "\x1b[2J\u202eevil", " "]
    seats = [
        {**seat, "player": {"id": f"p{i}", "name": name}}
        for i, (seat, name) in enumerate(zip(document["match"]["seats"], names, strict=True))
    ]
    tape = tape_of(document | {"match": document["match"] | {"seats": seats}})
    assert tape.names == ["Ann (0)", "Ann (1)", "\ufffd[2J\ufffdevil", "Bot 3"]
    drawn = plain(screen(tape, TapePosition(60, "0"), 80, 24))
    assert "\x1b" not in drawn
    assert "\u202e" not in drawn


# --- Records that are not to be trusted -----------------------------------------------------------------


def forged(document, change):
    copy = json.loads(json.dumps(document))
    change(copy["events"])
    return copy


FORGERIES = {
    "another card": lambda e: next(x for x in e if x["type"] == "CardPlayed")["data"].update(card="QS"),
    "no card": lambda e: next(x for x in e if x["type"] == "CardPlayed")["data"].update(card="??!"),
    "a seat that is not there": lambda e: next(x for x in e if x["type"] == "CardPlayed")["data"].update(seat=77),
    "a field less": lambda e: next(x for x in e if x["type"] == "TrickTaken")["data"].pop("winner"),
    "an event less": lambda e: e.pop(20),
    "wrong types": lambda e: [x["data"].update({name: [{"a": "\x1b[31m"}] for name in x["data"]}) for x in e[4:]],
    "an unknown event": lambda e: e[30].update(type="\x1b]0;Title\x07"),
    "times that are none": lambda e: [x.update(at="\x1b[5m") for x in e],
}


@pytest.mark.parametrize("how", first_of(FORGERIES))
def test_forged_record_is_shown_up_to_its_fault_and_reported(document, how, tmp_path):
    false = forged(document, FORGERIES[how])
    tape = tape_of(false)
    assert tape.verdict()[0] == "failed"
    for version in range(1, tape.last + 1, 30):
        for reader in ("0", "all"):
            drawn = plain(screen(tape, TapePosition(version, reader), 80, 24))
            assert "\x1b" not in drawn
            assert "✗ NOT VERIFIED" in drawn
    screen(tape, TapePosition(1, "0", help=True), 80, 24)
    (tmp_path / "record.json").write_text(json.dumps(false))
    printed = dealt("replay", str(tmp_path / "record.json"))
    assert (printed.exit_code, "NOT VERIFIED" in printed.output, "\x1b" in printed.output) == (0, True, False)


def test_scene_of_a_forged_record_contains_no_terminal_commands():
    document = json.loads(json.dumps(FINISHED["holdem"]().record()))
    opened = next(event for event in document["events"] if event["type"] == "BettingOpened")
    opened["data"]["round"] = "preflop\x1b]0;pwn\x07\u202e"
    drawn = plain(screen(tape_of(document), TapePosition(opened["seq"], "all"), 130, 40))
    assert "pwn" in drawn
    assert not {"\x1b", "\x07", "\u202e"} & set(drawn)


def dealt(*args, **kwargs):
    return CliRunner().invoke(main, args, **kwargs)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "This is not a record"),
        ("{}", "This is not a record"),
        ('{"fairness":' * 100_000, "nested too deeply"),
        ('{"format": "dealt-record/1", "match": {"id": "\x1b[2J', "This is not a record"),
    ],
)
def test_invalid_record_is_reported_in_a_sentence(text, why):
    refused = dealt("replay", "-", input=text)
    assert refused.exit_code == 1
    assert refused.output.startswith("Error: ")
    assert why in refused.output
    assert "\x1b" not in refused.output


def test_unknown_game_is_reported_in_a_sentence(document):
    other = document | {"match": document["match"] | {"game": "snap"}}
    refused = dealt("replay", "-", input=json.dumps(other))
    assert (refused.exit_code, "The game snap is not installed here." in refused.output) == (1, True)


# --- The log in a pipe ----------------------------------------------------------------------------------


def test_piped_output_is_the_log(document):
    printed = dealt("replay", "-", "--seat", "0", input=json.dumps(document))
    assert printed.exit_code == 0
    lines = printed.output.splitlines()
    assert lines[0] == f"Hearts, match m-1, finished: {len(document['events'])} events, unverifiable, unsigned"
    assert lines[2] == "Seats: 0 Bot 0, 1 Bot 1, 2 Bot 2, 3 Bot 3"
    assert lines[lines.index("Hand 2") - 1] == ""
    assert [line for line in lines if line[:3].strip().isdecimal()][-1].startswith(f"{len(document['events'])}  ")
    assert "Bot 1 passed hidden cards." in printed.output
    assert "Bot 1 passed hidden cards." not in dealt("replay", "-", "--seat", "all", input=json.dumps(document)).output


def test_poker_log_tells_the_hand_in_order():
    table = Recorded("holdem", ("me", "bot", "bot"), {"hands": 1, "starting_stack": 40}, seed=2)
    button = table.match.table.at.button
    first, small, big = ((button + i) % 3 for i in range(3))
    for seat, move in ((first, AllIn()), (small, Fold()), (big, Call())):
        table.does(seat, move, "move" if seat == 0 else "bot")
    printed = dealt("replay", "-", "--from", "hand:1", input=json.dumps(table.record())).output
    names = tape_of(table.record()).names
    lines = [line[14:] for line in printed.splitlines() if re.match(r"\d+  \d\d:", line.strip())]
    assert lines[0].startswith(f"Hand 1: button at {names[button]}; stacks ")
    played_out = [
        f"{names[small]} posted the small blind of 1.", f"{names[big]} posted the big blind of 2.",
        f"{names[first]} raised to 40, all in.", f"{names[small]} folded.", f"{names[big]} called 38, all in.",
        "The betting round ended; 81 in the middle.",
    ]  # fmt: skip
    assert [line for line in lines if line in played_out] == played_out
    assert sum(line.startswith(("The flop: ", "The turn: ", "The river: ")) for line in lines) == 3
    assert sum(" showed " in line for line in lines) == 2
    assert any(line.startswith("Main pot: ") and " won " in line for line in lines)


def test_log_can_be_limited_by_bookmarks(document, tape):
    printed = dealt("replay", "-", "--from", "trick:2.7", "--to", "hand:2", input=json.dumps(document)).output
    numbers = [int(number) for number in re.findall(r"^ *(\d+)  \d\d:\d\d:\d\d  ", printed, re.MULTILINE)]
    first = tape.find("trick:2.7").version + 1
    last = tape.find("hand:3").first - 1
    assert numbers == list(range(first, last + 1))


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (["--seat", "4"], "one of 0, 1, 2, 3, spectators, all"),
        (["--from", "hand:99"], "they are hand:1 to hand:"),
        (["--to", "tomorrow"], "is not a position"),
        (["--from", "5", "--to", "2"], "2 is before 5"),
        (["--from", "hand:2", "--to", "trick:1.3"], "trick:1.3 is before hand:2"),
    ],
)
def test_impossible_requests_are_refused(document, args, why):
    refused = dealt("replay", "-", *args, input=json.dumps(document))
    assert refused.exit_code == 2
    assert why in refused.output


# --- Where records come from ----------------------------------------------------------------------------

ID = "0123456789abcdefghjk"


def test_match_addresses_are_recognised():
    for tail in ("", "/", "/record", "/record?seat=1"):
        assert split(f"https://cards.example/at/v1/matches/{ID}{tail}") == ("https://cards.example/at", ID)


@pytest.mark.parametrize(
    ("name", "server", "why"),
    [
        ("nowhere.json", "http://127.0.0.1:1", "no file nowhere.json"),
        ("/", "http://127.0.0.1:1", "/ cannot be read: Is a directory."),
        ("a\0b", "http://127.0.0.1:1", "cannot be read"),
        (ID, "http://127.0.0.1:1", "cannot be reached: Connection refused."),
        (ID, "ftp://there", "not the address of a server"),
        (ID, "http://[bad", "cannot be reached"),
        (ID, "http://there:no", "cannot be reached"),
        ("http://127.0.0.1:1/matches", "", "not the address of a match"),
    ],
)
def test_missing_record_is_reported_in_a_sentence(name, server, why):
    with pytest.raises(NotThere) as nothing:
        text_of(name, server, None)
    assert why in str(nothing.value)


def test_record_of_other_rules_names_their_version(document):
    older = json.loads(json.dumps(document))
    older["match"]["rules"] = "0"
    older["events"][-1] |= {"type": "MoveTakenBack", "v": 1, "data": {"seat": 0, "deadlines": []}}
    with pytest.raises(record.Unreadable, match="played by version 0 of the rules"):
        tape_of(older).at("spectators", len(older["events"]))
