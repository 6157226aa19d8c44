"""Tests the page at `/docs` in Chromium: what an integrator reads and tries, and what a reload keeps."""

import json
from contextlib import contextmanager
from threading import Thread
from types import SimpleNamespace

import pytest
from werkzeug.serving import WSGIRequestHandler, make_server

from api.app import create_app
from events.settings import Settings
from tests import built
from tests.api.description import SPEC
from tests.api.driven import blocking
from tests.draws import first_of

SECRET = "a-token-that-nobody-has-0123456789"
FORM = "document.querySelector('form.trial')"
OUTCOME = "document.querySelector('.outcome .status')"
PLACES = ["/docs", "/docs#createMatch", "/docs#listEvents", "/docs#makeMove", "/docs#sendYourTurn",
    "/docs/how-to/notifications", "/docs/rules/hearts", "/docs/contract", "/docs/problems"]  # fmt: skip


class Silent(WSGIRequestHandler):
    """Log nothing."""

    def log(self, *args):
        pass


@contextmanager
def serving(store, **settings):
    app = create_app(Settings(dealt_rate_per_second=0, **settings), store=store)
    app.wsgi_app = blocking(app.wsgi_app)
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Silent)
    thread = Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(scope="module")
def servers(sqlite):
    """Return two servers, one of them below a path."""
    with serving(sqlite) as plain, serving(sqlite, dealt_public_url="https://a.example/cards") as below:
        yield SimpleNamespace(plain=plain, below=f"{below}/cards")


@pytest.fixture
def page(chromium, servers):
    """Return an empty page without stored data; it must report no error until the end of the test."""
    chromium.is_wide(1280)
    chromium.opens(f"{servers.plain}/docs/problems")
    chromium.until("location.pathname === '/docs/problems'")
    chromium.evaluates("sessionStorage.clear(); localStorage.clear()")
    chromium.errors.clear()
    yield chromium
    assert chromium.errors == []


def opens(page, address):
    page.opens("about:blank")
    page.until("location.href === 'about:blank'")
    page.opens(address)
    page.until("document.querySelector('.group a') || document.querySelector('.guide h1')")
    page.until("document.readyState === 'complete'")  # with its styles


def goes_to(page, operation):
    page.evaluates(f"location.hash = '{operation}'")
    page.until(f"document.querySelector('.group a[href=\"#{operation}\"][aria-current]') && {FORM}")


def sends(page):
    """Send the form; return the status."""
    page.evaluates(f"{OUTCOME}?.remove()")
    page.clicks("form.trial button.main")
    page.until(f"{OUTCOME} && !{FORM}.querySelector('button.main').disabled")
    return page.evaluates(f"{OUTCOME}.textContent")[:3]


def field(page, name):
    """Return the text of a field's row in the body schema."""
    row = f"[...document.querySelectorAll('.field')].find((one) => one.querySelector('.name').textContent === '{name}')"
    return page.evaluates(f"{row}.innerText.replace(/\\s+/g, ' ')")


@pytest.mark.parametrize("where", first_of(["plain", "below"]))
def test_registered_player_and_token_are_kept_after_a_reload(page, servers, where):
    opens(page, f"{getattr(servers, where)}/docs#createPlayer")
    page.until(FORM)
    assert sends(page) == "201"
    assert "••••" in page.evaluates("document.querySelector('.answer pre').textContent")
    page.clicks(".fresh button.main")
    token = page.evaluates("document.getElementById('token').value")
    assert len(token) > 20
    assert page.evaluates("document.getElementById('token').type") == "password"
    page.reloads()
    page.until("document.getElementById('token').value")
    assert page.evaluates("document.getElementById('token').value") == token
    goes_to(page, "getMe")
    assert sends(page) == "200"
    assert "Ada" in page.evaluates("document.querySelector('.answer pre').textContent")
    assert "X-Request-Id" in page.evaluates("document.querySelector('.answer .headers').textContent")
    line = page.evaluates("document.querySelector('.curl code').textContent")
    assert '-H "Authorization: Bearer $TOKEN"' in line
    assert f"{getattr(servers, where)}/v1/players/me" in line
    assert token not in page.evaluates("document.documentElement.outerHTML + location.href")


def test_example_can_be_sent_and_its_result_reused(page, servers):
    opens(page, f"{servers.below}/docs#createPlayer")
    page.until(FORM)
    sends(page)
    page.clicks(".fresh button.main")
    goes_to(page, "createMatch")
    area = "document.querySelector('form.trial textarea').value"
    first = page.evaluates(area)
    page.chooses("select.examples", 1)
    second = json.loads(page.evaluates(area))
    assert json.loads(first) != second
    assert json.dumps(second["game"]) in page.evaluates("document.querySelector('.curl code').textContent")
    page.chooses("select.examples", 0)
    assert sends(page) == "201"
    made = page.evaluates("JSON.parse(document.querySelector('.answer pre').textContent).id")
    goes_to(page, "listMoves")
    assert page.evaluates("document.querySelector('[data-parameter=match_id]').value") == made
    assert sends(page) == "200"
    asked = page.evaluates("JSON.parse(document.querySelector('.answer pre').textContent)")
    goes_to(page, "makeMove")
    assert json.loads(page.evaluates(area)) == asked["moves"][0]["example"]


def test_nested_schemas_open_on_demand(page, servers):
    opens(page, f"{servers.plain}/docs#recover")
    page.until(FORM)
    pattern = SPEC["components"]["schemas"]["Recovery"]["properties"]["mail"]["pattern"]
    assert "`" in pattern
    assert page.evaluates("document.querySelector('.field .limits code').textContent") == pattern
    goes_to(page, "createMatch")
    page.until("document.querySelector('.union')")
    assert "always" in field(page, "game")
    assert 'one of "public"' in field(page, "visibility")
    body = "document.querySelectorAll('.union')[0]"
    kinds = page.evaluates(f"[...{body}.querySelector('select').options].map((one) => one.textContent)")
    assert len(kinds) == len(set(kinds)) >= 7
    unopened = page.evaluates(f"{body}.querySelectorAll('.field').length")
    page.evaluates(f"{body}.querySelector('details.fold').open = true")
    page.until(f"{body}.querySelectorAll('.field').length > {unopened} + 5")
    page.chooses(".union select", 3)
    assert kinds[3] in field(page, "game")


def test_recursive_and_very_large_schemas_are_shown(page, servers):
    opens(page, f"{servers.plain}/docs")
    drawn = page.evaluates(
        "(async () => {"
        + built.bundle("""
      import {reader} from "#page/schema.js";
      import {whole} from "#page/tree.js";
      const self = {$ref: "#/components/schemas/Self"};
      const properties = {again: self, list: {type: ["array", "null"], items: self}};
      const wide = Object.fromEntries([...Array(60).keys()].map((i) => [`f${i}`, {type: "object", properties:
        Object.fromEntries([...Array(60).keys()].map((j) => [`g${j}`, {type: "integer", minimum: 0, maximum: j}]))}]));
      const Self = {type: "object", properties, required: ["again"]};
      const read = reader({paths: {}, components: {schemas: {Self, Wide: {type: "object", properties: wide}}}});
      const box = document.createElement("div");
      document.body.append(box);
      box.append(...whole(read, {$ref: "#/components/schemas/Self"}));
      for (let depth = 0; depth < 40; depth++) {
        const closed = [...box.querySelectorAll("details:not([open])")].pop();
        closed.open = true;
        await new Promise((done) => closed.addEventListener("toggle", done, {once: true}));
      }
      const deep = box.querySelectorAll(".field").length;
      const words = box.innerText;
      box.replaceChildren(...whole(read, {$ref: "#/components/schemas/Wide"}));
      globalThis.drawn = {deep, words, wide: box.querySelectorAll(".field").length};
    """)
        + "return drawn; })()"
    )
    assert drawn["deep"] == 2 * 41
    assert "list of Self or null" in drawn["words"]
    assert "Self, as above" in drawn["words"]
    assert drawn["wide"] == 60


def test_largest_operations_use_few_elements(page, servers):
    opens(page, f"{servers.plain}/docs")
    for operation in ("createMatch", "getMatch", "listEvents", "makeMove"):
        goes_to(page, operation)
        assert page.evaluates("document.querySelectorAll('*').length") < 2000


def test_every_operation_links_its_problems(page, servers):
    opens(page, f"{servers.below}/docs#makeMove")
    page.until("document.querySelector('.problems details')")
    page.evaluates("document.querySelectorAll('.problems details').forEach((one) => { one.open = true })")
    page.until("document.querySelector('.problems a[href$=\"#not_your_turn\"]')")
    link = page.evaluates("document.querySelector('.problems a[href$=\"#not_your_turn\"]').href")
    assert link == f"{servers.below}/docs/problems#not_your_turn"


def test_token_is_kept_in_the_tab_or_on_request_in_the_browser(page, servers):
    def stored():
        return page.evaluates("[sessionStorage, localStorage].map((one) => Object.values(one).join())")

    opens(page, f"{servers.plain}/docs")
    page.clicks("#token-button")
    page.evaluates("document.getElementById('token').focus()")
    page.types(SECRET)
    assert stored() == [SECRET, ""]
    page.clicks("#token-kept")
    assert stored() == ["", SECRET]
    page.reloads()
    page.until("document.getElementById('token').value")
    assert page.evaluates("document.getElementById('token-kept').checked")
    page.clicks("#token-button")
    page.clicks("#token-show")
    assert page.evaluates("document.getElementById('token').type") == "text"
    page.presses("Escape")
    page.until("!document.getElementById('token-dialog').open && document.getElementById('token').type === 'password'")
    page.clicks("#token-forget")
    assert stored() == ["", ""]
    assert page.evaluates("document.getElementById('token-button').textContent") == "Token: none"


def test_servers_below_different_paths_have_separate_tokens(page, servers):
    below = servers.below.removesuffix("/cards")
    opens(page, f"{below}/cards/docs")
    keys = page.evaluates(
        "(async () => {"
        + built.bundle(f"""import {{tokenOf}} from "#page/token.js";
      tokenOf("{below}/cards").use("{SECRET}");
      globalThis.found = [tokenOf("{below}/cards").value, tokenOf("{below}").value];""")
        + "return found; })()"
    )
    assert keys == [SECRET, ""]


@pytest.mark.parametrize("place", first_of(PLACES, 3))
def test_phone_layout_fits_the_width_and_has_large_targets(page, servers, place):
    page.is_wide(360, 740)
    opens(page, servers.below + place)
    if "#" in place and "problems" not in place:
        page.until("document.querySelector('article h1')")
    page.evaluates("document.querySelectorAll('details').forEach((one) => { one.open = true })")
    page.until("[...document.querySelectorAll('details.fold[open]')].every((one) => one.children.length > 1)")
    assert page.evaluates("document.documentElement.scrollWidth") == 360
    # Codes are not broken, so two columns of a guide for programs may have to be scrolled; those of the rules do not.
    tables = "[...document.querySelectorAll('.guide table')].filter((one) => one.scrollWidth > one.clientWidth + 1)"
    assert "/rules/" not in place or page.evaluates(f"{tables}.map((one) => one.innerText.slice(0, 40))") == []
    small = page.evaluates("""[...document.querySelectorAll("a, button, select, input, textarea, summary")]
      .filter((one) => one.offsetParent && !one.closest("p, dd, td, .guide, .skip, label.tick"))
      .filter((one) => one.getBoundingClientRect().height < 43.9).map((one) => one.outerHTML.slice(0, 100))""")
    assert small == []


def test_search_works_with_only_the_keyboard(page, servers):
    opens(page, f"{servers.plain}/docs")
    page.presses("Tab")
    assert page.evaluates("document.activeElement.id") == "skip"
    assert page.evaluates("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.evaluates("document.activeElement.blur()")
    page.presses("/")
    assert page.evaluates("document.activeElement.id") == "search"
    page.types("legal seat moves")
    found = page.evaluates("document.getElementById('found').textContent")
    assert 0 < int(found.split()[0]) < 9
    page.presses("Enter")
    page.until(FORM)
    assert page.evaluates("document.activeElement === document.querySelector('article h1')")
    assert page.evaluates("document.title").endswith("Dealt API")
    for _ in range(60):
        page.presses("Tab")
        if page.evaluates(f"document.activeElement === {FORM}.querySelector('button.main')"):
            break
    assert page.evaluates("document.activeElement.textContent") == "Send"


def test_search_shows_the_likeliest_operation_or_topic_first(page, servers):
    opens(page, f"{servers.below}/docs")
    page.presses("/")
    page.types("takeback")
    assert page.evaluates("document.querySelector('#results a').hash") == "#makeMove"
    assert page.evaluates("document.getElementById('operations').offsetParent") is None
    page.evaluates("document.getElementById('search').select()")
    page.types("retry")
    page.presses("Enter")
    page.until("document.activeElement.id === 'topic-retry-and-idempotency'")
    page.evaluates("document.getElementById('search').select()")
    page.evaluates("document.getElementById('search').focus()")
    page.types("follow a match live")
    page.presses("Enter")
    page.until("location.pathname === '/cards/docs/how-to/play-over-the-api'")
    assert page.evaluates("location.hash") == "#follow-a-match-live"


@pytest.mark.long
def test_shell_command_sends_exactly_the_request(page, servers):
    opens(page, f"{servers.plain}/docs")
    made = page.evaluates(
        "(async () => {"
        + built.bundle("""import {asCurl, asRequest} from "#page/request.js";
      const operation = {path: "/v1/{who}", method: "post", said: {}};
      const given = [{name: "who", place: "path", value: "a/b'c"}, {name: "q", place: "query", value: "1&2"},
        {name: "empty", place: "query", value: ""}, {name: "If-Match", place: "header", value: '"1"'}];
      const request = asRequest("https://a.example", operation, given,
        {accept: "", type: "application/json", body: "@it's", hasToken: true});
      globalThis.made = [request.address, asCurl(request), asRequest("", {...operation, said: {security: []}}, given,
        {accept: "", type: "", body: "", hasToken: true}).isMine];""")
        + "return made; })()"
    )
    assert made[0] == "https://a.example/v1/a%2Fb'c?q=1%262"
    assert made[1].split(" \\\n  ") == [
        "curl -sS -i -X POST 'https://a.example/v1/a%2Fb'\\''c?q=1%262'",
        '-H "Authorization: Bearer $TOKEN"',
        "-H 'If-Match: \"1\"'",
        "-H 'Content-Type: application/json'",
        "--data-raw '@it'\\''s'",
    ]
    assert made[2] is False
