"""Tests recovery of a lost token with a mailed code; the answers reveal no one's address."""

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from sqlalchemy import delete, select, update

from events.ids import hash_secret
from events.notify import ledger, mailboxes, recoveries
from events.notify.mailboxes import Budgets, budgets_of
from events.notify.restored import quieten
from events.operations.erasure import erase_player
from events.store import leases
from events.store.schema.notice_schema import addresses_asked, former_addresses, recoveries_asked, recovery_codes
from events.store.schema.notice_schema import mailboxes as stored
from events.store.schema.player_schema import players
from tests.api.client import Client, code
from workers.notifier import Notifier
from workers.tasks.mail_tasks import Mailer

RECOVERY = "/v1/recovery"
CONFIRM = "/v1/recovery/confirm"
HALF_AN_HOUR = 30 * 60


@pytest.fixture
def settings(settings):
    return replace(
        settings,
        dealt_mail_host="127.0.0.1",
        dealt_mail_from="Dealt <cards@cards.example>",
        dealt_public_url="https://cards.example",
        dealt_mails_an_hour=0,
        dealt_mails_to_domain_an_hour=0,
        dealt_mails_in_all_an_hour=0,
    )


@pytest.fixture(autouse=True)
def nothing_asked(store):
    """Other tests share the store."""
    yield
    for table in (recoveries_asked, recovery_codes, addresses_asked, former_addresses, stored):
        store.change(delete(table))


class Post:
    """Send due mail; `letters` are the sent mails, each with its address, and `broken` means an unreachable server."""

    def __init__(self, store, settings, now):
        self.letters, self.broken, self.claimed = [], False, []
        self._mailer = Mailer(store, settings, now=now, send=self._take)
        self._notifier = Notifier(store, settings, lambda *_: None, self.claimed.append, now=now)

    def _take(self, message, to):
        if self.broken:
            raise OSError
        self.letters.append((to, message))

    def goes(self):
        self._notifier.look()
        claimed, self.claimed[:] = list(self.claimed), []
        for player in claimed:
            self._mailer.see_to(player)


@pytest.fixture
def post(store, settings, clock):
    Post(store, settings, clock).goes()  # other tests of this store may have left mail to be sent
    return Post(store, settings, clock)


@pytest.fixture
def confirmed(store, clock):
    """Give a player a confirmed address; return the address."""

    def made(player, address, every_ms=0):
        budgets = Budgets(0, 0)
        mailboxes.set_mailbox(
            store, player.id, mailboxes.WantedMail(address, every_ms, f"leave-{player.id}"), clock(), budgets
        )
        values = {"state": "confirmed", "claimable_ms": None}
        store.change(update(stored).where(stored.c.player_id == player.id).values(values))
        store.change(delete(addresses_asked))  # as if it had been long ago
        return address

    return made


def asks(client, mail):
    return client.post(RECOVERY, {"mail": mail})


def code_in(letter):
    return next(line.strip() for line in letter.get_content().splitlines() if line.startswith("    "))


@pytest.fixture
def sent(stranger, post):
    """Request a code for an address; return it."""

    def made(mail):
        assert asks(stranger, mail).status_code == 202
        post.goes()
        return code_in(post.letters[-1][1])

    return made


# --- Getting a new token ----------------------------------------------------------------------------------


@pytest.mark.both_databases
@pytest.mark.parametrize("by", ["mail", "handle", "MAIL", "HANDLE"])
def test_lost_token_can_be_replaced_with_a_code_mailed_to_a_confirmed_address(by, app, ada, stranger, confirmed, sent):
    address = confirmed(ada, "ada@players.example")
    bot = ada.post("/v1/players/me/tokens", {"name": "bot", "scopes": ["read"]}).json["token"]
    named = {"mail": address, "handle": ada.handle, "MAIL": address.upper(), "HANDLE": ada.handle.upper()}[by]
    made = stranger.post(CONFIRM, {by.lower(): named, "code": f" {sent(address).upper()} "})
    assert (made.status_code, made.json["id"], made.json["handle"]) == (201, ada.id, ada.handle)
    assert Client(app, made.json["token"]).get("/v1/players/me").json["id"] == ada.id
    for old in (ada.token, bot):
        assert code(Client(app, old).get("/v1/players/me")) == (401, "unauthenticated")
    assert Client(app, made.json["token"]).get("/v1/players/me/tokens").json["items"] == []


def test_recovery_mail_explains_itself_and_the_next_step(ada, confirmed, sent, post):
    sent(confirmed(ada, "ada@players.example"))
    ((to, letter),) = post.letters
    text = letter.get_content()
    assert (to, letter["To"], letter["Auto-Submitted"]) == (
        "ada@players.example",
        "ada@players.example",
        "auto-generated",
    )
    for said in (
        ada.handle,
        "https://cards.example",
        "half an hour",
        "If it was not you",
        "All tokens of programs",
    ):
        assert said in text
    assert ada.token not in text


def test_recovery_code_is_unguessable_and_only_its_hash_is_stored(ada, confirmed, sent, store):
    known = sent(confirmed(ada, "ada@players.example"))
    assert re.fullmatch("[a-z2-7]{26}", known)
    ((kept, *rest),) = store.read(select(recovery_codes))
    assert kept == hash_secret(known)
    assert known not in str(rest)


@pytest.mark.both_databases
def test_code_works_once_even_in_concurrent_requests(app, ada, confirmed, sent):
    body = {"handle": ada.handle, "code": sent(confirmed(ada, "ada@players.example"))}
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda _: Client(app).post(CONFIRM, body), range(4)))
    assert sorted(one.status_code for one in made) == [201, 403, 403, 403]
    assert {code(one) for one in made if one.status_code != 201} == {(403, "bad_code")}


def test_code_expires_after_half_an_hour(stranger, ada, confirmed, sent, clock):
    address = confirmed(ada, "ada@players.example")
    body = {"mail": address, "code": sent(address)}
    clock.passes(HALF_AN_HOUR)
    assert code(stranger.post(CONFIRM, body)) == (403, "bad_code")
    assert ada.get("/v1/players/me").status_code == 200


def test_earlier_code_stays_valid_until_any_code_is_used(stranger, ada, confirmed, sent, clock):
    """Requesting codes for other players does not invalidate the codes that they are about to enter."""
    address = confirmed(ada, "ada@players.example")
    first = sent(address)
    clock.passes(60)
    second = sent(address)
    assert first != second
    assert stranger.post(CONFIRM, {"mail": address, "code": first}).status_code == 201
    assert code(stranger.post(CONFIRM, {"mail": address, "code": second})) == (403, "bad_code")


def test_code_is_valid_only_for_its_address_and_player(stranger, ada, ben, confirmed, sent):
    address, other = confirmed(ada, "ada@players.example"), confirmed(ben, "ben@players.example")
    known = sent(address)
    for wrong in ({"mail": other}, {"handle": ben.handle}, {"handle": "nobody-at-all"}, {"mail": "x@players.example"}):
        assert code(stranger.post(CONFIRM, {**wrong, "code": known})) == (403, "bad_code")
    assert ben.get("/v1/players/me").status_code == 200
    assert stranger.post(CONFIRM, {"mail": address, "code": known}).status_code == 201


@pytest.mark.parametrize("end", ["another", "removed", "unsubscribed", "erased"])
def test_code_is_invalid_once_the_address_is_no_longer_the_players(end, stranger, ada, confirmed, sent, store, clock):
    address = confirmed(ada, "ada@players.example")
    known = sent(address)
    clock.passes(60)
    {
        "another": lambda: confirmed(ada, "new@players.example"),
        "removed": lambda: mailboxes.remove(store, ada.id, clock()),
        "unsubscribed": lambda: mailboxes.leave(store, f"leave-{ada.id}"),
        "erased": lambda: erase_player(store, ada.id, clock()),
    }[end]()
    for named in ({"mail": address}, {"handle": ada.handle}):
        assert code(stranger.post(CONFIRM, {**named, "code": known})) == (403, "bad_code")


def test_handle_selects_one_of_several_players_with_one_address(stranger, ada, ben, confirmed, sent, post):
    for player in (ada, ben):
        address = confirmed(player, "both@players.example")
    known = sent(address)
    ((_, letter),) = post.letters
    assert ada.handle in letter.get_content()
    assert ben.handle in letter.get_content()
    refused = stranger.post(CONFIRM, {"mail": address, "code": known})
    assert code(refused) == (422, "bad_arguments")
    assert "handle" in refused.json["errors"]["mail"][0]
    assert stranger.post(CONFIRM, {"handle": ben.handle, "code": known}).json["id"] == ben.id
    assert ada.get("/v1/players/me").status_code == 200


def test_recovery_ignores_case_and_mails_the_confirmed_address(ada, confirmed, sent, post):
    confirmed(ada, "Ada@Players.example")
    sent("aDA@players.EXAMPLE")
    assert [to for to, _ in post.letters] == ["Ada@Players.example"]


# --- Nobody learns anything -------------------------------------------------------------------------------


@pytest.fixture
def statements(store, monkeypatch):
    """Return the statements sent to the database, without their parameters."""
    made = []
    write, read = store.write, store.read

    def watched(work):
        def inside(connection):
            execute = connection.execute

            def noted(statement, *args):
                made.append(str(statement))
                return execute(statement, *args)

            monkeypatch.setattr(connection, "execute", noted)
            return work(connection)

        return write(inside)

    monkeypatch.setattr(store, "write", watched)
    monkeypatch.setattr(store, "read", lambda asked, **values: made.append(str(asked)) or read(asked, **values))
    return made


@pytest.mark.both_databases
def test_recovery_does_not_reveal_whether_the_address_is_known(stranger, ada, ben, confirmed, statements, store, clock):
    confirmed(ada, "ada@players.example")
    mailboxes.set_mailbox(store, ben.id, mailboxes.WantedMail("ben@players.example", 0, "leave-ben"), clock())
    done = []
    for mail in ("ada@players.example", "ben@players.example", "nobody@players.example"):
        statements.clear()
        answer = asks(stranger, mail)
        headers = {name: value for name, value in answer.headers if name not in ("X-Request-Id", "Date")}
        done.append((answer.status_code, answer.data, headers, list(statements)))
    assert done[0] == done[1] == done[2]
    assert len(done[0][3]) == 1
    assert "INSERT INTO recoveries_asked" in done[0][3][0]


@pytest.mark.both_databases
def test_wrong_code_gets_the_same_answer_at_the_same_cost_for_every_player(
    stranger, ada, ben, confirmed, sent, statements
):
    known = confirmed(ada, "ada@players.example")
    sent(known)
    done = []
    for named in (
        {"mail": known}, {"mail": "nobody@players.example"},
        {"handle": ada.handle}, {"handle": ben.handle}, {"handle": "nobody-at-all"},
    ):  # fmt: skip
        statements.clear()
        answer = stranger.post(CONFIRM, {**named, "code": "a" * 26})
        assert code(answer) == (403, "bad_code")
        done.append((answer.data, list(statements)))
    assert all(one == done[0] for one in done)


def test_codes_are_sent_only_to_confirmed_addresses(stranger, ada, ben, post, store, confirmed, clock):
    mailboxes.set_mailbox(
        store, ada.id, mailboxes.WantedMail("ada@players.example", 0, "leave-ada"), clock(), Budgets(0, 0)
    )
    post.goes()
    assert len(post.letters) == 1  # the code to confirm it
    confirmed(ben, "ben@players.example")
    mailboxes.leave(store, f"leave-{ben.id}")
    for mail in ("ada@players.example", "ben@players.example", "nobody@players.example", "ada+x@players.example"):
        clock.passes(60)
        assert asks(stranger, mail).status_code == 202
    post.goes()
    assert len(post.letters) == 1
    assert store.read(select(recoveries_asked)) == []


def test_codes_per_mailbox_are_limited_and_unsent_ones_do_not_count(stranger, ada, ben, confirmed, post, store, clock):
    addresses = confirmed(ada, "ada@players.example"), confirmed(ben, "ada+ben@players.example")
    for n in range(2 * Budgets().to_mailbox):
        for mail in ("ada+x@players.example", "nobody@players.example", addresses[n % 2]):
            asks(stranger, mail)
            post.goes()
        clock.passes(60)
    assert sorted({to for to, _ in post.letters}) == sorted(addresses)
    assert len(post.letters) == len(store.read(select(addresses_asked.c.at_ms))) == Budgets().to_mailbox


def test_several_requests_in_a_minute_send_one_mail(stranger, ada, confirmed, post, clock):
    address = confirmed(ada, "ada@players.example")
    for _ in range(3):
        asks(stranger, address)
        post.goes()
        clock.passes(5)
    assert len(post.letters) == 1


@pytest.fixture
def few(settings):
    """Return settings with one confirmation per hour for a domain and in total, and one per day for a mailbox."""
    return replace(
        settings, dealt_mails_to_domain_an_hour=1, dealt_mails_in_all_an_hour=1, dealt_mails_to_mailbox_a_day=1
    )


@pytest.mark.both_databases
def test_requests_for_other_addresses_do_not_use_up_a_players_mail(ada, ben, player, confirmed, store, few, clock):
    """Requests for invented addresses and other players use up no one's budget, so the answers reveal nothing about
    them."""
    post, address = Post(store, few, clock), confirmed(ada, "ada@players.example")
    confirmed(player(name="Cara"), "cara@players.example")
    for mail in (*(f"q{n}@players.example" for n in range(5)), "cara@players.example"):
        recoveries.ask(store, mail, clock())
        post.goes()
    recoveries.ask(store, address, clock())
    mailboxes.set_mailbox(
        store, ben.id, mailboxes.WantedMail("ben@players.example", 0, "leave-ben"), clock(), budgets_of(few)
    )
    post.goes()
    assert sorted(to for to, _ in post.letters) == [f"{name}@players.example" for name in ("ada", "ben", "cara")]


def test_confirmation_mails_do_not_use_up_the_budget_of_codes(ada, ben, confirmed, store, few, clock):
    """Nor do those for the same mailbox, or for an address that looks like the key of its budget."""
    post, address = Post(store, few, clock), confirmed(ada, "ada@players.example")
    for mail in ("ada+x@players.example", "recovery|ada@players.example"):
        mailboxes.set_mailbox(store, ben.id, mailboxes.WantedMail(mail, 0, "leave-ben"), clock(), Budgets(0, 0, 1, 0))
        clock.passes(60)
    recoveries.ask(store, address, clock())
    post.goes()
    assert address in [to for to, _ in post.letters]


def test_requested_codes_per_address_are_limited_per_hour(store, settings, clock):
    from api.app import create_app

    limited = replace(settings, dealt_rate_per_second=500, dealt_mails_an_hour=2)
    client = Client(create_app(limited, store=store, now=clock))
    answers = [asks(client, f"x{n}@players.example") for n in range(3)]
    assert [one.status_code for one in answers] == [202, 202, 429]
    assert int(answers[2].headers["Retry-After"]) > 0


def test_wrong_codes_block_only_the_network_that_tried_them(stranger, ada, confirmed, sent, clock):
    address = confirmed(ada, "ada@players.example")
    known = sent(address)
    wrong = [stranger.post(CONFIRM, {"mail": address, "code": "a" * 26}) for _ in range(recoveries.TRIES + 1)]
    assert [one.status_code for one in wrong] == [403] * recoveries.TRIES + [429]
    right = {"mail": address, "code": known}
    assert code(stranger.post(CONFIRM, right)) == (429, "too_many_requests")
    assert 0 < int(stranger.post(CONFIRM, right).headers["Retry-After"]) <= 3600
    elsewhere = stranger.post(CONFIRM, right, environ_overrides={"REMOTE_ADDR": "192.0.2.1"})
    assert elsewhere.status_code == 201


# --- What is sent, and when -------------------------------------------------------------------------------


def test_unsendable_mail_is_retried_until_its_code_expires(stranger, ada, confirmed, post, clock):
    address = confirmed(ada, "ada@players.example")
    post.broken = True
    asks(stranger, address)
    post.goes()
    post.broken = False
    clock.passes(60)
    post.goes()
    assert stranger.post(CONFIRM, {"mail": address, "code": code_in(post.letters[0][1])}).status_code == 201
    post.broken = True
    asks(stranger, address)
    post.goes()
    post.broken = False
    clock.passes(HALF_AN_HOUR)
    post.goes()
    assert len(post.letters) == 1


def test_code_requested_during_a_delivery_is_sent_next(stranger, ada, confirmed, post, store, clock):
    address = confirmed(ada, "ada@players.example")
    store.change(update(stored).where(stored.c.player_id == ada.id).values(claimable_ms=clock()))
    post._notifier.look()
    asks(stranger, address)
    recoveries.schedule_recovery_mails(store, 0, clock())
    (box,) = leases.take(store, mailboxes.MAILS, mailboxes.Mailbox, clock(), "worker", player_id=ada.id)
    old = replace(box, recovery_ms=None)  # as it was when the other mail was started
    mailboxes.mark_notices_sent(store, old, [], clock(), mailed=True)
    post.claimed.clear()
    post.goes()
    assert len(post.letters) == 1
    post.goes()
    assert len(post.letters) == 1


def test_request_that_waited_too_long_is_dropped(ada, confirmed, post, store, clock):
    recoveries.ask(store, confirmed(ada, "ada@players.example"), clock())
    clock.passes(HALF_AN_HOUR)
    post.goes()
    assert post.letters == []
    assert store.read(select(recoveries_asked)) == []


def test_expired_codes_are_deleted_and_a_restored_server_starts_without_codes(ada, confirmed, sent, store, clock):
    address = confirmed(ada, "ada@players.example")
    sent(address)
    clock.passes(HALF_AN_HOUR + 1)
    ledger.sweep(store, clock())
    assert store.read(select(recovery_codes)) == []
    sent(address)
    recoveries.ask(store, address, clock())
    quieten(store, clock())
    assert store.read(select(recovery_codes)) == store.read(select(recoveries_asked)) == []


def test_codes_of_an_erased_player_contain_no_address(ada, confirmed, sent, store, clock):
    sent(confirmed(ada, "ada@players.example"))
    erase_player(store, ada.id, clock())
    assert store.read(select(recovery_codes)) == []


# --- What is refused --------------------------------------------------------------------------------------


@pytest.mark.parametrize("mail", ["", "ada", "a@b", "a b@c.example", "a@c.example\n", "a,b@c.example", 7, None, ["x"]])
def test_invalid_address_is_refused(mail, stranger):
    assert code(asks(stranger, mail)) == (422, "bad_arguments")


@pytest.mark.parametrize(
    "body",
    [
        {"code": "x"}, {"mail": "a@players.example"}, {"mail": "a@players.example", "handle": "ada", "code": "x"},
        {"mail": "a@players.example", "code": "x" * 41}, {"handle": "a", "code": "x"}, {"handle": "ada", "code": 7},
        {"handle": "ada", "code": None}, {"handle": "ada", "code": "x", "token": "x"},
    ],
)  # fmt: skip
def test_confirmation_without_a_code_or_a_player_is_refused(body, stranger):
    assert code(stranger.post(CONFIRM, body)) == (422, "bad_arguments")


def test_recovery_routes_accept_no_idempotency_key(stranger):
    key = {"Idempotency-Key": "a"}
    refused = [
        stranger.post(RECOVERY, {"mail": "a@players.example"}, headers=key),
        stranger.post(CONFIRM, {"handle": "ada", "code": "x"}, headers=key),
    ]
    assert {code(one) for one in refused} == {(400, "bad_request")}


def test_recovery_reports_a_server_without_mail(app, stranger, settings):
    from api.http.app_state import store_app_state

    state = app.extensions["dealt"]
    store_app_state(app, replace(state, settings=replace(settings, dealt_mail_host="")))
    assert code(asks(stranger, "a@players.example")) == (409, "no_mail")


def test_only_the_hash_of_the_new_token_is_stored(stranger, ada, confirmed, sent, store):
    address = confirmed(ada, "ada@players.example")
    token = stranger.post(CONFIRM, {"mail": address, "code": sent(address)}).json["token"]
    assert store.read(select(players.c.token_hash).where(players.c.player_id == ada.id)) == [(hash_secret(token),)]


# --- An address that is changed ---------------------------------------------------------------------------

EMAIL = "/v1/players/me/email"
WEEK = 7 * 24 * 3600


@pytest.fixture
def robbed(app, ada, confirmed, post, clock):
    """Let a thief with Ada's token change or remove her address; return the address and the mail to it."""

    def made(change="another"):
        address = confirmed(ada, "Ada@players.example", 3_600_000)
        clock.passes(60)
        thief = Client(app, ada.token)
        if change == "removed":
            assert thief.delete(EMAIL).status_code == 204
        else:
            assert thief.put(EMAIL, {"address": "thief@elsewhere.example"}).status_code == 200
        post.goes()
        return address, next(letter for to, letter in post.letters if to == address)

    return made


@pytest.mark.both_databases
@pytest.mark.parametrize("change", ["another", "removed"])
def test_former_address_is_notified_and_can_recover_the_player(change, app, ada, stranger, robbed):
    bot = ada.post("/v1/players/me/tokens", {"name": "bot", "scopes": ["read"]}).json["token"]
    address, letter = robbed(change)
    back = stranger.post(CONFIRM, {"mail": address.upper(), "code": code_in(letter)})
    assert (back.status_code, back.json["id"]) == (201, ada.id)
    for token in (ada.token, bot):
        assert Client(app, token).get("/v1/players/me").status_code == 401
    box = Client(app, back.json["token"]).get(EMAIL).json
    assert (box["address"], box["state"], box["every_hours"]) == (address, "confirmed", 1)


def test_mail_to_a_former_address_reveals_no_new_address_or_token(ada, robbed):
    _, letter = robbed()
    text = letter.get_content()
    assert "elsewhere" not in letter.as_string()
    assert ada.token not in text
    for said in (ada.handle, "https://cards.example", "If it was you, do nothing.", "within a week", CONFIRM):
        assert said in text


def test_answer_to_an_address_change_hides_the_former_address(ada, confirmed):
    confirmed(ada, "ada@players.example")
    assert "players.example" not in ada.put(EMAIL, {"address": "new@elsewhere.example"}).get_data(as_text=True)


def test_only_a_confirmed_former_address_is_notified_and_only_once(ada, post, clock, robbed):
    robbed()
    clock.passes(60)
    ada.put(EMAIL, {"address": "third@elsewhere.example"})
    for _ in range(3):
        post.goes()
        clock.passes(60)
    told = [to for to, letter in post.letters if letter["Subject"] == "Your email address was changed"]
    assert told == ["Ada@players.example"]


def test_code_of_a_former_address_expires_after_a_week(stranger, robbed, clock):
    address, letter = robbed()
    clock.passes(WEEK)
    assert code(stranger.post(CONFIRM, {"mail": address, "code": code_in(letter)})) == (403, "bad_code")


def test_code_of_a_former_address_works_once(stranger, robbed, clock):
    address, letter = robbed()
    body = {"mail": address, "code": code_in(letter)}
    clock.passes(WEEK - 1)
    assert stranger.post(CONFIRM, body).status_code == 201
    assert code(stranger.post(CONFIRM, body)) == (403, "bad_code")


def test_former_address_code_is_valid_only_for_its_address_and_player(ada, ben, stranger, robbed, store):
    _, letter = robbed()
    for wrong in ({"mail": "thief@elsewhere.example"}, {"handle": ben.handle}):
        assert code(stranger.post(CONFIRM, {**wrong, "code": code_in(letter)})) == (403, "bad_code")
    ((kept,),) = store.read(select(former_addresses.c.code_hash))
    assert kept == hash_secret(code_in(letter))
    assert stranger.post(CONFIRM, {"handle": ada.handle, "code": code_in(letter)}).status_code == 201


def test_code_of_the_earlier_address_change_wins(app, ada, stranger, robbed, post, store, clock):
    """A thief can neither keep a stolen account by changing the address twice, nor reclaim it."""
    address, first = robbed()
    store.change(update(stored).where(stored.c.player_id == ada.id).values(state="confirmed", claimable_ms=None))
    clock.passes(60)
    ada.put(EMAIL, {"address": "second@elsewhere.example"})
    post.goes()
    second = next(one for to, one in post.letters if one["Subject"] == first["Subject"] and to.startswith("thief"))
    stolen = {"mail": "thief@elsewhere.example", "code": code_in(second)}
    assert stranger.post(CONFIRM, stolen).status_code == 201
    assert stranger.post(CONFIRM, {"mail": address, "code": code_in(first)}).status_code == 201
    assert code(stranger.post(CONFIRM, stolen)) == (403, "bad_code")


def test_unsendable_mail_to_a_former_address_is_retried(ada, stranger, confirmed, post, clock):
    address = confirmed(ada, "ada@players.example")
    post.broken = True
    ada.delete(EMAIL)
    post.goes()
    post.broken = False
    post.goes()
    assert post.letters == []
    clock.passes(60)
    post.goes()
    ((_, letter),) = post.letters
    assert stranger.post(CONFIRM, {"mail": address, "code": code_in(letter)}).status_code == 201


@pytest.mark.parametrize("end", ["erased", "a week later"])
def test_former_address_is_deleted_after_a_week(end, ada, robbed, store, clock):
    robbed()
    if end == "erased":
        erase_player(store, ada.id, clock())
    else:
        clock.passes(WEEK + 1)
        ledger.sweep(store, clock())
    assert store.read(select(former_addresses)) == []


def test_restored_database_notifies_no_former_address(ada, confirmed, post, store, clock):
    confirmed(ada, "ada@players.example")
    ada.delete(EMAIL)
    quieten(store, clock())
    post.goes()
    assert post.letters == []
