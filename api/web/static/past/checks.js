/** Shows the checks of a record as they are made, and brings what they need of a game. */

import {again, brings, looks} from "../table/later.js";
import {says} from "../words/past.js";
import {html} from "../table/vendor/lit-html/lit-html.js";
import {repeat} from "../table/vendor/lit-html/directives/repeat.js";

/** @typedef {import("./verify/report.mjs").Check} Check */

const GONE = 404, SIGNED = "signatures";

looks(new URL("checks.css", import.meta.url));

/** Find what a game brings for it; null where it brings nothing. @param {string} game */
export const partOf = async (game) => (await brings(async () => {
  // Served as part of another module, it has the address of that one, which stands beside this folder.
  const {href} = new URL(`../past/verify/games/${game}.mjs`, import.meta.url);
  return (await fetch(href)).status === GONE ? {part: null} : import(href + again.by);
})).part;

/** Let what was found be painted before more is looked for. */
export const painted = () => new Promise((resolve) => { setTimeout(resolve, 0); });

/**
 * Say that a document is no record, or another.
 * @param {string} detail
 * @returns {{checks: Check[], verdict: string}}
 */
export const refuted = (detail) =>
  ({checks: [{name: "record", ok: false, skipped: false, detail, seq: null}], verdict: "failed"});

/**
 * List the checks that were made. A signature covers the last digest alone: where another check fails, it proves
 * nothing about the events, and is not shown as right.
 * @param {Check[]} checks @param {Record<string, string>} titles
 */
export function checkList(checks, titles) {
  const isWrong = checks.some(({ok}) => !ok);
  return html`<ul class="checks">${repeat(checks, ({name}) => name, (check) =>
    checked(isWrong && check.name === SIGNED && check.ok ? {...check, skipped: true, detail: says.signsNoMore} : check,
      titles))}</ul>`;
}

/** @param {Check} check @param {Record<string, string>} titles */
function checked({name, ok, skipped, detail, seq}, titles) {
  const [look, sign, said] = !ok ? ["fails", "✗", says.wrong] : skipped
    ? ["unknown", "–", says.notChecked] : ["holds", "✓", says.right];
  return html`<li class=${look}><span aria-hidden="true">${sign}</span> <strong>${titles[name] ?? name}</strong> <span
    class="unseen">${said}</span>
    <span class="soft">${seq ? says.event(seq, detail) : detail}</span></li>`;
}
