"""Sets up tables of Hearts for examples, and sends commands to them."""

from domain.core.cards import SUITS, backs
from domain.core.game import fold, play_move
from domain.games.hearts import GAME
from domain.games.hearts import rules as hearts
from domain.games.hearts.events import HandDealt, HandStarted, PassChosen, PlayCard, PlayStarted
from domain.games.hearts.options import SEATS, resolve
from tests.acceptance import reading
from tests.acceptance.reading import by_seat, hand, pile

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


def options_of(written):
    """Return the options; a single rule of the variant may be named, as in `{scoring: 3}`."""
    written = dict(written)
    said = {k: written.pop(k) for k in ("variant", "variant_index") if k in written}
    digits = list(str(resolve(said)["variant"])[::2])
    for name in PLACES.keys() & written.keys():
        digits[PLACES[name]] = str(written.pop(name))[-1]
    return reading.options_of(GAME, {**written, "variant": "-".join(digits)}, 4)


def options_in(case):
    """Return the options of a case, including those written among its other values."""
    return reading.options_in(GAME, case, also=("pass", "lead", "h", "scoring"))


def start(options, **values):
    """Return a table with these options and these values in its state."""
    state = GAME.start(options_of(options), 4, None)
    for name, value in values.items():
        setattr(state, name, value)
    return state


def ready(options, hands, dealer=0, deal_no=1):
    """Return a hand as dealt, with these hands; hands that are not named are thirteen backs."""
    state = start(options, dealer=dealer, deal_no=deal_no - 1)
    directions = state.rules.passing.directions
    direction = directions[(deal_no - 1) % len(directions)]
    dealt = tuple(hands.get(seat, backs(13)) for seat in SEATS)
    begun = HandStarted(deal_no, deal_no, dealer, direction)
    return fold(GAME, state, [begun, HandDealt(tuple(map(len, dealt)), dealt)])


def in_play(case, seat):
    """Return the table when a seat with this hand is to play to this trick, after these past tricks."""
    trick, past = pile(case.get("trick", ())), [pile(t) for t in case.get("past") or ()]
    leader = (seat - len(trick)) % 4
    for taken in reversed(past):  # the seat that took a trick led the next one
        leader = (leader - hearts.winner(0, taken)) % 4
    leader = case.get("leader", leader)
    dealer = case.get("dealer", (leader - 1) % 4)
    mine = hand(case["hand"])
    state = ready(options_in(case), {seat: (*backs(len(past)), *mine)}, dealer, case.get("deal_no", 4))
    state = fold(GAME, state, [PlayStarted(leader)])
    for c in (c for t in (*past, trick) for c in t):
        state, _ = play_move(GAME, state, state.turn, PlayCard(c))
    assert GAME.to_act(state) == (seat,)
    return state


def state_of(case):
    """Return a table in a named phase, with the hands given as `hand_of_<seat>`."""
    named = {seat: case[f"hand_of_{seat}"] for seat in SEATS if f"hand_of_{seat}" in case}
    hands = {seat: hand(held) for seat, held in (by_seat(case.get("hands")) | named).items()}
    phase, turn = case.get("phase", "playing"), case.get("turn", 0)
    state = ready(options_in(case), hands, deal_no=case.get("deal_no", 1 if phase == "passing" else 4))
    state.phase, state.turn, state.leader = (
        phase,
        turn,
        case.get("leader", (turn - len(case.get("trick", ()))) % 4),
    )
    state.trick = pile(case.get("trick", ()))
    for seat in case.get("answered") or ():
        state = fold(GAME, state, [PassChosen(seat, None)])
    return state


def answer_to(state, command):
    """Return the refusal code of a command, or the resulting state and events."""
    return reading.answer_to(GAME, state, command.get("seat", 0), command)


def suit_of(sign):
    return SUITS.index(sign[-1].upper())
