"""Checks the accessibility of a page: with axe-core, and by the sizes of its buttons."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.chromium import Page
from tests.web.stage import WIDTHS

AXE: Final = Path(__file__).parents[1] / "clients/node_modules/axe-core/axe.min.js"
TAGS: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
ALL: Final = {"runOnly": {"type": "tag", "values": TAGS}, "resultTypes": ["violations"]}
PLAIN: Final = """(sheet => {
sheet.replaceSync(`.felt, .lobby { background: color-mix(in srgb, var(--felt) 93%, white) !important }`);
document.adoptedStyleSheets = [sheet] })(new CSSStyleSheet())"""
"""axe-core cannot measure contrast on a gradient, so the felt gets its lightest colour everywhere."""
FOUND: Final = """axe.run(document, {}).then(({{violations}}) => violations.flatMap(({{id, nodes}}) =>
nodes.map(({{html, any}}) => `${{id}}: ${{html}} ${{any.map((one) => one.message).join(' ')}}`)))"""
FINGER: Final = 44
"""The minimum width and height of a touch target in pixels (WCAG 2.5.5)."""
SPILT: Final = """[...document.querySelectorAll('.seat h2, .lobby li > span, .bar .turn, [role=log] li, .ended')]
.filter((one) => one.clientWidth && one.scrollWidth > one.clientWidth + 1)
.filter((one) => !one.matches('.turn') || getComputedStyle(one).textOverflow !== 'ellipsis')
.map((one) => `out of its place: ${one.innerText}`)"""
"""Texts that overflow. The bar of a table may shorten its status with an ellipsis: the prompt says the same."""
CROSSED: Final = """(() => {
const clips = (one) => {
  const {bottom, right} = one.getBoundingClientRect();
  for (let over = one.parentElement; over && !over.matches('.felt'); over = over.parentElement) {
    const {bottom: end, right: side} = over.getBoundingClientRect();
    if (getComputedStyle(over).overflow === 'hidden' && (bottom > end + 4 || right > side + 4)) return true;
  }
};
const isUnder = (one) => {
  const {x, y, width, height} = one.getBoundingClientRect();
  return Boolean(document.elementFromPoint(x + width / 2, y + height / 2)?.closest('.actions'));
};
const texts = [...document.querySelectorAll('.felt :is(h2, .numbers div, .note, .who, .label, .badge)')]
  .filter((one) => one.innerText && !clips(one) && !isUnder(one));
const boxes = texts.map((one) => one.getBoundingClientRect());
return texts.flatMap((one, i) => texts.slice(i + 1).filter((other, j) => {
  const [a, b] = [boxes[i], boxes[i + 1 + j]], wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  return !one.contains(other) && wide > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
}).map((other) => `${one.innerText} lies over ${other.innerText}`)) })()"""
"""Texts of the table that overlap, except clipped ones and those covered by the sheet at the end."""
PRESSED: Final = "button, input, select, textarea, summary, .button, a.back"
SMALL: Final = """[...document.querySelectorAll('a[href], PRESSED')]
.filter((one) => one.matches('PRESSED') || !one.closest('p, li:not([class]), dd, td, .skip'))
.map((one) => one.matches('[type=checkbox], [type=radio]') ? one.closest('label') ?? one : one)
.filter((one) => one.checkVisibility({visibilityProperty: true}))
.map((one) => [one.offsetWidth, one.offsetHeight, one.outerHTML.slice(0, 160)])
.filter(([width, height]) => width && height && Math.min(width, height) < SIZE)
.map(([width, height, html]) => `${width} × ${height}: ${html}`)"""
"""A link within a sentence has the height of its line; a checkbox can be pressed by its label."""


COVERED: Final = """[...document.querySelectorAll('.felt button:enabled, .actions button:enabled')]
.filter((one) => one.checkVisibility())
.filter((one) => {
  one.scrollIntoView({block: 'center', behavior: 'instant'});
  const {x, y, width, height} = one.getBoundingClientRect();
  return document.elementFromPoint(x + width / 2, y + height / 2)?.closest('button') !== one;
}).map((one) => `covered: ${one.ariaLabel || one.innerText}`)"""
"""Buttons that a finger on their middle does not press."""
UNSEEN: Final = """[...document.querySelectorAll('.card, button')].filter((one) => one.checkVisibility())
.filter((one) => parseFloat(getComputedStyle(one).borderTopWidth) < (one.matches('BOLD') ? 2 : 1))
.map((one) => `no line around ${one.className}`)""".replace(
    "BOLD", ".may:enabled, .useful [aria-pressed=true], .choice[aria-pressed=true]"
)
"""Playable and chosen cards have a bold border."""
BELOW: Final = """[...document.querySelectorAll('SELECTOR')].filter((one) => {
  const {top, bottom, width} = one.getBoundingClientRect(), bar = document.querySelector('.actions');
  const isFree = bar.contains(one) || getComputedStyle(bar).position !== 'sticky';
  const end = isFree ? innerHeight : bar.getBoundingClientRect().top;
  return !width || top < 0 || bottom > end + 1;
}).map((one) => one.innerText || one.ariaLabel)"""
"""The selected elements that are outside the window, or behind the action bar."""
LEAST: Final = 10
"""The minimum height of the rank on a card in pixels, between the middles of its top and bottom strokes."""
LEAST_SHAPE: Final = 7
"""The minimum height of the suit symbol in pixels."""
UNTOLD: Final = """[...document.querySelectorAll('.card[class*=suit-]')].filter((one) => one.checkVisibility())
.filter((one) => {
  const card = one.getBoundingClientRect();
  const [rank, shape] = ['.rank', '.of'].map((each) => one.querySelector(`.index ${each}`)?.getBoundingClientRect());
  const next = one.nextElementSibling?.matches('.card') && one.nextElementSibling.getBoundingClientRect();
  const end = next && Math.abs(next.top - card.top) < card.height / 4 ? next.left : card.right;
  return !rank || !shape || rank.height < LEAST || shape.height < SHAPE || rank.left < card.left
    || Math.max(rank.right, shape.right) > Math.min(end, card.right) || rank.bottom > shape.top + 1
    || shape.bottom > card.bottom;
}).map((one) => `not told by both rank and shape: ${one.dataset.card}`)"""
"""A card is recognised by its rank and its suit symbol; the next card covers neither."""
DONE_BY: Final = ".actions > button:not(.quiet), .actions :is(.main, [type=submit]):not(.also *)"
"""Buttons that make the offered moves."""


def looks(nth: int) -> list[tuple[int, bool]]:
    """Return all window widths, and whether the colour scheme is dark: in turn, and every second time the other way."""
    return [(width, (place + nth) % 2 == 1) for place, width in enumerate(WIDTHS)]


def beyond(page: Page, width: int) -> list[str]:
    """List elements that extend beyond a window of this width, or out of their container.

    The window is not asked for its width: an emulated phone's window grows with its content.
    """
    whole = page.evaluates("document.documentElement.scrollWidth")
    spilt: list[str] = page.evaluates(SPILT)
    return [*spilt, *([f"the page is {whole} wide"] if whole > width else [])]


def untold(page: Page) -> list[str]:
    """List cards whose rank or suit symbol is missing, covered or too small."""
    found: list[str] = page.evaluates(UNTOLD.replace("LEAST", str(LEAST)).replace("SHAPE", str(LEAST_SHAPE)))
    return found


def crossed(page: Page) -> list[str]:
    """List overlapping texts of a table."""
    found: list[str] = page.evaluates(CROSSED)
    return found


def asks_axe(page: Page) -> None:
    """Load axe-core into a page; skip the test if it is not installed."""
    if not AXE.exists():
        pytest.skip("axe-core is not installed: npm ci --prefix tests/clients")
    page.evaluates(AXE.read_text())
    page.evaluates(PLAIN)


def violations(page: Page, options: dict[str, Any]) -> list[str]:
    """List axe-core's findings about a page."""
    found: list[str] = page.evaluates(FOUND.format(json.dumps(options)))
    return found


def small_targets(page: Page) -> list[str]:
    """List pressable elements that are too small for a finger."""
    found: list[str] = page.evaluates(SMALL.replace("SIZE", str(FINGER)).replace("PRESSED", PRESSED))
    return found


def covered(page: Page) -> list[str]:
    """List buttons of a table whose middle is covered."""
    found: list[str] = page.evaluates(COVERED)
    return found


def out_of_sight(page: Page, selector: str = DONE_BY) -> list[str]:
    """List the selected elements that are outside the window, or behind the action bar."""
    found: list[str] = page.evaluates(BELOW.replace("SELECTOR", selector))
    return found


def unseen(page: Page) -> list[str]:
    """List elements without a border when the device forces all colours and removes backgrounds and shadows."""
    page.has_forced_colours(is_so=True)
    found: list[str] = page.evaluates(UNSEEN)
    page.has_forced_colours(is_so=False)
    return found
