"""Tests the life of a match (rules 1.5–1.10; contract 3)."""

from hashlib import sha256
from itertools import pairwise
from random import Random

import pytest

from domain import match as life
from domain.core.clock import Clock
from domain.core.fairness import seed
from domain.core.game import Refused
from domain.core.visibility import view_event
from domain.games.catalogue import GAMES
from domain.match.clocks import ContinueMatch, Credit, DecisionRequested, DecisionTimedOut, TimeOut
from domain.match.draws import OfferDraw
from domain.match.evolve import life_event_text
from domain.match.match_results import Cancel, MatchEnded
from domain.match.match_shuffles import AwaitNonces, CloseNonces, SeedRevealed
from domain.match.move_signatures import CauseSealed
from domain.match.resignations import Resign, TakeSeatBack
from domain.match.seating import Leave, MatchStarted, Sit
from domain.match.take_backs import GrantTakeBack, RefuseTakeBack, RequestTakeBack
from tests.match.table import Table, last_state


def refused(table, seat, command):
    """Return the refusal code of a command."""
    with pytest.raises(Refused) as refusal:
        life.admit(table.match, life.Intent("seat", seat, command), table.now)
    return refusal.value.code


# --- The lobby ------------------------------------------------------------------------------------


def test_match_begins_with_its_creation_and_the_commitment():
    table = Table()
    assert table.kinds() == ["MatchCreated", "FairnessCommitted", "SeatTaken"]
    committed = table.events[1]
    assert committed.links == 25 * 3  # the most hands of a game, and three times as many games as can be drawn
    assert committed.commitment == seed(table.dealer.roots[0], committed.links, 0).hex()


def test_match_starts_automatically_with_the_last_seat():
    table = Table()
    happened = table.does(1, Sit("bob"))
    assert happened[:3] == ["SeatTaken", "MatchStarted", "GameStarted"]
    assert table.match.status == "playing"


def test_match_full_at_creation_starts_immediately():
    table = Table(seats=("bot",) * 4)
    assert "MatchStarted" in table.kinds()


def test_taken_seat_is_refused_and_taking_your_own_changes_nothing():
    table = Table()
    assert refused(table, 0, Sit("bob")) == "seat_taken"
    assert refused(table, 2, Sit("bob")) == "seat_taken"  # a bot's
    assert table.does(0, Sit("ann")) == []


def test_leaving_frees_the_seat_before_the_start_only():
    table = Table()
    assert table.does(0, Leave()) == ["SeatLeft"]
    assert table.match.players[0] is None
    table.does(0, Sit("ann"))
    table.does(1, Sit("bob"))
    assert refused(table, 0, Leave()) == "already_started"


def test_cancelled_match_is_over():
    table = Table()
    assert table.does(0, Cancel()) == ["MatchEnded"]
    assert table.match.status == "cancelled"
    assert refused(table, 1, Sit("bob")) == "match_over"


# --- Nonces ---------------------------------------------------------------------------------------

NONCE = "00112233445566778899aabbccddeeff"


def test_nonce_sent_with_the_seat_enters_the_shuffles():
    plain, salted = Table(), Table()
    plain.does(1, Sit("bob"))
    salted.does(1, Sit("bob", nonce=NONCE))
    started = next(e for e in salted.events if isinstance(e, MatchStarted))
    assert started.nonces == ("", NONCE, "", "")
    assert salted.match.contributed == (1,)
    assert plain.match.table.hands != salted.match.table.hands


def test_a_nonce_is_sent_once():
    table = Table()
    table.does(0, Sit("ann", nonce=NONCE))
    assert table.does(0, Sit("ann", nonce=NONCE)) == []
    assert refused(table, 0, Sit("ann", nonce="f" * 32)) == "wrong_phase"


def test_start_waits_for_all_humans_with_nonce_seconds():
    table = Table(chosen={"nonce_seconds": 60})
    assert table.does(1, Sit("bob")) == ["SeatTaken", "NoncesAwaited"]
    assert table.does(0, Sit("ann", nonce=NONCE)) == ["NonceSubmitted"]
    assert "MatchStarted" in table.does(1, Sit("bob", nonce="f" * 16))


def test_missing_nonce_is_empty_after_the_deadline():
    table = Table(chosen={"nonce_seconds": 60})
    table.does(1, Sit("bob", nonce=NONCE))
    assert table.match.shuffles.stage_until == table.now + 60_000
    assert table.does(0, CloseNonces(), "timeout")[:2] == ["NoncesClosed", "MatchStarted"]
    assert table.match.contributed == (1,)


def test_nonces_are_revealed_after_all_hashes_with_nonce_commit():
    table = Table(chosen={"nonce_commit": True, "nonce_seconds": 60})
    digest = sha256(NONCE.encode()).hexdigest()
    assert refused(table, 0, Sit("ann", nonce=NONCE)) == "wrong_phase"
    table.does(0, Sit("ann", nonce_hash=digest))
    assert table.does(1, Sit("bob")) == ["SeatTaken", "NoncesAwaited"]
    assert refused(table, 0, Sit("ann", nonce=NONCE)) == "wrong_phase"
    happened = table.does(1, Sit("bob", nonce_hash=sha256(b"f" * 16).hexdigest()))
    assert happened == ["NonceCommitted", "NoncesAwaited"]
    assert refused(table, 0, Sit("ann", nonce="e" * 32)) == "wrong_phase"  # not what was committed
    table.does(0, Sit("ann", nonce=NONCE))
    assert "MatchStarted" in table.does(1, Sit("bob", nonce="f" * 16))


def test_unopened_nonce_counts_as_empty():
    table = Table(chosen={"nonce_commit": True, "nonce_seconds": 60})
    table.does(0, Sit("ann", nonce_hash=sha256(NONCE.encode()).hexdigest()))
    table.does(1, Sit("bob"))
    assert table.does(0, CloseNonces(), "timeout") == ["NoncesClosed", "NoncesAwaited"]
    assert "MatchStarted" in table.does(0, CloseNonces(), "timeout")
    assert table.match.shuffles.nonces == (None,) * 4


# --- Hands, disclosure, epochs ------------------------------------------------------------------------


def started(**more):
    table = Table(**more)
    if table.match.status == "lobby":
        table.does(1, Sit("bob"))
    return table


@pytest.mark.parametrize("reveal", ["hand_end", "game_end", "match_end", "never"])
def test_seeds_are_revealed_when_the_option_says(reveal):
    table = started(chosen={"target_score": 30, "fairness_reveal": reveal}, seed=5)
    table.plays_on()
    kinds = table.kinds()
    hands, revealed = kinds.count("HandScored"), kinds.count("SeedRevealed")
    assert revealed == (0 if reveal == "never" else hands)
    after = {before for before, kind in pairwise(kinds) if kind == "SeedRevealed" != before}
    assert after == ({"HandScored"} if reveal == "hand_end" else {"GameWon"} if revealed else set())
    assert kinds[-1] == "MatchEnded"


def test_a_revealed_seed_hashes_down_to_the_commitment():
    table = started(chosen={"target_score": 30})
    table.plays_on()
    commitment = bytes.fromhex(table.match.shuffles.commitment)
    for i, event in enumerate(e for e in table.events if isinstance(e, SeedRevealed)):
        assert (event.link, event.hand_no) == (i + 1, i + 1)
        link = bytes.fromhex(event.seed)
        for _ in range(event.link):
            link = sha256(link).digest()
        assert link == commitment
        assert event.hand_key == table.dealer.hand_key(event.hand_no).hex()


def test_new_epoch_begins_when_the_links_run_out(monkeypatch):
    monkeypatch.setattr("domain.match.match_shuffles.LINKS", 2)
    table = started(chosen={"moon_style": "shooter_minus", "target_score": 60})
    assert table.match.shuffles.links == 2
    table.plays_on(until=lambda m: m.shuffles.epoch == 2)
    kinds = table.kinds()
    i = kinds.index("FairnessCommitted", 2)
    assert kinds[i - 1] == "SeedRevealed"
    assert kinds[i + 1] == "NoncesAwaited"
    assert "HandStarted" in table.does(0, CloseNonces(), "timeout")
    assert table.match.hand_no == 3
    table.plays_on(until=lambda m: m.shuffles.epoch == 3)
    assert table.match.shuffles.commitment == seed(table.dealer.roots[2], 2, 0).hex()


def test_contributions_count_only_in_their_epoch(monkeypatch):
    monkeypatch.setattr("domain.match.match_shuffles.LINKS", 1)
    table = Table(chosen={"moon_style": "shooter_minus"})
    table.does(1, Sit("bob", nonce=NONCE))
    assert table.match.contributed == (1,)
    table.plays_on(until=lambda m: m.shuffles.epoch == 2)
    assert table.match.contributed == ()


def test_later_epoch_never_waits_forever(monkeypatch):
    monkeypatch.setattr("domain.match.match_shuffles.LINKS", 1)
    table = Table(chosen={"moon_style": "shooter_minus", "nonce_commit": True})
    digest = sha256(NONCE.encode()).hexdigest()
    table.does(1, Sit("bob", nonce_hash=digest))
    table.does(0, Sit("ann", nonce_hash=digest))
    assert table.match.shuffles.stage_until == table.now + 60_000
    table.does(1, Sit("bob", nonce=NONCE))
    table.does(0, Sit("ann", nonce=NONCE))
    table.plays_on(until=life.collects_nonces)
    assert table.match.shuffles.stage_until == table.now + 60_000


def test_new_epoch_collects_separate_nonces(monkeypatch):
    monkeypatch.setattr("domain.match.match_shuffles.LINKS", 1)
    table = Table(chosen={"moon_style": "shooter_minus", "nonce_seconds": 60})
    table.does(1, Sit("bob", nonce=NONCE))
    table.does(0, Sit("ann", nonce=NONCE))
    table.plays_on(until=life.collects_nonces)
    assert (life.to_act(table.match), life.legal(table.match, 0)) == ((), ())
    table.does(0, Sit("ann", nonce="f" * 16))
    assert table.does(1, Sit("bob", nonce="e" * 16))[:2] == ["NonceSubmitted", "NoncesClosed"]
    assert table.match.hand_open
    assert table.match.shuffles.nonces == ("f" * 16, "e" * 16, None, None)


# --- Series and results -------------------------------------------------------------------------------


def test_series_continues_until_one_seat_has_most_games():
    table = started(best_of=3, chosen={"target_score": 20, "tie_break": "extra_hand"}, seed=3)
    table.plays_on()
    result = table.match.result
    assert result is not None
    assert max(result.wins) == 2
    assert result.winners == (result.wins.index(2),)
    assert table.kinds().count("GameStarted") == sum(result.wins)
    hands = [e.hand_no for e in table.events if type(e).__name__ == "HandStarted"]
    assert hands == list(range(1, len(hands) + 1))  # counted through the match


def test_shared_game_counts_as_no_win_and_another_is_played():
    for number in range(200):
        table = started(chosen={"target_score": 1}, seed=number)
        table.plays_on()
        if None in table.match.series.winners:
            assert len(table.match.series.winners) > 1
            return
    pytest.fail("no game was shared in 200")


# --- Resigning, drawing, pausing -------------------------------------------------------------------------


def test_a_resigned_seat_is_played_by_a_bot_and_ranked_last():
    table = started(chosen={"target_score": 20})
    assert table.does(0, Resign()) == ["SeatResigned", "SeatHandedToBot"]
    assert refused(table, 0, Resign()) == "already_done"
    assert refused(table, 0, TakeSeatBack()) == "already_done"
    table.plays_on()
    assert table.match.result.places[0] == 4
    assert 0 not in table.match.result.winners


def test_resigning_with_end_ends_the_match_immediately():
    table = started(chosen={"on_resign": "end"})
    happened = table.does(0, Resign())
    assert happened == ["SeatResigned", "GameEnded", "GameWon", "SeedRevealed", "MatchEnded"]
    assert table.match.result.places[0] == 4
    assert table.events[-1].reason == "resignation"


def given_to_a_bot(game, seats, **rest):
    """Return a table whose seat 0 has timed out once, so that a bot holds it; the others move."""
    table = Table(game, seats, clock=Clock(per_decision_seconds=60, max_defaults=1), **rest)
    for seat in table.match.seats[1:]:
        table.does(seat, Sit(f"player {seat}"))
    while not table.match.by_bot[0]:
        seat = max(life.to_act(table.match))  # seat 0 when all others have moved
        table.now = table.match.clocks.asked[seat] if seat == 0 else table.now
        command = table.match.game.timing.default(table.match.table, seat) if seat else TimeOut()
        table.does(seat, command, "move" if seat else "timeout")
    return table


@pytest.mark.parametrize("comes_back", [False, True])
@pytest.mark.parametrize(("best_of", "whole_match"), [(1, False), (3, True)])
def test_player_replaced_by_a_bot_can_still_resign(best_of, whole_match, comes_back):
    table = given_to_a_bot("gin_rummy", ("me", "open"), best_of=best_of)
    if comes_back:
        table.does(0, TakeSeatBack())
    assert table.does(0, Resign(whole_match))[-1] == "MatchEnded"
    assert table.events[-1].reason == "resignation"
    assert table.match.result.winners == (1,)


def test_bot_plays_the_next_game_for_a_seat_that_resigned_one():
    table = given_to_a_bot("gin_rummy", ("me", "open"), best_of=3)
    assert table.does(0, Resign())[-1] != "MatchEnded"
    assert (table.match.series.winners, table.match.by_bot[0]) == ((1,), True)


@pytest.mark.parametrize("best_of", [1, 3])
def test_resignation_of_a_seat_held_by_a_bot_ends_the_match_with_end(best_of):
    table = given_to_a_bot("hearts", ("me", *["open"] * 3), best_of=best_of, chosen={"on_resign": "end"})
    assert table.does(0, Resign())[-1] == "MatchEnded"
    assert table.events[-1].reason == "resignation"
    assert table.match.result.places[0] == 4


def test_others_play_on_after_a_resignation_with_on_resign_bot():
    table = given_to_a_bot("hearts", ("me", *["open"] * 3), chosen={"target_score": 20})
    assert "MatchEnded" not in table.does(0, Resign())
    table.plays_on()
    assert table.events[-1].reason == "played"
    assert table.match.result.places[0] == 4


def test_a_pause_between_hands_waits_for_every_human():
    table = started(chosen={"pause_between_hands": True})
    table.plays_on(until=life.is_paused)
    assert life.to_act(table.match) == (0, 1)
    assert refused(table, 0, table.match.game.moves["play_card"](0)) == "wrong_phase"
    assert table.does(0, ContinueMatch()) == ["HandContinued"]
    assert "HandStarted" in table.does(1, ContinueMatch())


def test_confirming_the_next_hand_twice_is_refused():
    table = started(chosen={"pause_between_hands": True})
    table.plays_on(until=life.is_paused)
    table.does(0, ContinueMatch())
    assert refused(table, 0, ContinueMatch()) == "already_done"


def test_resigning_between_games_does_not_end_a_game_twice():
    table = started(best_of=3, chosen={"target_score": 1, "pause_between_hands": True, "on_resign": "end"}, seed=2)
    table.plays_on(until=lambda m: m.series.winners and life.is_paused(m))
    before = table.match.series.winners
    assert table.does(0, Resign()) == ["SeatResigned", "MatchEnded"]
    assert table.kinds().count("GameStarted") == table.kinds().count("GameEnded") == len(before)
    assert table.match.result.wins == tuple(before.count(s) for s in range(4))
    assert table.match.result.places[0] == 4


def test_draw_cannot_be_offered_with_four_seats():
    assert refused(started(), 0, OfferDraw()) == "wrong_phase"


# --- The clock --------------------------------------------------------------------------------------------

MINUTE = Clock(per_decision_seconds=60)
HOUR_MS, DAY_MS = 3_600_000, 86_400_000


def test_clock_opens_a_decision_for_each_player_to_act():
    table = started(clock=MINUTE)
    asked = [e for e in table.events if isinstance(e, DecisionRequested)]
    assert [(e.seat, e.deadline) for e in asked] == [(0, table.now + 60_000), (1, table.now + 60_000)]


def test_default_move_is_made_when_time_runs_out():
    table = started(clock=MINUTE)
    assert life.overdue_seats(table.match, table.now) == ()
    table.now += 60_000
    assert life.overdue_seats(table.match, table.now) == (0, 1)
    happened = table.does(0, TimeOut(), "timeout")
    assert happened == ["DecisionTimedOut", "PassChosen"]
    assert [h.cause for h in table.said[-2:]] == ["timeout", "timeout"]
    assert life.overdue_seats(table.match, table.now) == (1,)


def test_bot_plays_after_repeated_timeouts_until_the_player_returns():
    table = started(clock=Clock(per_decision_seconds=60, max_defaults=2))
    rng = Random(1)
    while not table.match.by_bot[0]:
        table.now += 60_000
        late = life.overdue_seats(table.match, table.now)
        if 0 in late:
            table.does(0, TimeOut(), "timeout")
        else:
            seat = life.to_act(table.match)[0]
            table.does(seat, table.match.game.legal(table.match.table, seat)[0].sample(rng), "bot")
    assert table.kinds().count("DecisionTimedOut") == 2
    assert life.legal(table.match, 0) == ()
    assert table.does(0, TakeSeatBack())[0] == "SeatTakenBack"
    assert table.match.clocks.defaults[0] == 0


def test_bank_is_used_after_the_time_of_the_decision():
    table = started(clock=Clock(per_decision_seconds=10, bank_seconds=100))
    move = life.legal(table.match, 0)[0].sample(Random(0))
    table.now += 25_000
    assert table.does(0, move)[:2] == ["PassChosen", "BankSpent"]
    assert table.match.clocks.banks[0].left == 85_000


def test_consecutive_default_moves_are_counted():
    table = started(clock=Clock(per_decision_seconds=60, max_defaults=2))
    late = iter([True, False] * 10)
    while table.match.hand_no == 1:
        for seat in [s for s in life.to_act(table.match) if s > 0]:
            table.does(seat, table.match.game.legal(table.match.table, seat)[0].sample(Random(1)), "bot")
        if life.to_act(table.match) == (0,):
            if next(late):
                table.now += 60_000
                table.does(0, TimeOut(), "timeout")
            else:
                table.does(0, life.legal(table.match, 0)[0].sample(Random(1)))
    assert table.kinds().count("DecisionTimedOut") > 2
    assert "SeatHandedToBot" not in table.kinds()


@pytest.mark.parametrize(
    ("game", "seats", "chosen", "clock"),
    [
        ("hearts", 4, {"variant": "3-2-2-3"}, MINUTE),
        ("two_handed_hearts", 2, {"revoke_mode": "honour", "revoke_detection": "claim"}, MINUTE),
        ("crazy_eights", 3, {"restock": True}, MINUTE),
        ("gin_rummy", 4, {}, MINUTE),
        ("trio", 4, {"teams": True, "swap_seconds": 60}, MINUTE),
        ("trio", 4, {"teams": True, "swap_seconds": 60}, Clock()),
    ],
)
def test_every_reader_sees_when_decisions_fall_due(game, seats, chosen, clock):
    """The start and the end of a decision are public, whoever saw the move."""
    table = Table(game, ("me",) * seats, chosen, clock, seed=4)
    readers = [life.initial_match(GAMES[table.game], "m-1", table.events[0]) for _ in range(seats + 1)]
    true = life.initial_match(GAMES[table.game], "m-1", table.events[0])
    rng = Random(2)
    seen_events = 1
    for _ in range(120):
        for event in table.events[seen_events:]:
            life.evolve(true, event)
            for seat, reader in zip((*range(seats), None), readers, strict=True):
                life.evolve(reader, view_event(event, seat))
        seen_events = len(table.said)
        assert (
            {life.first_due_time(reader) for reader in readers}
            == {life.first_due_time(table.match)}
            == {life.first_due_time(true)}
        )
        if table.match.over:
            break
        table.now += 1_000
        seat = rng.choice(life.to_act(table.match))
        table.does(seat, rng.choice(life.legal(table.match, seat)).sample(rng))


def test_false_claim_does_not_change_the_clock_of_the_claimant():
    table = Table(
        "two_handed_hearts", ("me", "me"),
        {"mode": "replenish", "revoke_mode": "honour", "revoke_detection": "claim"}, MINUTE,
    )  # fmt: skip
    for _ in range(2):  # a trick in which both follow suit if they can
        seat = life.to_act(table.match)[0]
        table.does(seat, table.match.game.timing.default(table.match.table, seat))
    seat = life.to_act(table.match)[0]
    until = table.match.clocks.asked[seat]
    table.now += 50_000
    claim = table.match.game.moves["claim_revoke"](1, 1 - seat)
    assert table.does(seat, claim) == ["ClaimRejected"]
    assert table.match.clocks.asked[seat] == until


OFF_TURN_CLOCKS = [
    Clock(kind="canadian", period_seconds=90, period_moves=2, bank_seconds=30),
    Clock(kind="fischer", bank_seconds=60, increment_seconds=20),
    Clock(kind="byo_yomi", bank_seconds=10, period_seconds=20, periods=4),
    Clock(per_decision_seconds=10, bank_seconds=90),
]


@pytest.mark.parametrize("clock", OFF_TURN_CLOCKS, ids=lambda clock: clock.kind)
def test_moves_out_of_turn_neither_use_nor_refill_the_clock(clock):
    """The open decision then uses as much time as it would have without them."""
    banks = []
    for moves_off_turn in (0, 3):
        table = Table("fivewells", ("me", "me"), {}, clock)
        (seat, *_) = life.to_act(table.match)
        before, until = table.match.clocks.banks, table.match.clocks.asked[seat]
        for _ in range(moves_off_turn):
            table.now += 12_000
            assert table.does(seat, table.match.game.moves["set_stops"](())) == ["StopsSet"]
        assert (table.match.clocks.banks, table.match.clocks.asked[seat]) == (before, until)
        table.now = 1_000_000 + 40_000
        table.defaults(seat)
        banks.append(table.match.clocks.banks[seat])
    assert banks[0] == banks[1]


def test_expired_decision_records_the_number_of_consecutive_ones():
    table = started(clock=Clock(per_decision_seconds=60, max_defaults=9))
    table.now += 60_000
    table.does(0, TimeOut(), "timeout")
    assert [e.defaults for e in table.events if isinstance(e, DecisionTimedOut)] == [1]
    assert (table.match.clocks.defaults[0], table.match.clocks.moved[0]) == (1, False)


def test_on_time_move_resets_the_timeout_count_but_a_bots_move_does_not():
    table = started(clock=Clock(per_decision_seconds=60, max_defaults=9))
    table.does(0, life.legal(table.match, 0)[0].sample(Random(0)))
    bot = life.bots_to_act(table.match)[0]
    table.does(bot, table.match.game.legal(table.match.table, bot)[0].sample(Random(0)), "bot")
    assert (table.match.clocks.moved[0], table.match.clocks.moved[bot], table.match.clocks.moved[1]) == (
        True,
        False,
        False,
    )


def test_a_move_can_be_taken_back_until_another_seat_has_answered():
    table = started(clock=MINUTE, chosen={"take_backs": True})
    table.now += 20_000
    first, second = (life.legal(table.match, seat)[0].sample(Random(0)) for seat in (0, 1))
    assert table.does(0, first)[:2] == ["PassChosen", "UndoKept"]
    assert table.match.undo.left == 40_000
    assert table.does(1, second)[:2] == ["PassChosen", "UndoKept"]
    assert table.match.undo.seat == 1
    bot = life.bots_to_act(table.match)[0]
    move = table.match.game.legal(table.match.table, bot)[0].sample(Random(0))
    assert table.does(bot, move, "bot")[:2] == ["PassChosen", "UndoLost"]
    assert table.match.undo is None


def test_takeback_events_are_absent_without_the_option():
    table = started()
    table.plays_on(until=lambda m: m.hand_no > 1)
    assert not {"UndoKept", "UndoLost"} & set(table.kinds())


def test_timeout_uses_up_the_bank():
    table = started(clock=Clock(per_decision_seconds=10, bank_seconds=60))
    table.now += 70_000
    assert table.does(0, TimeOut(), "timeout")[:2] == ["DecisionTimedOut", "BankSpent"]
    assert table.match.clocks.banks[0].left == 0


def test_late_confirmation_of_the_next_hand_uses_the_bank():
    table = started(clock=Clock(per_decision_seconds=10, bank_seconds=60), chosen={"pause_between_hands": True})
    table.plays_on(until=life.is_paused)
    table.now += 50_000
    assert table.does(0, ContinueMatch())[:2] == ["HandContinued", "BankSpent"]
    assert table.match.clocks.banks[0].left == 20_000


@pytest.mark.parametrize(
    ("on_expiry", "then"), [("bot", ["SeatHandedToBot"]), ("forfeit", ["SeatResigned", "SeatHandedToBot"])]
)
def test_action_at_expiry_is_an_option(on_expiry, then):
    table = started(clock=Clock(per_decision_seconds=60, on_expiry=on_expiry))
    table.now += 60_000
    assert table.does(0, TimeOut(), "timeout")[1:] == then


# --- Laws ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(5))
def test_match_follows_from_its_log(number):
    table = started(seed=number, clock=MINUTE, chosen={"target_score": 40, "variant": f"{number % 4 + 1}-2-2-3"})
    table.plays_on()
    assert last_state(table) == table.match


def test_decide_does_not_change_the_state():
    table = started()
    before, twin = table.match, table.match.copy()
    table.plays_on(until=lambda m: m.hand_no == 2)
    assert before == twin


def test_every_event_has_a_line_of_text():
    table = started(clock=MINUTE, chosen={"target_score": 20, "nonce_seconds": 5})
    table.does(0, Resign()) if table.match.status == "playing" else table.does(0, CloseNonces(), "timeout")
    table.plays_on()
    for event in table.events:
        line = life.describe_event(table.match.game, event)
        assert line
        assert "{" not in line


def test_unplayed_match_is_abandoned_without_a_result():
    table = started(clock=Clock(per_decision_seconds=60, max_defaults=2))
    while not table.match.over:
        late = [s for s in life.to_act(table.match) if table.match.clocks.asked[s] is not None]
        table.now = max(table.match.clocks.asked[s] for s in late) if late else table.now
        if late:
            table.does(late[0], TimeOut(), "timeout")
        else:
            seat = life.bots_to_act(table.match)[0]
            table.does(seat, table.match.game.timing.default(table.match.table, seat), "bot")
    assert table.match.status == "abandoned"
    assert table.events[-1] == MatchEnded(None, "abandoned")
    assert table.kinds()[-4:-1] == ["GameEnded", "GameWon", "SeedRevealed"]
    assert table.match == last_state(table)


def test_match_continues_for_a_player_replaced_by_a_bot_at_first_expiry():
    table = started(clock=Clock(per_decision_seconds=60, on_expiry="bot", max_defaults=3))
    table.now += 60_000
    for seat in (0, 1):
        assert table.does(seat, TimeOut(), "timeout")[:2] == ["DecisionTimedOut", "SeatHandedToBot"]
    assert not table.match.over
    assert table.does(0, TakeSeatBack())[0] == "SeatTakenBack"


@pytest.mark.parametrize("reason", ["abandoned", "cancelled", "expired"])
def test_match_without_a_result_has_a_reason(reason):
    said = {"abandoned": "no player ever moved", "cancelled": "cancelled", "expired": "expired"}
    assert said[reason] in life_event_text(MatchEnded(None, reason), "Hearts")


def test_decision_does_not_expire_on_a_day_off():
    """1 January 1970 was a Thursday."""
    table = started(clock=Clock(per_decision_seconds=10 * 3600, grace_seconds=16 * 3600, days_off=(5, 6, 7)))
    until = table.match.clocks.asked[0]
    assert until < DAY_MS < until + 16 * HOUR_MS
    settled = until + 3 * DAY_MS + 16 * HOUR_MS
    assert life.overdue_seats(table.match, settled - 1) == ()
    assert life.overdue_seats(table.match, settled) == (0, 1)
    assert life.first_settling_time(table.match) == settled


def test_nonce_time_is_extended_and_restarts_with_the_next_stage():
    table = Table(chosen={"nonce_commit": True, "nonce_seconds": 60})
    table.does(0, Sit("ann", nonce_hash=sha256(NONCE.encode()).hexdigest()))
    table.does(1, Sit("bob"))
    until = table.match.shuffles.stage_until
    for credited in (30, 50):
        seconds = credited - table.match.shuffles.stage_credited
        assert table.does(0, AwaitNonces(seconds), "timeout") == ["NoncesAwaited"]
        assert table.match.shuffles.stage_until == until + 1000 * credited
        assert table.match.shuffles.stage_credited == credited
    table.does(0, CloseNonces(), "timeout")
    assert (table.match.shuffles.stage, table.match.shuffles.stage_credited) == ("nonces", 0)
    assert table.match == last_state(table)


def test_credited_time_moves_the_deadline_and_spares_the_bank():
    table = started(clock=Clock(kind="fischer", bank_seconds=100, increment_seconds=10))
    until = table.match.clocks.asked[0]
    table.now = until
    table.does(0, Credit(50, "outage"), "timeout")
    assert table.match.clocks.asked[0] == until + 50_000
    assert 0 not in life.overdue_seats(table.match, until)
    table.does(0, table.match.game.timing.default(table.match.table, 0))
    assert table.match.clocks.banks[0].left == 60_000


# --- Taking a move back -------------------------------------------------------------------------------------


def at_play(**chosen):
    """Return a match of Hearts among four people without passing, and the seat to lead."""
    table = started(seats=("me",) * 4, chosen={"variant": "1-1-1-1", "take_backs": True, **chosen})
    table.plays_on(until=lambda m: m.game.phase(m.table) == "playing")
    return table, life.to_act(table.match)[0]


def test_move_is_taken_back_if_all_others_agree():
    table, leader = at_play()
    before = table.match
    table.does(leader, before.game.timing.default(before.table, leader))
    assert table.does(leader, RequestTakeBack()) == ["TakeBackRequested"]
    others = [s for s in range(4) if s != leader]
    assert table.does(others[0], GrantTakeBack()) == ["TakeBackGranted"]
    assert refused(table, others[0], GrantTakeBack()) == "wrong_phase"
    assert refused(table, leader, GrantTakeBack()) == "wrong_phase"
    table.does(others[1], GrantTakeBack())
    assert table.does(others[2], GrantTakeBack()) == ["TakeBackGranted", "MoveTakenBack"]
    assert table.match.table == before.table
    assert life.to_act(table.match) == (leader,)
    assert table.match == last_state(table)
    table.plays_on()
    assert table.match.over


def test_one_refusal_declines_the_takeback():
    table, leader = at_play()
    table.does(leader, table.match.game.timing.default(table.match.table, leader))
    table.does(leader, RequestTakeBack())
    assert table.does((leader + 1) % 4, RefuseTakeBack()) == ["TakeBackRefused"]
    assert refused(table, leader, RequestTakeBack()) == "wrong_phase"


def test_takeback_is_impossible_after_another_seat_shows_a_card():
    table, leader = at_play()
    for seat in (leader, (leader + 1) % 4):
        table.does(seat, table.match.game.timing.default(table.match.table, seat))
    assert refused(table, leader, RequestTakeBack()) == "wrong_phase"


def test_match_without_take_backs_has_no_takeback_commands():
    table, leader = at_play(take_backs=False)
    table.does(leader, table.match.game.timing.default(table.match.table, leader))
    assert refused(table, leader, RequestTakeBack()) == "wrong_phase"


# --- Moves by hand and by order -----------------------------------------------------------------------------


@pytest.mark.parametrize("cause", ["move", "order"])
def test_move_by_order_is_indistinguishable_from_a_move_by_hand(cause):
    table, leader = at_play(take_backs=False, standing_orders=True)
    table.said.clear()
    admitted = life.Admitted(leader, table.match.game.timing.default(table.match.table, leader), cause)
    table.match, happened = life.carry_out(table.match, admitted, table.dealer, table.now)
    assert [(type(h.event).__name__, h.cause) for h in happened[:2]] == [
        ("CardPlayed", "move"),
        ("CauseSealed", "move"),
    ]
    assert happened[1].hand == 0
    assert view_event(happened[1].event, leader) == CauseSealed(leader, cause)
    assert view_event(happened[1].event, (leader + 1) % 4) == CauseSealed(leader, None)
