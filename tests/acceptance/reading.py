"""Reads a worked example in any of its notations, and sends its commands to a game."""

from dataclasses import fields
from typing import Literal, get_args, get_origin, get_type_hints

from api.http.problems import Problem
from api.http.request_parsing import load
from api.resources.move_routes import MoveBody, read_move
from domain.core import cards
from domain.core.cards import Cards, card_names
from domain.core.game import Refused, check_move, play_move
from domain.match.creation import Common

SHORT = {
    "blocked": "blocked_scoring",
    "detection": "revoke_detection",
    "floor": "stock_floor",
    "jack": "jack_of_diamonds",
    "revoke": "revoke_mode",
    "target": "target_score",
}
"""Other names of options."""

BESIDE = {f.name for f in fields(Common)} | {"best_of", "series", "clock", "series.best_of"}
"""Options of the match that no rule of a game uses."""

SITUATION = {"phase", "to_act", "turn", "next", "hand", "seat", "drawn", "stock"}
"""Fields that a case may give. An outcome may have the same name."""


# --- Cases and commands -------------------------------------------------------------------------


def cases(example):
    """Yield each case of an example separately, with its options, its given values and its expected values."""
    given, then = example.get("given") or {}, outcome(example.get("then"))
    rows = given.get("cases", [{}])
    for row in rows if isinstance(rows, list) else by_option(rows):
        own = {k: v for k, v in (given | row).items() if k not in ("cases", "options", "then")}
        expected = then | outcome(row.get("then"))
        options = [x.get("options") or {} for x in (example, given, row)]
        when = row.get("when", example.get("when", given.get("when", [])))
        flat = {k: v for k, v in given.items() if k in own} | then | {k: v for k, v in row.items() if k in own}
        yield flat | expected | {
            "options": options[0] | options[1] | options[2], "when": when, "given": own, "then": expected,
        }  # fmt: skip


def by_option(rows):
    """Yield cases named by the value of an option, with the resulting points."""
    for name, expected in rows.items():
        row = expected if isinstance(expected, dict) else {"points": expected}
        yield row | {"options": {VALUES.get(name, name): name}}


VALUES = {
    "required": "moon_jack", "ignored": "moon_jack", "bonus": "moon_jack", "others_plus": "moon_style",
    "shooter_minus": "moon_style", "share": "tie_break", "extra_hand": "tie_break",
}  # fmt: skip


def outcome(then):
    """Return the expected outcome. A single word is an error code, or means that the command is accepted."""
    if isinstance(then, str):
        return {} if then in ("ok", "accepted") else {"refused": then}
    return then or {}


def commands(case):
    return [{"command": x} if isinstance(x, str) else x for x in listed(case["when"])]


def steps(case):
    """Yield each command with its expected outcome: its own `then`, or for the last command the case's."""
    given = commands(case)
    for n, command in enumerate(given, 1):
        whole = {k: v for k, v in case.items() if k not in SITUATION} | case["then"]
        yield command, outcome(command["then"]) if "then" in command else whole if n == len(given) else {}


def listed(x):
    """Return a list of values, whether one or several or none are given."""
    return x if isinstance(x, list) else [] if x is None else [x]


def by_seat(x):
    """Return values by seat number, from a mapping or from a list in the order of the seats."""
    rows = enumerate(x) if isinstance(x, list) else (x or {}).items()
    return {int(seat): value for seat, value in rows}


def of_seats(x, seats):
    """Return the numbers of all seats, in order."""
    rows = by_seat(x)
    return [rows.get(seat, 0) for seat in range(seats)]


# --- Cards and options --------------------------------------------------------------------------


def pile(written) -> Cards:
    """Return the cards in order, from a list or a text."""
    rows = written.replace(",", " ").split() if isinstance(written, str) else written or ()
    return tuple(cards.read_card(name) for name in rows)


def hand(written):
    return tuple(sorted(pile(written)))


def named(written):
    """The names of cards, written in any accepted notation."""
    return set(card_names(pile(written)))


def options_of(game, written, seats):
    """Return the options of a game; a preset or a short name can stand for some of them."""
    written, hints = dict(written), get_type_hints(game.setup.options)
    preset = game.setup.presets.get(written.pop("preset", "seed"), {})
    given = {full_name(name, hints): x for name, x in written.items() if name not in BESIDE}
    return game.setup.options(
        **game.setup.resolve({**preset, **{k: spelled(x, hints.get(k)) for k, x in given.items()}}, seats)
    )


def full_name(name, hints):
    return SHORT.get(name, name) if name not in hints else name


def spelled(x, hint):
    """Return the intended value of an option: a bare `off` is read as false."""
    word = {False: "off", True: "on"}.get(x) if isinstance(x, bool) else None
    return word if get_origin(hint) is Literal and word in get_args(hint) else x


def options_in(game, case, also=()):
    """Return the options of a case, including those written among its other values."""
    hints = get_type_hints(game.setup.options)
    other_options = {
        k: v for k, v in case.items()
        if k in also or k == "preset" or may_be(v, hints.get(full_name(k, hints)))
    }  # fmt: skip
    return other_options | case["options"]


def may_be(x, hint):
    """Return whether a value is possible for an option; otherwise it is a result of the same name."""
    return hint is not None and (get_origin(hint) is not Literal or spelled(x, hint) in get_args(hint))


def best_of(case, usual):
    """Return the maximum number of games of the series."""
    written = case | case["options"]
    series = written.get("series")
    inside = series.get("best_of") if isinstance(series, dict) else series
    return written.get("best_of", written.get("series.best_of", inside)) or usual


# --- What a command is told ---------------------------------------------------------------------


def answer_to(game, state, seat, command):
    """Return the refusal code of a command, or the resulting state and events."""
    args = command.get("args") or {
        k: v for k, v in command.items() if k not in ("seat", "by", "command", "args", "then")
    }
    try:
        made = read_move(game.name, load(MoveBody, {"name": command["command"], "args": args}))
    except Problem as problem:
        return problem.code
    return moved(game, state, seat, made)


def moved(game, state, seat, made):
    """Return the refusal code of a move, or the resulting state and events."""
    before = state.copy()
    try:
        check_move(game, state, seat, made)
    except Refused as refused:
        assert state == before
        return refused.code
    return play_move(game, state, seat, made)


def refused(answer, then):
    """Return whether the command is refused, and check that this was expected."""
    code = then.get("refused")
    if isinstance(answer, str) or isinstance(code, str):
        assert answer == code
        return True
    return False


def refusals(case):
    """Yield each refused card, with the code if one is given."""
    said = case.get("refused")
    rows = said.items() if isinstance(said, dict) else ((name, None) for name in said or ())
    return [] if isinstance(said, str) else [(name, code) for name, code in rows]


def expect(game, state, events, then):
    """Compare the resulting events and table with the expected ones."""
    wanted = listed(then.get("event", then.get("events")))
    for each in wanted:
        values = then | each if isinstance(each, dict) else then
        name = each["type"] if isinstance(each, dict) else each
        found = [e for e in events if type(e).__name__ == name]
        assert found, f"no {name}"
        assert any(has(e, values) for e in found) or len(wanted) > 1
    if len(wanted) > 1:
        assert all(any(has(e, {k: v}) for e in events if k in e.__slots__) for k, v in fields_of(events, then))
    if "phase" in then:
        assert game.phase(state) == then["phase"]
    for name in {"to_act", "turn", "next"} & then.keys():
        assert list(game.to_act(state)) == listed(then[name])


def fields_of(events, then):
    """Return the expected values that an event has a field for."""
    return [(k, v) for k, v in then.items() if any(k in e.__slots__ for e in events)]


def has(event, then):
    return all(same(getattr(event, name), then[name]) for name in event.__slots__ if name in then)


def same(x, written):
    """Return whether a value equals the written one; cards may be written in any order."""
    if isinstance(x, tuple) and isinstance(written, list):
        if all(isinstance(y, str) for y in written):
            return sorted(x) == sorted(pile(written))
        return len(x) == len(written) and all(map(same, x, written))
    if isinstance(x, int) and isinstance(written, str):
        return x == cards.read_card(written)
    return x == written
