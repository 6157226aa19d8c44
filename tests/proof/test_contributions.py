"""Tests that a report lists the seats or entrants whose nonces count, and blames no one for a missing nonce."""

from dataclasses import asdict
from io import BytesIO

import pytest

from domain.match.seating import Leave, Sit
from domain.tournament.entrants import CloseEntries, Enter
from events.proof.contributions import Contributions, contributions, describe_contributions
from events.proof.documents import verify_document
from events.proof.findings import Evidence, Fact
from tests.proof.test_second_verifier import agree, node, ours, reports
from tests.proof.test_tournament_records import head_of, lines, with_match, written
from tests.recorded import Recorded
from tests.tournament.evenings import ORGANISER, Evening

__all__ = ["node"]

FIRST, SECOND = "5d41402abc4b2a76", "9e107d9d372bb682"


def story(*events):
    """Return the facts of events, each `(type, data)` or `(type, data, commit)`."""
    begun = [
        ("MatchCreated", {"seats": [{"kind": "open"}] * 3}, 1),
        ("FairnessCommitted", {"epoch": 1}, 1),
        ("SeatTaken", {"seat": 0, "player": "ann"}, 1),
    ]
    later = [(*event, n)[:3] for n, event in enumerate(events, 4)]
    return [
        Fact(seq, commit, kind, 1, "move", "", data, {}, "")
        for seq, (kind, data, commit) in enumerate([*begun, *later], 1)
    ]


def nonce(seat, given=FIRST, *commit):
    return "NonceSubmitted", {"seat": seat, "nonce": given}, *commit


TAKEN = ("SeatTaken", {"seat": 1, "player": "ben"})
LEFT = ("SeatLeft", {"seat": 1})
MOVED = ("SeatTaken", {"seat": 2, "player": "ben"})
OTHER = ("SeatTaken", {"seat": 1, "player": "cat"})
STARTED: tuple[str, dict[str, int]] = ("MatchStarted", {})


@pytest.mark.parametrize(
    ("events", "found"),
    [
        ([TAKEN], Contributions()),
        ([TAKEN, STARTED], Contributions((), (), (0, 1))),
        ([TAKEN, nonce(1)], Contributions((1,))),
        ([TAKEN, nonce(1), STARTED], Contributions((1,), (), (0,))),
        ([TAKEN, nonce(0), nonce(1, SECOND), STARTED], Contributions((0, 1))),
        ([nonce(0, FIRST, 1), TAKEN, STARTED], Contributions((), (), (0, 1))),
        ([TAKEN, nonce(1, "0" * 16), STARTED], Contributions((), (), (0, 1))),
        ([TAKEN, nonce(0), nonce(1), STARTED], Contributions((0,), (), (1,))),
        ([TAKEN, nonce(1), ("SeatLeft", {"seat": 1}), STARTED], Contributions((), (), (0,))),
        ([TAKEN, nonce(1), LEFT, TAKEN, nonce(1), STARTED], Contributions((1,), (), (0,))),
        ([TAKEN, nonce(1), LEFT, MOVED, nonce(2), STARTED], Contributions((2,), (), (0,))),
        ([TAKEN, nonce(1), LEFT, OTHER, nonce(1), STARTED], Contributions((), (), (0, 1))),
        ([TAKEN, nonce(0), nonce(1), LEFT, TAKEN, nonce(1), STARTED], Contributions((0,), (), (1,))),
        ([TAKEN, nonce(1, FIRST, 1), LEFT, TAKEN, nonce(1), STARTED], Contributions((), (), (0, 1))),
        ([TAKEN, ("NonceCommitted", {"seat": 1})], Contributions()),
        ([TAKEN, ("NonceCommitted", {"seat": 1}), STARTED], Contributions((), (1,), (0,))),
        ([TAKEN, ("NonceCommitted", {"seat": 1}), nonce(1), STARTED], Contributions((1,), (), (0,))),
        ([nonce(0), STARTED, ("FairnessCommitted", {"epoch": 2}), ("NoncesAwaited", {})], Contributions()),
        ([nonce(0), STARTED, ("FairnessCommitted", {"epoch": 2}), nonce(0)], Contributions((), (), (0,))),
        ([nonce(0), STARTED, ("FairnessCommitted", {"epoch": 2}), nonce(0, SECOND)], Contributions((0,))),
        ([("SeatTaken", {"seat": 9, "player": "dan"}), nonce(9), nonce(True), ("SeatTaken", {}), STARTED],
         Contributions((), (), (0,))),
    ],
)  # fmt: skip
def test_every_players_seat_is_in_one_list_of_contributions(events, found):
    assert contributions(story(*events)) == found


def test_wording_of_a_report_accuses_no_seat():
    said = describe_contributions(Contributions((0,), (1,), (2, 3)))
    assert said == (
        " Seat 0 contributed a nonce. Seat 1 committed to a nonce that was not sent, or that the server left out."
        " Seats 2 and 3 each sent no nonce that counts, or the server left it out."
    )


def test_player_who_rejoined_with_their_nonce_contributed(node):
    table = Recorded("crazy_eights", ("me", "open", "open"))
    for seat, command in ((1, Sit("ben", nonce=FIRST)), (1, Leave()), (1, Sit("ben", nonce=FIRST)), (2, Sit("cat"))):
        table.does(seat, command)
    [((*_, contributed, unopened, unvouched), _)] = agree(node, [("returned", table.record(), ())])
    assert (contributed, unopened, unvouched) == ([1], [], [0, 2])


def reports_of(node, record):
    """Return both verifiers' findings about a tournament's record, with its head as a kept head."""
    text, kept = lines(record), head_of(record)
    return [asdict(verify_document(BytesIO(text), Evidence(kept))[1]), *reports(node, [(text, kept)])]


@pytest.mark.parametrize(
    ("nonces", "contributed", "unvouched", "words"),
    [
        (("", "", ""), [], [0, 1, 2], "No entrant gave a nonce that counts"),
        ((FIRST, "", SECOND), [0, 2], [1], "Entrants 0 and 2 each contributed a nonce."),
        ((FIRST, FIRST, "0" * 16), [0], [1, 2], "Entrants 1 and 2 each sent no nonce that counts"),
    ],
)
def test_tournament_reports_list_the_entrants_who_contributed(node, nonces, contributed, unvouched, words):
    evening = Evening()
    for number, given in enumerate(nonces):
        evening.told(Enter(f"player {number}", nonce=given))
    evening.told(CloseEntries(ORGANISER))
    for report in reports_of(node, written(evening.events)):
        assert (report["contributed"], report["unopened"], report["unvouched"]) == (contributed, [], unvouched)
        assert words in next(check["detail"] for check in report["checks"] if check["name"] == "rules")


def test_report_on_a_tournament_match_refers_to_the_tournaments_record(node):
    match = with_match()["tables"][0]
    [(_, checks)] = agree(node, [("table", match, ())])
    assert ("shuffles", True, True, None) in checks or ("shuffles", True, False, None) in checks
    for report in (ours(match), *reports(node, [(match, ())])):
        said = next(check["detail"] for check in report["checks"] if check["name"] == "shuffles")
        assert "its record shows who contributed" in said
        assert "No seat gave a nonce" not in said
