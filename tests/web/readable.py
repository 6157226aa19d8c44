"""Asks whether a page can be read and pressed by everybody: by axe-core, and by the sizes of what is pressed."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.chromium import Page
from tests.web.stage import WIDTHS

AXE: Final = Path(__file__).parents[1] / "clients/node_modules/axe-core/axe.min.js"
TAGS: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
ALL: Final = {"runOnly": {"type": "tag", "values": TAGS}, "resultTypes": ["violations"]}
LOOKS: Final = [(width, is_dark) for width in WIDTHS for is_dark in (False, True)]
"""Widths, and whether the scheme is dark."""
PLAIN: Final = """(sheet => {
sheet.replaceSync(`.felt, .hero, .lobby { background: color-mix(in srgb, var(--felt) 93%, white) !important }`);
document.adoptedStyleSheets = [sheet] })(new CSSStyleSheet())"""
"""axe-core cannot measure contrast on a gradient: felt has its lightest colour all over."""
FOUND: Final = """axe.run(document, {}).then(({{violations}}) => violations.flatMap(({{id, nodes}}) =>
nodes.map(({{html, any}}) => `${{id}}: ${{html}} ${{any.map((one) => one.message).join(' ')}}`)))"""
FINGER: Final = 44
"""The least width and height of what a finger presses, in pixels (WCAG 2.5.5)."""
SPILT: Final = """[...document.querySelectorAll('.seat h2, .lobby li > span, .bar .turn, [role=log] li, .ended')]
.filter((one) => one.clientWidth && one.scrollWidth > one.clientWidth + 1)
.map((one) => `out of its place: ${one.innerText}`)"""
CROSSED: Final = """(() => {
const texts = [...document.querySelectorAll('.felt :is(h2, .numbers div, .note, .who, .label, .badge)')]
  .filter((one) => one.innerText);
const boxes = texts.map((one) => one.getBoundingClientRect());
return texts.flatMap((one, i) => texts.slice(i + 1).filter((other, j) => {
  const [a, b] = [boxes[i], boxes[i + 1 + j]], wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  return !one.contains(other) && wide > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
}).map((other) => `${one.innerText} lies over ${other.innerText}`)) })()"""
"""Texts of the table that lie over each other."""
PRESSED: Final = "button, input, select, textarea, summary, .button, a.back"
SMALL: Final = """[...document.querySelectorAll('a[href], PRESSED')]
.filter((one) => one.matches('PRESSED') || !one.closest('p, li:not([class]), dd, td, .skip'))
.map((one) => one.matches('[type=checkbox], [type=radio]') ? one.closest('label') ?? one : one)
.filter((one) => one.checkVisibility({visibilityProperty: true}))
.map((one) => [one.offsetWidth, one.offsetHeight, one.outerHTML.slice(0, 160)])
.filter(([width, height]) => width && height && Math.min(width, height) < SIZE)
.map(([width, height, html]) => `${width} × ${height}: ${html}`)"""
"""A link within a sentence has the height of its line; a box to tick is pressed by its label."""


UNSEEN: Final = """[...document.querySelectorAll('.card, button')].filter((one) => one.checkVisibility())
.filter((one) => parseFloat(getComputedStyle(one).borderTopWidth) < (one.matches('BOLD') ? 2 : 1))
.map((one) => `no line around ${one.className}`)""".replace(
    "BOLD", ".may:enabled, .useful [aria-pressed=true], .choice[aria-pressed=true]"
)
"""What may be played or is chosen has a bold line."""
BELOW: Final = """[...document.querySelectorAll('SELECTOR')].filter((one) => {
  const {top, bottom, width} = one.getBoundingClientRect(), bar = document.querySelector('.actions');
  const isFree = bar.contains(one) || getComputedStyle(bar).position !== 'sticky';
  const end = isFree ? innerHeight : bar.getBoundingClientRect().top;
  return !width || top < 0 || bottom > end + 1;
}).map((one) => one.innerText || one.ariaLabel)"""
"""What of these things lies beyond the window, or behind the bar of what may be done."""
LEAST: Final = 11
"""The least size of what stands on a card by which it is told, in pixels."""
UNTOLD: Final = """[...document.querySelectorAll('.card[class*=suit-]')].filter((one) => one.checkVisibility())
.filter((one) => {
  const [index, of, shape] = ['.index', '.of', '.of .suit'].map((each) => one.querySelector(each));
  const {content, fontSize} = getComputedStyle(of, '::after');
  const sizes = [getComputedStyle(index).fontSize, fontSize].map(parseFloat);
  const next = one.nextElementSibling, end = next?.matches('.card') && next.offsetTop === one.offsetTop
    ? next.offsetLeft - one.offsetLeft : one.offsetWidth;
  return Math.min(...sizes) < LEAST || content !== `"${one.dataset.card[1]}"` || !shape.checkVisibility()
    || index.offsetLeft < 0 || of.offsetLeft + of.scrollWidth > Math.min(end, one.clientWidth)
    || index.offsetTop + index.scrollHeight > one.clientHeight;
}).map((one) => `not told by all of rank, shape and letter: ${one.dataset.card}`)"""
"""A card of a suit is told by its rank, and by the shape and the letter of the suit; the next one covers none of it."""
DONE_BY: Final = ".actions > button:not(.quiet), .actions :is(.main, [type=submit]):not(.also *)"
"""What is pressed to do what may be done."""


def beyond(page: Page, width: int) -> list[str]:
    """List what reaches beyond a window of so many pixels, or out of what it stands in.

    The window is not asked for its width: one that is emulated as a phone's grows with what is in it.
    """
    whole = page.evaluates("document.documentElement.scrollWidth")
    spilt: list[str] = page.evaluates(SPILT)
    return [*spilt, *([f"the page is {whole} wide"] if whole > width else [])]


def untold(page: Page) -> list[str]:
    """List cards whose rank, or whose suit's shape or letter, is not there, is covered or is too small."""
    found: list[str] = page.evaluates(UNTOLD.replace("LEAST", str(LEAST)))
    return found


def crossed(page: Page) -> list[str]:
    """List texts of a table that lie over each other."""
    found: list[str] = page.evaluates(CROSSED)
    return found


def asks_axe(page: Page) -> None:
    """Give a page axe-core; who has not installed it skips the test."""
    if not AXE.exists():
        pytest.skip("axe-core is not installed: npm ci --prefix tests/clients")
    page.evaluates(AXE.read_text())
    page.evaluates(PLAIN)


def violations(page: Page, options: dict[str, Any]) -> list[str]:
    """List what axe-core has against a page."""
    found: list[str] = page.evaluates(FOUND.format(json.dumps(options)))
    return found


def small_targets(page: Page) -> list[str]:
    """List what is pressed and is too small for a finger."""
    found: list[str] = page.evaluates(SMALL.replace("SIZE", str(FINGER)).replace("PRESSED", PRESSED))
    return found


def out_of_sight(page: Page, selector: str = DONE_BY) -> list[str]:
    """List what lies beyond the window, or behind the bar of what may be done, of what a selector names."""
    found: list[str] = page.evaluates(BELOW.replace("SELECTOR", selector))
    return found


def unseen(page: Page) -> list[str]:
    """List what has no line around it where the device chooses all colours and takes backgrounds and shadows away."""
    page.has_forced_colours(is_so=True)
    found: list[str] = page.evaluates(UNSEEN)
    page.has_forced_colours(is_so=False)
    return found
