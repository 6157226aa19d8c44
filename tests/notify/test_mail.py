"""Tests mail with a real SMTP server: only to confirmed addresses, one for many matches, easy to unsubscribe from."""

import email
import smtplib
import ssl
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from email.policy import default

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult
from sqlalchemy import select, update

from domain.core.clock import Clock
from domain.match.creation import Series
from domain.tournament.entrants import CloseEntries, Enter
from domain.tournament.organiser import CancelTournament
from domain.tournament.round_tables import RuleTable
from domain.tournament.tournament_plan import TournamentPlan
from events.errors import Gone
from events.notify import feeds, ledger, mailboxes, webhooks
from events.operations.erasure import erase_player
from events.service import tournaments
from events.service.access import Caller
from events.service.context import Context
from events.service.new_match import NewMatch, SeatRequest
from events.settings import Settings
from events.store.schema.notice_schema import addresses_asked
from events.store.schema.notice_schema import mailboxes as stored
from events.store.tables import player_rows
from tests.match.table import options
from tests.notify.log import noted
from tests.services import free_port
from tests.tournament.evenings import announced
from tests.tournament.lives import terms
from workers.tasks import mail_tasks
from workers.tasks.mail_tasks import Mailer

HOUR = 3_600_000


class Inbox:
    """An SMTP server's received mails; `refuse` is its answer to a recipient, `spurn` to a message."""

    def __init__(self):
        self.letters, self.raw = [], []
        self.refuse = self.spurn = None

    async def handle_RCPT(self, server, session, envelope, address, options):  # noqa: N802 -- so it is called
        if self.refuse:
            return self.refuse
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):  # noqa: N802 -- so it is called
        if self.spurn:
            return self.spurn
        self.raw.append(envelope.content)
        letter = email.message_from_bytes(envelope.content, policy=default)
        self.letters.append((envelope.rcpt_tos, letter))
        return "250 OK"


@pytest.fixture
def smtp():
    inbox = Inbox()
    server = Controller(inbox, hostname="127.0.0.1", port=free_port())
    server.start()
    inbox.port = server.port
    yield inbox
    server.stop()


@pytest.fixture
def settings(settings, smtp):
    return replace(
        settings, dealt_mail_host="127.0.0.1", dealt_mail_port=smtp.port, dealt_mail_tls="none",
        dealt_mail_from="Dealt <cards@cards.example>",
    )  # fmt: skip


@pytest.fixture
def post(office, store, settings, now):
    """Follow the log, and send due mail."""
    mailer = Mailer(store, settings, now=now)

    def send():
        office.look()
        claimed, office.mails[:] = list(office.mails), []
        return sum(mailer.see_to(player) for player in claimed)

    return send


@pytest.fixture
def subscribed(store, post, smtp, now):
    """Give a player a confirmed address."""

    def made(player="ann", hours=0, address=None):
        address = address or f"{player}@players.example"
        mailboxes.set_mailbox(store, player, mailboxes.WantedMail(address, hours * HOUR, f"leave-{player}"), now())
        assert post() == 1
        assert mailboxes.confirm(store, player, code_in(smtp.letters[-1][1]), now())
        smtp.letters.clear()

    return made


def code_in(letter):
    return next(line.strip() for line in letter.get_content().splitlines() if line.startswith("    "))


def state(store, player="ann"):
    return mailboxes.mailbox_of(store, player).state


@pytest.mark.both_databases
def test_unconfirmed_address_gets_only_a_code(store, post, smtp, table, now):
    mailboxes.set_mailbox(store, "ann", mailboxes.WantedMail("ann@players.example", 0, "leave"), now())
    table()
    assert post() == 1
    ((to, letter),) = smtp.letters
    assert to == ["ann@players.example"]
    assert letter["From"] == "Dealt <cards@cards.example>"
    now.passes(HOUR)
    table()
    assert post() == 0
    assert not mailboxes.confirm(store, "ann", "wrong", now())
    assert not mailboxes.confirm(store, "ben", code_in(letter), now())
    assert mailboxes.confirm(store, "ann", code_in(letter), now())
    assert state(store) == "confirmed"


def test_code_is_valid_for_a_day_and_a_few_attempts(store, post, smtp, now):
    mailboxes.set_mailbox(store, "ann", mailboxes.WantedMail("ann@players.example", 0, "leave"), now())
    post()
    code = code_in(smtp.letters[0][1])
    for _ in range(mailboxes.TRIES):
        assert not mailboxes.confirm(store, "ann", "guess", now())
    assert not mailboxes.confirm(store, "ann", code, now())
    now.passes(mailboxes.AGAIN_MS)
    mailboxes.set_mailbox(store, "ann", mailboxes.WantedMail("ann@players.example", 0, "leave"), now())
    post()
    code = code_in(smtp.letters[1][1])
    now.passes(mailboxes.CODE_MS)
    assert not mailboxes.confirm(store, "ann", code, now())


@pytest.fixture
def strangers(store):
    """Return new players."""
    for player in "abcdefghijk":
        player_rows.add_player(store, player, player, player.encode() * 32, 0)


def test_address_is_recognised_in_any_spelling_after_its_player_left(store, strangers, now):
    sent = 0
    for i, player in enumerate("abcdefghij"):
        now.passes(mailboxes.AGAIN_MS)
        address = f"{'victim'[: i % 6]}{'victim'[i % 6 :].upper()}@players.example"
        sent += asked(store, player, address, now)
        erase_player(store, player, now())
    assert sent == mailboxes.Budgets().to_mailbox
    now.passes(2 * mailboxes.DAY_MS + mailboxes.AGAIN_MS)
    ledger.sweep(store, now())
    assert not store.read(select(addresses_asked.c.at_ms))


@pytest.mark.both_databases
def test_concurrent_requests_for_one_address_get_one_confirmation(store, strangers, now):
    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(lambda player: asked(store, player, "victim@players.example", now), "abcdefgh")) == 1


def asked(store, player, address, now, network=None, **budgets):
    """Request a confirmation, by default from a network that only this player uses; return the number of due mails.

    The answer never reveals other requests.
    """
    given = mailboxes.Budgets(**budgets)
    wanted = mailboxes.WantedMail(address, 0, f"leave-{player}", network or f"network of {player}")
    mailboxes.set_mailbox(store, player, wanted, now(), given)
    assert state(store, player) == "unconfirmed"
    return int(mailboxes.mailbox_of(store, player).claimable_ms == now())


@pytest.mark.parametrize(
    ("one", "other"),
    [("victim+1@players.example", "Victim+2@players.example"), ("vic.tim+a@gmail.com", "v.ictim@googlemail.com")],
)
def test_mailbox_has_one_limit_for_all_spellings_of_its_address(store, strangers, now, one, other):
    assert [asked(store, "a", one, now), asked(store, "b", other, now)] == [1, 0]


def test_dots_distinguish_mailboxes_except_at_known_providers(store, strangers, now):
    assert [
        asked(store, p, a, now) for p, a in (("a", "v.ictim@players.example"), ("b", "victim@players.example"))
    ] == [1, 1]


@pytest.mark.both_databases
@pytest.mark.parametrize(("budget", "domain"), [("to_domain", "one.example"), ("in_all", "{}.example")])
def test_confirmations_are_limited_per_hour_by_domain_and_in_total(store, strangers, now, budget, domain):
    def ask(player, most=3):
        return asked(store, player, f"{player}@{domain.format(player)}", now, **{budget: most})

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(ask, "abcdefgh")) == 3
    assert ask("i", most=0) == 1, "0 is no limit"
    now.passes(mailboxes.HOUR_MS)
    assert ask("k") == 1
    assert ask("j") == 1


@pytest.mark.long
@pytest.mark.both_databases
def test_one_network_cannot_block_confirmations_for_a_domain(store, now):
    """Nor from confirming at all: there is room for as many networks as there are places."""
    players = [f"p{n}" for n in range(60)]
    for player in players:
        player_rows.add_player(store, player, player, player.encode().ljust(32), 0)

    def ask(n, domain, network=None):
        return asked(store, players[n], f"{players[n]}@{domain}", now, network)

    assert sum(ask(n, "one.example", "one") for n in range(20)) == 10
    assert ask(20, "one.example") == 1
    assert sum(ask(n, f"{n}.example", "one") for n in range(21, 40)) < 10
    assert [ask(n, "one.example") for n in range(40, 59)] == [1] * 19
    assert ask(59, "two.example") == 1


def test_mail_unsent_for_the_domain_limit_does_not_count_for_its_mailbox(store, strangers, now):
    asked(store, "a", "a@one.example", now, to_domain=1)
    for player in "bcdefg":
        assert asked(store, player, "victim@one.example", now, to_domain=1) == 0
        now.passes(mailboxes.AGAIN_MS)
    now.passes(mailboxes.HOUR_MS)
    assert asked(store, "h", "victim@one.example", now, to_domain=1) == 1


def test_sent_code_stays_valid_if_a_later_code_is_not_sent(store, strangers, post, smtp, now):
    def ask(player):
        return asked(store, player, "ann@players.example", now, to_domain=1)

    assert ask("ann") == 1
    post()
    now.passes(mailboxes.AGAIN_MS)
    assert ask("ann") == 0
    assert mailboxes.confirm(store, "ann", code_in(smtp.letters[0][1]), now())


def test_unsent_mail_looks_like_a_sent_one_to_the_player(store, strangers, post, smtp, now):
    """Nor does a code open it that was sent to another address."""
    boxes = []
    for player in "ab":
        asked(store, player, "victim@players.example", now)
        post()
        boxes.append(replace(mailboxes.mailbox_of(store, player), player_id="", leave_by="", created_ms=0))
    assert len(smtp.letters) == 1
    assert boxes[0] == boxes[1]
    assert not mailboxes.confirm(store, "b", code_in(smtp.letters[0][1]), now())


def test_player_erased_during_a_request_has_nothing_recorded(store, now):
    erase_player(store, "ann", now())
    for note in (
        lambda: mailboxes.set_mailbox(store, "ann", mailboxes.WantedMail("ann@players.example", 0, "leave"), now()),
        lambda: webhooks.add(
            store, "hook", "ann", webhooks.Subscription("https://x.example/", "x.example", ""), "whsec_x", now()
        ),
        lambda: feeds.issue(store, "ann", b"s" * 32, now()),
        lambda: ledger.set_near_seconds(store, "ann", 3_600),
    ):
        with pytest.raises(Gone):
            note()


def test_confirmations_per_address_are_limited(store, strangers, now):
    sent = 0
    for player in "abcdefghij":
        now.passes(mailboxes.AGAIN_MS)
        sent += asked(store, player, "victim@players.example", now)
    assert sent == mailboxes.Budgets().to_mailbox
    now.passes(mailboxes.DAY_MS)
    assert asked(store, "k", "victim@players.example", now) == 1


def test_limit_of_confirmations_per_day_is_a_setting(store, strangers, now):
    given = {"to_mailbox": 2, "of_player": 3}
    sent = []
    for player in "abcd":
        now.passes(mailboxes.AGAIN_MS)
        sent.append(asked(store, player, "victim@players.example", now, **given))
    assert sent == [1, 1, 0, 0]
    for place in range(2):
        now.passes(mailboxes.AGAIN_MS)
        asked(store, "a", f"another{place}@players.example", now, **given)
    now.passes(mailboxes.AGAIN_MS)
    with pytest.raises(mailboxes.TooOften):
        asked(store, "a", "a.third@players.example", now, **given)
    for place in range(10):
        assert asked(store, "a", "own@players.example", now, of_player=0, to_mailbox=0, to_domain=0) == 1, place
        now.passes(mailboxes.AGAIN_MS)


def test_confirmations_per_player_are_limited(store, strangers, now):
    for place in range(mailboxes.Budgets().of_player):
        assert asked(store, "a", f"victim{place}@players.example", now) == 1
        with pytest.raises(mailboxes.TooOften):
            asked(store, "a", "another@players.example", now)
        now.passes(mailboxes.AGAIN_MS)
    with pytest.raises(mailboxes.TooOften) as refused:
        asked(store, "a", "another@players.example", now)
    assert refused.value.seconds > 3600


@pytest.mark.both_databases
def test_one_mail_covers_many_matches(store, post, smtp, subscribed, table, now):
    subscribed()
    ids = [table(clock=Clock(per_decision_seconds=86_400)), table(), table()]
    assert post() == 0
    now.passes(300_000)
    assert post() == 1
    ((_, letter),) = smtp.letters
    assert letter["Subject"] == "It is your turn in 3 matches"
    plain, html = (letter.get_body((kind,)).get_content() for kind in ("plain", "html"))
    for match_id in ids:
        assert plain.count(f"https://cards.example/v1/matches/{match_id}") == 1
        assert f'href="https://cards.example/v1/matches/{match_id}"' in html
    assert plain.count("until 2025-06-1") == 1
    assert post() == 0


def test_no_mail_is_sent_for_a_turn_taken_in_the_meantime(post, smtp, subscribed, table, plays, now):
    subscribed()
    match_id = table()
    post()
    plays(match_id, 0)
    now.passes(300_000)
    assert post() == 0
    assert smtp.letters == []


def test_invitation_is_mailed_unless_it_was_accepted(post, smtp, subscribed, matches, now):
    subscribed()
    places = (
        SeatRequest("me"),
        SeatRequest("invite", player="ann"),
        SeatRequest("open"),
        SeatRequest("open"),
    )
    new = NewMatch("hearts", options("hearts"), None, places, "public", Clock(), Series())
    taken, open_ = (matches.create(Caller("ben", "token"), new).match_id for _ in range(2))
    post()
    matches.sit(taken, Caller("ann", "token"), 1)
    now.passes(300_000)
    assert post() == 1
    text = smtp.letters[-1][1].get_body(("plain",)).get_content()
    assert "Hearts: you are invited to a match." in text
    assert (open_ in text, taken in text) == (True, False)


def test_mails_respect_the_minimum_interval_of_their_reader(post, smtp, subscribed, table, now):
    subscribed(hours=4)
    table()
    post()
    now.passes(300_000)
    assert post() == 1
    ids = []
    for _ in range(3):
        ids.append(table())
        now.passes(HOUR)
        assert post() == 0
    now.passes(HOUR)
    assert post() == 1
    text = smtp.letters[-1][1].get_body(("plain",)).get_content()
    assert all(match_id in text for match_id in ids)


def test_near_deadline_is_mailed_in_time(post, smtp, subscribed, table, now):
    subscribed(hours=48)
    table()
    post()
    now.passes(300_000)
    assert post() == 1
    table(clock=Clock(per_decision_seconds=86_400))
    assert post() == 0
    now.passes(12 * HOUR)
    post()
    post()
    now.passes(300_000)
    assert post() == 1
    assert "The deadline is near." in smtp.letters[-1][1].get_body(("plain",)).get_content()


def test_every_digest_has_a_one_click_unsubscribe_link(store, post, smtp, subscribed, table, now):
    subscribed()
    table()
    post()
    now.passes(300_000)
    post()
    letter = smtp.letters[-1][1]
    assert letter["List-Unsubscribe"] == "<https://cards.example/v1/email/unsubscribe/leave-ann>"
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert "unsubscribe/leave-ann" in letter.get_body(("plain",)).get_content()
    assert letter["Auto-Submitted"] == "auto-generated"
    assert mailboxes.leave(store, "leave-ann")
    table()
    now.passes(HOUR)
    assert post() == 0
    assert state(store) == "unsubscribed"


def test_long_unsubscribe_link_stays_on_one_line(store, office, smtp, subscribed, settings, table, now):
    subscribed()
    table()
    office.look()
    now.passes(300_000)
    office.look()
    url = "https://cards.of-a-club-with-a-rather-long-name.players.example"
    assert len(url) >= 60
    assert Mailer(store, replace(settings, dealt_public_url=url), now=now).see_to("ann")
    line = f"List-Unsubscribe: <{url}/v1/email/unsubscribe/leave-ann>\r\n"
    assert line.encode() in smtp.raw[-1]


def test_permanently_refused_address_gets_no_more_mail(store, post, smtp, subscribed, table, now):
    subscribed()
    table()
    post()
    smtp.spurn = "554 no such thing here"
    now.passes(300_000)
    assert post() == 0
    assert state(store) == "refused"


@pytest.mark.long
def test_unconfirmed_address_is_dropped_after_a_day(store, post, smtp, now):
    mailboxes.set_mailbox(store, "ann", mailboxes.WantedMail("ann@players.example", 0, "leave"), now())
    smtp.spurn = "451 later"
    for _ in range(24):
        post()
        assert state(store) == "unconfirmed"
        now.passes(HOUR)
    now.passes(5 * HOUR)
    post()
    assert state(store) == "refused"


def test_unreachable_mail_server_is_retried_and_nothing_is_lost(post, smtp, subscribed, table, now):
    subscribed()
    table()
    post()
    smtp.refuse = "451 later"
    now.passes(300_000)
    assert post() == 0
    assert post() == 0
    smtp.refuse = None
    now.passes(60_000)
    assert post() == 1
    assert "your turn" in smtp.letters[-1][1]["Subject"]


def test_refused_address_gets_no_more_mail(store, post, smtp, subscribed, table, now):
    subscribed()
    table()
    post()
    smtp.refuse = "550 no such user"
    now.passes(300_000)
    assert post() == 0
    assert state(store) == "refused"
    smtp.refuse = None
    now.passes(HOUR)
    assert post() == 0


def test_mail_repeated_after_a_crash_has_the_same_message_id(store, post, smtp, subscribed, table, now, monkeypatch):
    subscribed()
    table()
    post()
    now.passes(300_000)
    with monkeypatch.context() as patch:
        patch.setattr(mailboxes, "mark_notices_sent", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            post()
    assert post() == 0
    now.passes(mailboxes.LEASE_MS + 2)
    assert post() == 1
    assert len({letter["Message-ID"] for _, letter in smtp.letters}) == 1
    assert len(smtp.letters) == 2


def test_address_cannot_inject_headers_or_recipients(store, post, smtp, now):
    """The API accepts no such address; and even if one were stored, nothing would be sent to it."""
    for evil in (
        "ann@players.example\r\nBcc: all@players.example",
        "=?utf-8?q?a=0D=0ABcc=3A_v=40e.org?=@x.org",
    ):
        mailboxes.set_mailbox(store, "ann", mailboxes.WantedMail("ann@players.example", 0, "leave"), now())
        store.change(update(stored).values(address=evil))
        assert post() == 0
        assert state(store) == "refused"
        now.passes(HOUR)
    assert smtp.letters == []


def test_no_mail_is_due_without_a_mail_server(store, settings, now, office):
    assert not mail_tasks.is_on(Settings())
    assert mail_tasks.is_on(settings)


@pytest.mark.both_databases
def test_erasing_a_player_deletes_their_address(store, post, subscribed, table):
    subscribed()
    table()
    post()
    erase_player(store, "ann", 1)
    assert mailboxes.mailbox_of(store, "ann") is None
    assert mailboxes.queued_notices(store, "ann") == []
    assert noted(store, "ann") == []


@pytest.mark.parametrize("written", ["", None])
def test_unreadable_password_postpones_the_mail(written, store, settings, office, now, tmp_path):
    file = tmp_path / "password"
    if written is not None:
        file.write_text(written)
    given = replace(settings, dealt_mail_user="dealt", dealt_mail_password_file=str(file))
    mailboxes.set_mailbox(store, "ann", mailboxes.WantedMail("ann@players.example", 0, "leave"), now())
    office.look()
    assert office.mails == ["ann"]
    assert not Mailer(store, given, now=now).see_to("ann")
    box = mailboxes.mailbox_of(store, "ann")
    assert (box.attempts, box.lease_ms, box.claimable_ms) == (1, 0, now() + mailboxes.PAUSES_MS[0])


def test_smtp_connection_is_encrypted_and_authenticated(authority, trusted, tmp_path):
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("localhost").configure_cert(context)
    inbox, known = Inbox(), []

    def check(server, session, envelope, mechanism, data):
        known.append((data.login, data.password))
        return AuthResult(success=data.password == b"word")

    server = Controller(
        inbox, hostname="127.0.0.1", port=free_port(), tls_context=context, require_starttls=True, authenticator=check,
        auth_required=True,
    )  # fmt: skip
    server.start()
    (tmp_path / "password").write_text("word\n")
    given = Settings(
        dealt_mail_host="localhost", dealt_mail_port=server.port,
        dealt_mail_user="dealt", dealt_mail_password_file=str(tmp_path / "password"),
    )  # fmt: skip
    letter = email.message.EmailMessage()
    letter["From"] = letter["To"] = "a@players.example"
    letter.set_content("x")
    try:
        mail_tasks.deliver(given, letter, "a@players.example")
        assert known == [(b"dealt", b"word")]
        assert len(inbox.letters) == 1
        with pytest.raises((OSError, smtplib.SMTPException)):
            mail_tasks.deliver(replace(given, dealt_mail_tls="none"), letter, "a@players.example")
    finally:
        server.stop()


@pytest.mark.long
def test_mail_names_only_the_current_round(store, post, smtp, subscribed, now):
    subscribed(hours=4)
    context = Context(store, now=now)
    plan = TournamentPlan("swiss", 2, 2, rounds=3)
    one = tournaments.announce_tournament(context, announced(plan, organiser="zoe", terms=terms())).head.match_id
    tournaments.command_tournament(context, one, [Enter("ann"), Enter("ben"), CloseEntries("zoe")])
    tournaments.command_tournament(context, one, [RuleTable("zoe", 0, (1, 2), "It was agreed.")])
    post()
    now.passes(HOUR)
    assert post() == 1
    ((_, letter),) = smtp.letters
    assert letter["Subject"] == "Your card game"
    text = letter.get_body(("plain",)).get_content()
    assert text.count("the next round of your tournament is paired") == 1
    assert text.count(f"https://cards.example/v1/tournaments/{one}") == 1
    tournaments.command_tournament(context, one, [CancelTournament("zoe", "Rain.")])
    now.passes(4 * HOUR)
    post()
    now.passes(HOUR)
    post()
    text = smtp.letters[-1][1].get_body(("plain",)).get_content()
    assert "a tournament is over" in text
    assert "is paired" not in text
