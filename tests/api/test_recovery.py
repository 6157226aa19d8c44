"""A lost token: a new one for a code that goes to a confirmed address, and nobody learns whose an address is."""

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
from events.store.schema import addresses_asked, former_addresses, players, recoveries_asked, recovery_codes
from events.store.schema import mailboxes as stored
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
    """Others who test share the store."""
    yield
    for table in (recoveries_asked, recovery_codes, addresses_asked, former_addresses, stored):
        store.change(delete(table))


class Post:
    """Sends what is due; `letters` are what was sent, each with its address. `broken`: no server answers."""

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
    """Give a player an address that is confirmed."""

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
    """Ask for a code for an address; gives it."""

    def made(mail):
        assert asks(stranger, mail).status_code == 202
        post.goes()
        return code_in(post.letters[-1][1])

    return made


# --- Getting a new token ----------------------------------------------------------------------------------


@pytest.mark.both_databases
@pytest.mark.parametrize("by", ["mail", "handle", "MAIL", "HANDLE"])
def test_a_lost_token_is_replaced_by_a_code_that_was_sent_to_a_confirmed_address(
    by, app, ada, stranger, confirmed, sent
):
    address = confirmed(ada, "ada@players.example")
    bot = ada.post("/v1/players/me/tokens", {"name": "bot", "scopes": ["read"]}).json["token"]
    named = {"mail": address, "handle": ada.handle, "MAIL": address.upper(), "HANDLE": ada.handle.upper()}[by]
    made = stranger.post(CONFIRM, {by.lower(): named, "code": f" {sent(address).upper()} "})
    assert (made.status_code, made.json["id"], made.json["handle"]) == (201, ada.id, ada.handle)
    assert Client(app, made.json["token"]).get("/v1/players/me").json["id"] == ada.id
    for old in (ada.token, bot):
        assert code(Client(app, old).get("/v1/players/me")) == (401, "unauthenticated")
    assert Client(app, made.json["token"]).get("/v1/players/me/tokens").json["items"] == []


def test_the_mail_says_what_it_is_and_what_to_do(ada, confirmed, sent, post):
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
        "all tokens that programs have",
    ):
        assert said in text
    assert ada.token not in text


def test_a_code_cannot_be_guessed_and_only_its_hash_is_kept(ada, confirmed, sent, store):
    known = sent(confirmed(ada, "ada@players.example"))
    assert re.fullmatch("[a-z2-7]{26}", known)
    ((kept, *rest),) = store.read(select(recovery_codes))
    assert kept == hash_secret(known)
    assert known not in str(rest)


@pytest.mark.both_databases
def test_a_code_is_good_once_also_if_it_is_sent_many_times_at_once(app, ada, confirmed, sent):
    body = {"handle": ada.handle, "code": sent(confirmed(ada, "ada@players.example"))}
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda _: Client(app).post(CONFIRM, body), range(4)))
    assert sorted(one.status_code for one in made) == [201, 403, 403, 403]
    assert {code(one) for one in made if one.status_code != 201} == {(403, "bad_code")}


def test_a_code_ends_after_half_an_hour(stranger, ada, confirmed, sent, clock):
    address = confirmed(ada, "ada@players.example")
    body = {"mail": address, "code": sent(address)}
    clock.passes(HALF_AN_HOUR)
    assert code(stranger.post(CONFIRM, body)) == (403, "bad_code")
    assert ada.get("/v1/players/me").status_code == 200


def test_a_later_code_leaves_the_one_before_in_force_and_all_end_with_the_first_that_is_used(
    stranger, ada, confirmed, sent, clock
):
    """Who asks for codes for others does not void what they are about to type."""
    address = confirmed(ada, "ada@players.example")
    first = sent(address)
    clock.passes(60)
    second = sent(address)
    assert first != second
    assert stranger.post(CONFIRM, {"mail": address, "code": first}).status_code == 201
    assert code(stranger.post(CONFIRM, {"mail": address, "code": second})) == (403, "bad_code")


def test_a_code_is_for_its_own_address_and_player_alone(stranger, ada, ben, confirmed, sent):
    address, other = confirmed(ada, "ada@players.example"), confirmed(ben, "ben@players.example")
    known = sent(address)
    for wrong in ({"mail": other}, {"handle": ben.handle}, {"handle": "nobody-at-all"}, {"mail": "x@players.example"}):
        assert code(stranger.post(CONFIRM, {**wrong, "code": known})) == (403, "bad_code")
    assert ben.get("/v1/players/me").status_code == 200
    assert stranger.post(CONFIRM, {"mail": address, "code": known}).status_code == 201


@pytest.mark.parametrize("end", ["another", "removed", "unsubscribed", "erased"])
def test_a_code_opens_nothing_once_the_address_is_not_the_players_any_longer(
    end, stranger, ada, confirmed, sent, store, clock
):
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


def test_of_several_players_of_one_address_the_handle_names_one(stranger, ada, ben, confirmed, sent, post):
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


def test_an_address_is_found_whatever_its_case_and_the_mail_goes_where_it_was_confirmed(ada, confirmed, sent, post):
    confirmed(ada, "Ada@Players.example")
    sent("aDA@players.EXAMPLE")
    assert [to for to, _ in post.letters] == ["Ada@Players.example"]


# --- Nobody learns anything -------------------------------------------------------------------------------


@pytest.fixture
def statements(store, monkeypatch):
    """Give the statements that the database was asked, without what was filled in."""
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
def test_asking_does_the_same_work_and_answers_the_same_whether_the_address_is_known_or_not(
    stranger, ada, ben, confirmed, statements, store, clock
):
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
def test_a_wrong_code_costs_and_answers_the_same_whoever_is_named(stranger, ada, ben, confirmed, sent, statements):
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


def test_a_code_is_sent_to_confirmed_addresses_alone(stranger, ada, ben, post, store, confirmed, clock):
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


def test_what_one_mailbox_is_sent_is_limited_and_what_is_not_sent_costs_nothing(
    stranger, ada, ben, confirmed, post, store, clock
):
    addresses = confirmed(ada, "ada@players.example"), confirmed(ben, "ada+ben@players.example")
    for n in range(2 * Budgets().to_mailbox):
        for mail in ("ada+x@players.example", "nobody@players.example", addresses[n % 2]):
            asks(stranger, mail)
            post.goes()
        clock.passes(60)
    assert sorted({to for to, _ in post.letters}) == sorted(addresses)
    assert len(post.letters) == len(store.read(select(addresses_asked.c.at_ms))) == Budgets().to_mailbox


def test_several_requests_in_a_minute_are_one_mail(stranger, ada, confirmed, post, clock):
    address = confirmed(ada, "ada@players.example")
    for _ in range(3):
        asks(stranger, address)
        post.goes()
        clock.passes(5)
    assert len(post.letters) == 1


@pytest.fixture
def few(settings):
    """Give settings by which a domain, and all together, get one confirmation an hour, and a mailbox one a day."""
    return replace(
        settings, dealt_mails_to_domain_an_hour=1, dealt_mails_in_all_an_hour=1, dealt_mails_to_mailbox_a_day=1
    )


@pytest.mark.both_databases
def test_requests_for_others_keep_no_mail_from_anybody(ada, ben, player, confirmed, store, few, clock):
    """Neither invented addresses nor players' take what others get: so none can be told from another by it."""
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


def test_confirmations_keep_nobody_from_a_new_token(ada, ben, confirmed, store, few, clock):
    """Not even those of the same mailbox, nor of an address that reads like what its budget is kept by."""
    post, address = Post(store, few, clock), confirmed(ada, "ada@players.example")
    for mail in ("ada+x@players.example", "recovery|ada@players.example"):
        mailboxes.set_mailbox(store, ben.id, mailboxes.WantedMail(mail, 0, "leave-ben"), clock(), Budgets(0, 0, 1, 0))
        clock.passes(60)
    recoveries.ask(store, address, clock())
    post.goes()
    assert address in [to for to, _ in post.letters]


def test_an_address_asks_for_few_codes_an_hour(store, settings, clock):
    from api.app import create_app

    limited = replace(settings, dealt_rate_per_second=500, dealt_mails_an_hour=2)
    client = Client(create_app(limited, store=store, now=clock))
    answers = [asks(client, f"x{n}@players.example") for n in range(3)]
    assert [one.status_code for one in answers] == [202, 202, 429]
    assert int(answers[2].headers["Retry-After"]) > 0


def test_one_network_tries_few_codes_and_keeps_nobody_else_from_trying(stranger, ada, confirmed, sent, clock):
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


def test_a_mail_that_cannot_be_sent_is_sent_later_but_not_too_late(stranger, ada, confirmed, post, clock):
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


def test_one_that_is_asked_for_while_a_mail_is_being_sent_is_sent_next(stranger, ada, confirmed, post, store, clock):
    address = confirmed(ada, "ada@players.example")
    store.change(update(stored).where(stored.c.player_id == ada.id).values(claimable_ms=clock()))
    post._notifier.look()
    asks(stranger, address)
    recoveries.schedule_recovery_mails(store, 0, clock())
    (box,) = leases.take(store, mailboxes.MAILS, mailboxes.Mailbox, clock(), "worker", player_id=ada.id)
    old = replace(box, recovery_ms=None)  # as it was when the other mail was begun
    mailboxes.mark_notices_sent(store, old, [], clock(), mailed=True)
    post.claimed.clear()
    post.goes()
    assert len(post.letters) == 1
    post.goes()
    assert len(post.letters) == 1


def test_a_request_that_nobody_has_seen_to_for_long_is_dropped(ada, confirmed, post, store, clock):
    recoveries.ask(store, confirmed(ada, "ada@players.example"), clock())
    clock.passes(HALF_AN_HOUR)
    post.goes()
    assert post.letters == []
    assert store.read(select(recoveries_asked)) == []


def test_codes_that_have_ended_are_forgotten_and_a_restored_server_knows_none(ada, confirmed, sent, store, clock):
    address = confirmed(ada, "ada@players.example")
    sent(address)
    clock.passes(HALF_AN_HOUR + 1)
    ledger.sweep(store, clock())
    assert store.read(select(recovery_codes)) == []
    sent(address)
    recoveries.ask(store, address, clock())
    quieten(store, clock())
    assert store.read(select(recovery_codes)) == store.read(select(recoveries_asked)) == []


def test_an_erased_players_address_is_in_no_code(ada, confirmed, sent, store, clock):
    sent(confirmed(ada, "ada@players.example"))
    erase_player(store, ada.id, clock())
    assert store.read(select(recovery_codes)) == []


# --- What is refused --------------------------------------------------------------------------------------


@pytest.mark.parametrize("mail", ["", "ada", "a@b", "a b@c.example", "a@c.example\n", "a,b@c.example", 7, None, ["x"]])
def test_what_is_no_address_is_refused(mail, stranger):
    assert code(asks(stranger, mail)) == (422, "bad_arguments")


@pytest.mark.parametrize(
    "body",
    [
        {"code": "x"}, {"mail": "a@players.example"}, {"mail": "a@players.example", "handle": "ada", "code": "x"},
        {"mail": "a@players.example", "code": "x" * 41}, {"handle": "a", "code": "x"}, {"handle": "ada", "code": 7},
        {"handle": "ada", "code": None}, {"handle": "ada", "code": "x", "token": "x"},
    ],
)  # fmt: skip
def test_what_names_no_code_and_nobody_is_refused(body, stranger):
    assert code(stranger.post(CONFIRM, body)) == (422, "bad_arguments")


def test_neither_call_takes_a_key(stranger):
    key = {"Idempotency-Key": "a"}
    refused = [
        stranger.post(RECOVERY, {"mail": "a@players.example"}, headers=key),
        stranger.post(CONFIRM, {"handle": "ada", "code": "x"}, headers=key),
    ]
    assert {code(one) for one in refused} == {(400, "bad_request")}


def test_a_server_without_mail_says_so(app, stranger, settings):
    from api.http.app_state import store_app_state

    state = app.extensions["dealt"]
    store_app_state(app, replace(state, settings=replace(settings, dealt_mail_host="")))
    assert code(asks(stranger, "a@players.example")) == (409, "no_mail")


def test_the_hash_of_the_new_token_is_kept_alone(stranger, ada, confirmed, sent, store):
    address = confirmed(ada, "ada@players.example")
    token = stranger.post(CONFIRM, {"mail": address, "code": sent(address)}).json["token"]
    assert store.read(select(players.c.token_hash).where(players.c.player_id == ada.id)) == [(hash_secret(token),)]


# --- An address that is changed ---------------------------------------------------------------------------

EMAIL = "/v1/players/me/email"
WEEK = 7 * 24 * 3600


@pytest.fixture
def robbed(app, ada, confirmed, post, clock):
    """Let somebody who has Ada's token change or remove her address; gives the address, and the letter to it."""

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
def test_a_confirmed_address_that_is_changed_is_told_and_takes_the_player_back(change, app, ada, stranger, robbed):
    bot = ada.post("/v1/players/me/tokens", {"name": "bot", "scopes": ["read"]}).json["token"]
    address, letter = robbed(change)
    back = stranger.post(CONFIRM, {"mail": address.upper(), "code": code_in(letter)})
    assert (back.status_code, back.json["id"]) == (201, ada.id)
    for token in (ada.token, bot):
        assert Client(app, token).get("/v1/players/me").status_code == 401
    box = Client(app, back.json["token"]).get(EMAIL).json
    assert (box["address"], box["state"], box["every_hours"]) == (address, "confirmed", 1)


def test_what_a_former_address_is_told_names_no_other_address_and_no_token(ada, robbed):
    _, letter = robbed()
    text = letter.get_content()
    assert "elsewhere" not in letter.as_string()
    assert ada.token not in text
    for said in (ada.handle, "https://cards.example", "If it was you, do nothing.", "within a week", CONFIRM):
        assert said in text


def test_the_answer_to_a_change_says_nothing_of_the_former_address(ada, confirmed):
    confirmed(ada, "ada@players.example")
    assert "players.example" not in ada.put(EMAIL, {"address": "new@elsewhere.example"}).get_data(as_text=True)


def test_a_former_address_is_told_once_and_one_that_was_never_confirmed_is_not(ada, post, clock, robbed):
    robbed()
    clock.passes(60)
    ada.put(EMAIL, {"address": "third@elsewhere.example"})
    for _ in range(3):
        post.goes()
        clock.passes(60)
    told = [to for to, letter in post.letters if letter["Subject"] == "Your address was changed"]
    assert told == ["Ada@players.example"]


def test_the_code_of_a_former_address_ends_after_a_week(stranger, robbed, clock):
    address, letter = robbed()
    clock.passes(WEEK)
    assert code(stranger.post(CONFIRM, {"mail": address, "code": code_in(letter)})) == (403, "bad_code")


def test_the_code_of_a_former_address_is_good_once(stranger, robbed, clock):
    address, letter = robbed()
    body = {"mail": address, "code": code_in(letter)}
    clock.passes(WEEK - 1)
    assert stranger.post(CONFIRM, body).status_code == 201
    assert code(stranger.post(CONFIRM, body)) == (403, "bad_code")


def test_the_code_of_a_former_address_is_for_its_own_address_and_player_alone(ada, ben, stranger, robbed, store):
    _, letter = robbed()
    for wrong in ({"mail": "thief@elsewhere.example"}, {"handle": ben.handle}):
        assert code(stranger.post(CONFIRM, {**wrong, "code": code_in(letter)})) == (403, "bad_code")
    ((kept,),) = store.read(select(former_addresses.c.code_hash))
    assert kept == hash_secret(code_in(letter))
    assert stranger.post(CONFIRM, {"handle": ada.handle, "code": code_in(letter)}).status_code == 201


def test_of_two_changes_the_earlier_wins(app, ada, stranger, robbed, post, store, clock):
    """Who has stolen a player cannot keep it by changing the address once more, nor take it again."""
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


def test_a_farewell_that_cannot_be_sent_is_sent_later(ada, stranger, confirmed, post, clock):
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
def test_nothing_is_kept_of_a_former_address_in_the_end(end, ada, robbed, store, clock):
    robbed()
    if end == "erased":
        erase_player(store, ada.id, clock())
    else:
        clock.passes(WEEK + 1)
        ledger.sweep(store, clock())
    assert store.read(select(former_addresses)) == []


def test_a_restored_database_tells_no_former_address(ada, confirmed, post, store, clock):
    confirmed(ada, "ada@players.example")
    ada.delete(EMAIL)
    quieten(store, clock())
    post.goes()
    assert post.letters == []
