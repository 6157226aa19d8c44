"""Players that use the page with the keyboard, by touch or with the mouse, and their waiting conditions."""

import json

import requests

OVER = "[...document.querySelectorAll('.sheet > button')].some((one) => one.textContent === 'Play again')"
TURN = "document.querySelector('.turn.mine')"
CAN = "document.querySelector('.felt button:enabled, .actions button:enabled:not(details *)')"
READY = f"({OVER}) || ({TURN} && {CAN})"
FORWARD = ".felt button:enabled, .actions > button:enabled, .actions > form button[type=submit]"
LOOKS = """document.body.innerText + [...document.querySelectorAll('.felt button')].map((one) => one.ariaPressed)
+ performance.getEntriesByType('resource').filter((one) => one.name.endsWith('/moves')).length"""
"""A press changes this; a second refusal of the same move changes only the number of requests."""
UNREADY = ".some *, .leaving *, .together *, .pace *"
"""Selects elements that are disabled until more is chosen, or by the device, and not because an answer is awaited."""
SOME = ".actions > .some .main"
"""Selects the button that sends the chosen cards."""
AIMED = "main:has(.together.laid .main:disabled) .felt button.fits"
"""Selects a target required for sending."""
PAIRS = ".actions:not(:has(> [role=alert] .problem)) > .together:has(.pairs) [type=submit]:enabled"
"""Selects the button that sends pairs as they are; after a refusal it is not pressed again."""
ASKED = f"""(({{...all}}) => {{
  for (const one in all) all[one] = Boolean(document.querySelector(all[one]));
  return all;
}})({json.dumps({"some": SOME, "aimed": AIMED, "pairs": PAIRS, "question": ".ask"})})"""
"""The kinds of choices currently offered."""
MOST_WAYS = 20
"""The maximum number of searches for the way to an element, which may come and go."""
WAY = """(() => {
  const all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")].filter(
    (one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility());
  const at = Math.max(0, all.indexOf(document.activeElement)), wanted = %s;
  const round = [...all.slice(at), ...all.slice(0, at)].flatMap((one, way) => one.matches(wanted) ? [way] : []);
  const way = round[%d %% round.length], isHere = document.activeElement === all[at];
  return round.length && (isHere ? way || "here" : way + 1);
})()"""
"""Returns how often the Tab key must be pressed to focus a matching element, or that it has the focus."""
MOST_CHOSEN = 30
"""The maximum number of cards in a choice of several."""
NEAR = 0.9
"""How often a player presses one of the first buttons."""
SENT = 0.5
"""How often pairs that are pressed on the table are sent as they are."""
TOO_SMALL = """[...document.querySelectorAll('main button:enabled, main a')].filter((one) => {
  const {width, height} = one.getBoundingClientRect();
  return width && (width < 44 || height < 44);
}).map((one) => one.outerHTML)"""
"""Lists elements that are too small for a finger."""
CHECKS = """[...document.querySelectorAll('.checks li')].filter((one) => !one.textContent.includes('public log'))
.map((one) => one.className)"""
"""The page's findings about a record, except the log proof, which a record gets soon after its end."""
VERSION = "Number(document.querySelector('.felt')?.dataset.version)"


def player(base, name):
    """Return the request headers of a new player."""
    made = requests.post(f"{base}/v1/players", json={"name": name}, timeout=60)
    return {"Authorization": f"Bearer {made.json()['token']}"}


def against(bots):
    """Return the seats of a match of one player against bots."""
    return [{"kind": "me"}, *[{"kind": "bot"}] * bots]


def opens(page, base, game, seats, options, more=None):
    """Open a match of a guest; return its address in the API and the guest's request headers."""
    mine = player(base, "Guest")
    table = {"game": game, "options": options, "seats": seats, **(more or {})}
    made = requests.post(f"{base}/v1/matches", json=table, headers=mine, timeout=60).json()
    page.evaluates(f"localStorage.setItem('dealt.token /', '{mine['Authorization'].removeprefix('Bearer ')}')")
    page.opens(f"{base}/play#m={made['id']}")
    page.until("location.pathname === '/play' && document.querySelector('.felt, .lobby')")
    page.evaluates("performance.setResourceTimingBufferSize(100000)")
    return f"{base}/v1/matches/{made['id']}", mine


class Keyboard:
    """Presses elements reached with the Tab key."""

    def __init__(self, page):
        self.page = page

    def presses(self, selector, number):
        for _ in range(MOST_WAYS):
            way = self.page.finds(WAY % (json.dumps(selector), number))
            if way == "here":
                self.page.presses("Enter")
                return
            self.page.tabs(way)
            number = 0  # if it did not get there, the next one will do
        raise AssertionError(f"no way to {selector}")


class Finger:
    """Touches elements on a narrow screen, where everything is large enough."""

    def __init__(self, page):
        self.page = page
        page.is_wide(360, 740)
        page.has_touch(is_there=True)

    def presses(self, selector, number):
        # A new element is small until its styles have arrived.
        assert self.page.finds(f"!{TOO_SMALL}.length && document.documentElement.scrollWidth") <= 360
        self.page.taps(selector, number)


class Mouse:
    """Clicks elements with the mouse."""

    def __init__(self, page):
        self.page = page

    def presses(self, selector, number):
        self.page.points(selector, number)


def presses(page, hand, selector, number=0):
    """Press one of the elements that match the selector, and wait for an effect."""
    seen = page.finds(f"{{looks: {LOOKS}}}")["looks"]  # a page that is reloading has no body for a moment
    hand.presses(selector, number)
    page.until(f"{LOOKS} !== {json.dumps(seen)} && !document.querySelector('main [disabled]:not({UNREADY})')")


def plays(page, hand, rng):
    """Make a move: choose cards if required, else press any button."""
    asked = page.evaluates(ASKED)
    if asked["some"]:
        for _ in range(MOST_CHOSEN):
            if page.evaluates(f"Boolean(document.querySelector('{SOME}:enabled'))"):
                break
            presses(page, hand, ".felt button[aria-pressed=false]")
        presses(page, hand, SOME)
    elif asked["aimed"]:
        presses(page, hand, AIMED, rng.randrange(4))
    elif rng.random() < SENT and asked["pairs"]:
        presses(page, hand, PAIRS)
    else:
        # Payments that are refused repeatedly leave the first buttons unchanged: now and then take another.
        number = rng.randrange(4) if rng.random() < NEAR else rng.randrange(40)
        presses(page, hand, ".ask .main:enabled" if asked["question"] else FORWARD, number)


def fails(part, times):
    """Make the server fail in this many requests whose address contains a text.

    The page counts such requests in `asked_`; `fails_` is the number of failures to come.
    """
    return f"""(() => {{
  const asks = window.fetch;
  Object.assign(window, {{asked_: 0, fails_: {times}}});
  window.fetch = (address, how) => {{
    if (!String(address).includes({json.dumps(part)})) return asks(address, how);
    window.asked_ += 1;
    if (window.fails_ <= 0) return asks(address, how);
    window.fails_ -= 1;
    return Promise.resolve(new Response('{{"title": "The server has failed", "code": "internal_error"}}',
      {{status: 500}}));
  }};
}})()"""


def tampers(address, right, wrong):
    """Make the server lie in answers of addresses with this ending, by replacing the first occurrence of these
    words."""
    return f"""(() => {{
  const asks = window.fetch;
  window.fetch = async (address, how) => {{
    const answer = await asks(address, how);
    if (!address.endsWith({json.dumps(address)})) return answer;
    return new Response((await answer.text()).replace({json.dumps(right)}, {json.dumps(wrong)}));
  }};
}})()"""
