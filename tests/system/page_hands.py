"""Hands that play on the page, by the keyboard, by touch and by the mouse, and what they wait for."""

import json

import requests

OVER = "[...document.querySelectorAll('.actions > button')].some((one) => one.textContent === 'Play again')"
TURN = "document.querySelector('.turn.mine')"
CAN = "document.querySelector('.felt button:enabled, .actions button:enabled:not(details *)')"
READY = f"({OVER}) || ({TURN} && {CAN})"
FORWARD = ".felt button:enabled, .actions > button:enabled, .actions > form button[type=submit]"
LOOKS = """document.body.innerText + [...document.querySelectorAll('.felt button')].map((one) => one.ariaPressed)
+ performance.getEntriesByType('resource').filter((one) => one.name.endsWith('/moves')).length"""
"""A press changes this; a second refusal of the same move changes only the number of requests."""
UNREADY = ".some *, .leaving *, .together *"
"""These are disabled until more is chosen, and not because an answer is awaited."""
SOME = ".actions > .some .main"
"""Sends the cards that were chosen."""
AIMED = "main:has(.together.laid .main:disabled) .felt button.fits"
"""A target for what cannot be sent without one."""
PAIRS = ".actions:not(:has(> [role=alert] .problem)) > .together:has(.pairs) [type=submit]:enabled"
"""Sends pairs as they are; what was refused is not sent once more."""
ASKED = f"""(({{...all}}) => {{
  for (const one in all) all[one] = Boolean(document.querySelector(all[one]));
  return all;
}})({json.dumps({"some": SOME, "aimed": AIMED, "pairs": PAIRS, "question": ".ask"})})"""
"""Which kinds of choices there are now."""
MOST_WAYS = 20
"""What is wanted may come and go: the way to it is looked for so often at most."""
WAY = """(() => {
  const all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")].filter(
    (one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility());
  const at = Math.max(0, all.indexOf(document.activeElement)), wanted = %s;
  const round = [...all.slice(at), ...all.slice(0, at)].flatMap((one, way) => one.matches(wanted) ? [way] : []);
  const way = round[%d %% round.length], isHere = document.activeElement === all[at];
  return round.length && (isHere ? way || "here" : way + 1);
})()"""
"""How often the tabulator is to be pressed until the focus is on one of the things that fit, or that it is there."""
NEAR = 0.9
"""How often a hand presses one of the first buttons."""
SENT = 0.5
"""So often pairs that are pressed on the table are sent as they are."""
TOO_SMALL = """[...document.querySelectorAll('main button:enabled, main a')].filter((one) => {
  const {width, height} = one.getBoundingClientRect();
  return width && (width < 44 || height < 44);
}).map((one) => one.outerHTML)"""
"""These things are too small for a finger."""
CHECKS = "[...document.querySelectorAll('.checks li')].map((one) => one.className)"
"""What the page has found in a record."""
VERSION = "Number(document.querySelector('.felt')?.dataset.version)"


def player(base, name):
    """Give what a new player calls the API with."""
    made = requests.post(f"{base}/v1/players", json={"name": name}, timeout=10)
    return {"Authorization": f"Bearer {made.json()['token']}"}


def against(bots):
    """Give the seats of a match of oneself against bots."""
    return [{"kind": "me"}, *[{"kind": "bot"}] * bots]


def opens(page, base, game, seats, options, more=None):
    """Open a match of a guest; gives its address in the API and what the guest calls it with."""
    mine = player(base, "Guest")
    table = {"game": game, "options": options, "seats": seats, **(more or {})}
    made = requests.post(f"{base}/v1/matches", json=table, headers=mine, timeout=10).json()
    page.evaluates(f"localStorage.setItem('dealt.token /', '{mine['Authorization'].removeprefix('Bearer ')}')")
    page.opens(f"{base}/play#m={made['id']}")
    page.until("location.pathname === '/play' && document.querySelector('.felt, .lobby')")
    page.evaluates("performance.setResourceTimingBufferSize(100000)")
    return f"{base}/v1/matches/{made['id']}", mine


class Keyboard:
    """Presses what is reached by the tabulator."""

    def __init__(self, page):
        self.page = page

    def presses(self, selector, number):
        for _ in range(MOST_WAYS):
            way = self.page.finds(WAY % (json.dumps(selector), number))
            if way == "here":
                self.page.presses("Enter")
                return
            self.page.tabs(way)
            number = 0  # where it did not get there, what comes next will do
        raise AssertionError(f"no way to {selector}")


class Finger:
    """Presses what it touches on a narrow screen, where all is large enough."""

    def __init__(self, page):
        self.page = page
        page.is_wide(360, 740)
        page.has_touch(is_there=True)

    def presses(self, selector, number):
        # What has just come is small until its looks have come too.
        assert self.page.finds(f"!{TOO_SMALL}.length && document.documentElement.scrollWidth") <= 360
        self.page.taps(selector, number)


class Mouse:
    """Presses what it points at."""

    def __init__(self, page):
        self.page = page

    def presses(self, selector, number):
        self.page.points(selector, number)


def presses(page, hand, selector, number=0):
    """Press one of the things that fit the selector, and wait until that has made a difference."""
    seen = page.evaluates(LOOKS)
    hand.presses(selector, number)
    page.until(f"{LOOKS} !== {json.dumps(seen)} && !document.querySelector('main [disabled]:not({UNREADY})')")


def plays(page, hand, rng):
    """Make a move: choose cards where some are to be chosen, else press any button that there is."""
    asked = page.evaluates(ASKED)
    if asked["some"]:
        while not page.evaluates(f"Boolean(document.querySelector('{SOME}:enabled'))"):
            presses(page, hand, ".felt button[aria-pressed=false]")
        presses(page, hand, SOME)
    elif asked["aimed"]:
        presses(page, hand, AIMED, rng.randrange(4))
    elif rng.random() < SENT and asked["pairs"]:
        presses(page, hand, PAIRS)
    else:
        # Payments that are refused again and again leave the first buttons as they are: now and then take another.
        number = rng.randrange(4) if rng.random() < NEAR else rng.randrange(40)
        presses(page, hand, ".ask .main:enabled" if asked["question"] else FORWARD, number)


def fails(part, times):
    """Let the server fail in so many requests for addresses that have a part.

    The page counts all such requests in `asked_`; in `fails_` it has how many more are to fail.
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
    """Let the server lie in the answers of addresses that end so, by other words where these first stand."""
    return f"""(() => {{
  const asks = window.fetch;
  window.fetch = async (address, how) => {{
    const answer = await asks(address, how);
    if (!address.endsWith({json.dumps(address)})) return answer;
    return new Response((await answer.text()).replace({json.dumps(right)}, {json.dumps(wrong)}));
  }};
}})()"""
