"""Tests poker hands in the PHH format: another library replays them to the same stacks, and they show only visible
cards."""

import json
import re
import tomllib
import warnings
from dataclasses import asdict
from itertools import count
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from pokerkit import HandHistory

from domain import match as life
from domain.core.cards import NAMES
from domain.match.draws import AcceptDraw, OfferDraw
from domain.match.resignations import Resign
from domain.match.seating import Sit
from domain.poker import betting_events, betting_moves
from events.formats.phh import writer as phh
from tests.draws import draws, first_of
from tests.games.five_card_draw.law import drawn_options as drawn_draw
from tests.games.holdem.law import drawn_options as drawn_holdem
from tests.poker.law import POLICIES
from tests.recorded import Recorded

GUIDE = Path(__file__).parents[2] / "docs" / "how-to" / "poker-hand-history.md"
READERS = ("spectators", "0", "1")


@pytest.fixture(scope="module", autouse=True)
def _five_card_draw():
    """Teach PokerKit five-card draw as the guide describes, for the duration of a test."""
    known = HandHistory.game_types, HandHistory.required_field_names
    HandHistory.game_types, HandHistory.required_field_names = map(dict, known)
    exec(re.search(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)[1], {})
    yield
    HandHistory.game_types, HandHistory.required_field_names = known


def document(table, reader="spectators"):
    """Return all hands as this reader may have them."""
    return b"".join(phh.write_hands(table.about(reader), table.feed(reader))).decode()


def replayed(text):
    """Return a hand as PokerKit reads it, and its end there."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of folds where a check was free
        history = HandHistory.loads(text)
        *_, end = history
    assert not end.status
    return history, end


def texts(table, reader):
    """Yield each exported hand: its number and its table."""
    parts = re.split(r"^\[(\d+)\]\n", document(table, reader), flags=re.MULTILINE)
    return [(int(number), text) for number, text in zip(parts[1::2], parts[2::2], strict=True)]


def settled(table):
    """Return the played hands: the final stacks and the pots."""
    hands, hand = {}, None
    for event in table.events:
        match event:
            case betting_events.HandStarted():
                hand = hands[event.hand_no] = SimpleNamespace(started=event, pots=[], antes=0, stacks=None)
            case betting_events.BlindPosted(kind="ante") | betting_events.BigBlindAntePosted():
                hand.antes += event.amount
            case betting_events.PotAwarded():
                hand.pots.append(event)
            case betting_events.HandSettled():
                hand.stacks = event.stacks
    return hands


def odd_chips(pots):
    """Return the number of chips that could not be split evenly."""
    return sum(pot.amount % len(pot.winners) for pot in pots)


# --- Another reader -----------------------------------------------------------------------------------------


def played(game, seed, drawn, **chosen):
    """Return a match of players with various strategies and random options."""
    rng = Random(f"{game} {seed}")
    seats = rng.randint(2, 10 if game == "holdem" else 6)
    options = {name: x for name, x in asdict(drawn(rng)).items() if x is not None} | {"hands": 8, **chosen}
    table = Recorded(game, ("bot",) * seats, options, seed=seed)
    minds = [rng.choice(list(POLICIES.values())) for _ in range(seats)]
    for _ in range(800):
        if table.match.over:
            break
        seat = life.to_act(table.match)[0]
        offered = table.match.game.legal(table.match.table, seat)
        wild = rng.random() < 0.2
        table.does(
            seat,
            rng.choice(offered).sample(rng) if wild else minds[seat](table.match.table, seat, rng),
            "bot",
        )
    return table


SORTS = {
    "hold'em for cash": ("holdem", drawn_holdem, {"format": "cash"}, 100),
    "sit-and-go": ("holdem", drawn_holdem, {"format": "sng"}, 60),
    "draw without limit": ("five_card_draw", drawn_draw, {"structure": "no_limit"}, 40),
    "draw with limits": ("five_card_draw", drawn_draw, {"structure": "fixed_limit"}, 40),
}


@pytest.mark.long
@pytest.mark.parametrize("sort", first_of(SORTS))
def test_another_library_replays_every_hand_to_the_same_stacks(sort):
    game, drawn, chosen, hands = SORTS[sort]
    written = exact = 0
    for seed in count():
        reader = READERS[seed % 3]
        reveal = ("match_end", "never")[seed % 2]
        table = played(game, seed, drawn, **chosen, fairness_reveal=reveal)
        truth = settled(table)
        for number, text in texts(table, reader):
            history, end = replayed(text)
            was = truth[number]
            seats = [seat - 1 for seat in history.seats]
            assert history.starting_stacks == [was.started.stacks[seat] for seat in seats]
            assert history.finishing_stacks == [was.stacks[seat] for seat in seats]
            assert history.ante_trimming_status or sum(history.antes) == was.antes
            assert sum(history.winnings) == sum(pot.amount for pot in was.pots)
            off = [mine - theirs for mine, theirs in zip(history.finishing_stacks, end.stacks, strict=True)]
            odd = odd_chips(was.pots)
            assert not sum(off)
            assert sum(map(abs, off)) <= (2 * odd if odd > 1 else 0), text
            written, exact = written + 1, exact + (not any(off))
        if written >= draws(hands):
            break
    assert exact > 0.98 * written


@pytest.mark.long
def test_replayed_hands_cover_all_cases():
    """Situations that are hard to replay do occur in these matches."""
    met = set()
    for seed in range(60):
        table = played("holdem", seed, drawn_holdem, format=("cash", "sng")[seed % 2])
        for event in table.events:
            match event:
                case betting_events.HandStarted():
                    seats = sum(map(bool, event.stacks))
                    met |= {"heads-up"} if seats == 2 else {"dead small blind"} if event.small_blind is None else set()
                case betting_events.PotsFormed() if len(event.pots) > 2:
                    met.add("side pots")
                case betting_events.HandMucked() | betting_events.BetReturned() | betting_events.LevelRaised():
                    met.add(type(event).__name__)
                case betting_events.BlindPosted(kind=kind, all_in=True):
                    met.add(f"short {kind}")
        for _, text in texts(table, "spectators"):
            hand = tomllib.loads(text)
            big = max(hand["blinds_or_straddles"])
            met |= {"big ante"} if not hand["ante_trimming_status"] else set()
            met |= {"blind completed"} if hand["min_bet"] < big else set()
            met |= (
                {"raise that nobody can call"} if any("nobody can call" in line for line in hand["actions"]) else set()
            )
    assert met >= {
        "heads-up", "dead small blind", "side pots", "HandMucked", "BetReturned", "LevelRaised", "short ante",
        "short small", "short big", "big ante", "blind completed", "raise that nobody can call",
    }  # fmt: skip


# --- What a hand says ---------------------------------------------------------------------------------------


def two(**chosen):
    """Return a match of hold'em between Ann and Ben, with the first hand dealt."""
    table = Recorded("holdem", ("me", "open"), {"hands": 2, "fairness_reveal": "never", **chosen})
    table.does(1, Sit("ben"))
    return table


def names(cards):
    return "".join(NAMES[c][0] + NAMES[c][1].lower() for c in cards)


def test_exported_hand_has_the_expected_text():
    table = two(ante=1)
    button = table.match.table.at.button
    hole = names(table.match.table.hands[0])
    table.does(button, betting_moves.Raise(6))
    table.does(1 - button, betting_moves.Call())
    flop = names(table.match.table.board)
    table.does(1 - button, betting_moves.Check())
    table.does(button, betting_moves.Bet(10))
    table.does(1 - button, betting_moves.Fold())
    me = f"p{2 if button == 0 else 1}"
    other = {"p1": "p2", "p2": "p1"}[me]
    dealt = sorted([f'"d dh {me} {hole}"', f'"d dh {other} ????"'])
    seats = [2, 1] if button == 0 else [1, 2]
    players = ['""' if seat == 2 else '"Ann"' for seat in seats]
    about = table.about("0")
    about["seats"][0]["player"]["name"] = "Ann"
    assert (
        phh.write_hand(about, table.feed("0"), 1).decode()
        == f"""\
variant = "NT"
antes = [1, 1]
blinds_or_straddles = [1, 2]
ante_trimming_status = true
min_bet = 2
starting_stacks = [200, 200]
actions = [
  {dealt[0]},
  {dealt[1]},
  "p2 cbr 6",
  "p1 cc",
  "d db {flop}",
  "p1 cc",
  "p2 cbr 10",
  "p1 f",
]
time = 00:16:41
time_zone = "UTC"
day = 1
month = 1
year = 1970
hand = 1
seats = {seats}
seat_count = 2
table = "m-1"
players = [
  {players[0]},
  {players[1]},
]
finishing_stacks = [193, 207]
winnings = [0, 14]
_seen_by = "seat 0"
"""
    )


def folded(table):
    """Fold the hand of the button; return the remaining seat."""
    button = table.match.table.at.button
    table.does(button, betting_moves.Fold())
    return 1 - button


def test_last_player_may_show_all_or_part_of_the_hand():
    table = two(pause_between_hands=True)
    left = folded(table)
    cards = table.match.table.hands[left]
    table.does(left, betting_moves.ShowCards(cards))
    assert tomllib.loads(document(table))["1"]["actions"][-1] == f"p1 sm {names(cards)}"
    table = two(pause_between_hands=True)
    left = folded(table)
    table.does(left, betting_moves.ShowCards(cards[:1]))
    table.does(1 - left, betting_moves.ShowCards(table.match.table.hands[1 - left]))
    actions = tomllib.loads(document(table))["1"]["actions"]
    assert actions[-2:] == [
        f"# p1 shows {names(cards[:1])}",
        f"# p2 shows {names(table.match.table.hands[1 - left])}",
    ]
    for seat in "01":
        replayed(phh.write_hand(table.about(seat), table.feed(seat), 1).decode())


def test_names_are_read_back_as_written():
    table = two()
    folded(table)
    about = table.about("0")
    strange = 'A "quoted" \\ back\x7f\n\N{DEVANAGARI LETTER A}\N{GRINNING FACE}'
    about["seats"][0]["player"]["name"] = strange
    assert strange in tomllib.loads(phh.write_hand(about, table.feed("0"), 1).decode())["players"]


def test_bots_are_named_by_their_level():
    table = played("five_card_draw", 1, drawn_draw)
    players = {name for hand in tomllib.loads(document(table)).values() for name in hand["players"]}
    assert players == {"Bot (random)"}


# --- What is left out ---------------------------------------------------------------------------------------


def test_finished_hand_is_exported():
    table = two()
    assert tomllib.loads(document(table)) == {}
    with pytest.raises(phh.NoSuchHand):
        phh.write_hand(table.about("0"), table.feed("0"), 1)
    folded(table)
    assert list(tomllib.loads(document(table))) == ["1"]


def test_unfinished_hand_is_not_exported():
    table = two()
    folded(table)
    table.does(0, OfferDraw())
    table.does(1, AcceptDraw())
    assert "GameEnded" in table.kinds()
    assert list(tomllib.loads(document(table))) == ["1"]


def test_hand_with_a_resignation_out_of_turn_is_omitted_with_a_reason():
    table = Recorded("holdem", ("me", "open", "open"), {"hands": 2})
    table.does(1, Sit("ben"))
    table.does(2, Sit("cem"))
    waiting = next(seat for seat in range(3) if seat not in life.to_act(table.match))
    table.does(waiting, Resign())
    table.plays_on()
    text = document(table)
    assert "# Hand 1 is left out: a seat gave up out of its turn.\n" in text
    assert list(tomllib.loads(text)) == ["2"]
    with pytest.raises(phh.NoSuchHand, match="out of its turn"):
        phh.write_hand(table.about("0"), table.feed("0"), 1)


def test_heads_up_hand_with_equal_blinds_is_omitted():
    table = two(small_blind=2, big_blind=2)
    folded(table)
    assert "# Hand 1 is left out: with two players and equal blinds" in document(table)
    assert tomllib.loads(document(table)) == {}


# --- What may be seen ---------------------------------------------------------------------------------------

CARD = re.compile(r"[2-9TJQKA][cdhs]")


def public(table):
    """Return the cards that were face up in each hand."""
    open_, cards = {}, set()
    for event in table.events:
        match event:
            case betting_events.HandStarted():
                cards = open_[event.hand_no] = set()
            case betting_events.BoardDealt() | betting_events.HandShown() | betting_events.CardsShown():
                cards.update(event.cards)
    return open_


def held(table, seat):
    """Return the cards that a seat was dealt or drew in each hand."""
    mine, cards = {}, set()
    for event in table.events:
        match event:
            case betting_events.HandStarted():
                cards = mine[event.hand_no] = set()
            case betting_events.HandDealt():
                cards.update(event.cards[seat])
            case betting_events.CardsSwapped() if event.seat == seat:
                cards.update(event.drawn)
    return mine


def shown_cards(text):
    return {name.upper() for line in tomllib.loads(text)["actions"] for name in CARD.findall(line)}


@pytest.mark.parametrize(("game", "drawn"), [("holdem", drawn_holdem), ("five_card_draw", drawn_draw)])
@pytest.mark.parametrize("reader", first_of(READERS))
def test_undisclosed_export_has_only_own_and_shown_cards(game, drawn, reader):
    hidden = 0
    for seed in range(8):
        table = played(game, seed, drawn, fairness_reveal="never")
        open_, mine = public(table), held(table, int(reader)) if reader != "spectators" else {}
        for number, text in texts(table, reader):
            known = {NAMES[c] for c in open_[number] | mine.get(number, set())}
            assert shown_cards(text) == known
            hidden += "?" in text
    assert hidden > 10


@pytest.mark.parametrize(("game", "drawn"), [("holdem", drawn_holdem), ("five_card_draw", drawn_draw)])
def test_disclosed_cards_of_a_finished_match_are_shown_to_all(game, drawn):
    table = played(game, 3, drawn, hands=3, format="cash")
    assert table.match.over
    for number, text in texts(table, "spectators"):
        seats = [seat - 1 for seat in tomllib.loads(text)["seats"]]
        cards = set().union(public(table)[number], *(held(table, seat)[number] for seat in seats))
        assert shown_cards(text) == {NAMES[c] for c in cards}
        assert "?" not in text


def test_folded_hand_is_exported_only_for_its_seat_before_disclosure():
    table = two(fairness_reveal="match_end")
    seat = 1 - folded(table)
    mine = names(held(table, seat)[1])
    for reader in ("0", "1", "spectators"):
        actions = tomllib.loads(document(table, reader))["1"]["actions"]
        assert [line[-4:] for line in actions[:2]].count("????") == (2 if reader == "spectators" else 1)
        assert any(sorted(line[-4:]) == sorted(mine) for line in actions[:2]) == (reader == str(seat))


def test_export_can_be_made_from_the_feed_in_the_record():
    """A stored record produces the same bytes."""
    table = played("holdem", 2, drawn_holdem)
    kept = table.record("1")
    feed = [json.dumps(event).encode() for event in kept["events"]]
    again = b"".join(phh.write_hands(kept["match"], feed))
    assert again.decode() == document(table, "1")
    assert len(tomllib.loads(again.decode())) > 1
