"""Builds a table of Hearts as an example gives it, and puts commands to it."""

from domain import cards, hearts
from domain.cards import SUITS, backs
from domain.game import Refused, check, fold, play
from domain.hearts import GAME, Options
from domain.hearts_rules import SEATS

PLACES = {
    "pass": 0,
    "passing": 0,
    "lead": 1,
    "leading": 1,
    "h": 2,
    "hearts": 2,
    "open": 2,
    "scoring": 3,
    "s": 3,
}


def cases(example):
    """Each case of an example, flat: its options apart, then what is given, done and expected."""
    given, then = example.get("given") or {}, example.get("then") or {}
    shared = {k: v for k, v in given.items() if k != "cases"} | then
    if "when" in example:
        shared["when"] = example["when"]
    rows = given.get("cases", [{}])
    for row in rows if isinstance(rows, list) else by_option(rows):
        yield shared | row | {"options": example.get("options", {}) | row.get("options", {})}


def by_option(rows):
    """Cases named by the value of an option for the moon, with the points that it leads to."""
    for name, points in rows.items():
        option = "moon_style" if name in ("others_plus", "shooter_minus") else "moon_jack"
        yield {"options": {option: name}, "points": points}


def commands(case):
    when = case.get("when", [])
    return when if isinstance(when, list) else [when]


def options_of(written):
    """The options, of which a rule of the variant may be named alone: `{scoring: 3}`."""
    written = dict(written)
    digits = list(
        str(hearts.resolve({k: written.pop(k) for k in ("variant",) if k in written})["variant"])[::2]
    )
    for name in PLACES.keys() & written.keys():
        digits[PLACES[name]] = str(written.pop(name))
    return Options(variant="-".join(digits), **written)


def start(options, **values):
    """A table of these options, with these values in its state."""
    state = GAME.start(options_of(options), 4, None)
    for name, value in values.items():
        setattr(state, name, value)
    return state


def hand(names):
    return tuple(sorted(cards.read(name) for name in names))


def pile(names):
    return tuple(cards.read(name) for name in names)


def ready(options, hands, dealer=0, deal_no=1):
    """A hand as dealt: these hands, of which those not named are thirteen backs."""
    state = start(options, dealer=dealer, deal_no=deal_no - 1)
    directions = state.rules.passing.directions
    direction = directions[(deal_no - 1) % len(directions)]
    dealt = tuple(hands.get(seat, backs(13)) for seat in SEATS)
    begun = hearts.HandStarted(deal_no, deal_no, dealer, direction)
    return fold(GAME, state, [begun, hearts.HandDealt(tuple(map(len, dealt)), dealt)])


def in_play(case, seat):
    """The moment when a seat with this hand is to play to this trick, after these past tricks."""
    trick, past = pile(case.get("trick", ())), [pile(t) for t in case.get("past", ())]
    leader = (seat - len(trick)) % 4
    for taken in reversed(past):  # whoever took a trick led the next one
        leader = (leader - hearts.winner(0, taken)) % 4
    leader = case.get("leader", leader)
    dealer = case.get("dealer", (leader - 1) % 4)
    mine = hand(case["hand"])
    state = ready(case["options"], {seat: (*backs(len(past)), *mine)}, dealer, case.get("deal_no", 4))
    state = fold(GAME, state, [hearts.PlayStarted(leader)])
    for c in (c for t in (*past, trick) for c in t):
        state, _ = play(GAME, state, state.turn, hearts.PlayCard(c))
    assert GAME.to_act(state) == (seat,)
    return state


def state_of(case):
    """A table in a named phase, with the hands named `hand_of_<seat>`."""
    hands = {seat: hand(case[f"hand_of_{seat}"]) for seat in SEATS if f"hand_of_{seat}" in case}
    phase, turn = case["phase"], case.get("turn", 0)
    state = ready(case["options"], hands, deal_no=case.get("deal_no", 1 if phase == "passing" else 4))
    state.phase, state.turn, state.leader = (
        phase,
        turn,
        case.get("leader", (turn - len(case.get("trick", ()))) % 4),
    )
    state.trick = pile(case.get("trick", ()))
    for seat in case.get("answered", ()):
        state = fold(GAME, state, [hearts.PassChosen(seat, None)])
    return state


def move(command):
    """The move that a command names; `ValueError` if it is no move."""
    make = GAME.moves[command["command"]]
    args = command.get("args", {})
    if make is hearts.PassCards:
        return make(pile(args["cards"]))
    return make(cards.read(args["card"]))


def told(state, command):
    """The code that the command is refused with, or its events."""
    try:
        made = move(command)
    except (KeyError, ValueError):
        return "bad_arguments"
    before = state.copy()
    try:
        check(GAME, state, command["seat"], made)
    except Refused as refused:
        assert state == before
        return refused.code
    return play(GAME, state, command["seat"], made)


def suit_of(sign):
    return SUITS.index(sign)
