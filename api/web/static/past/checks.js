/** Shows the checks of a record as they are made, and loads the game's part of the verifier. */

import {root} from "../table/app.js";
import {loadModule, loadStyles} from "../table/later.js";
import {says} from "../words/past.js";
import {html} from "lit-html";
import {repeat} from "lit-html/directives/repeat.js";
import checksStyles from "./checks.css?url";

/** @typedef {import("./verify/report.mjs").Check} Check @typedef {import("./verify/report.mjs").MakePart} MakePart */
/** @typedef {import("./verify/report.mjs").Rules} Rules */

const GONE = 404, SIGNED = "signatures";

loadStyles(checksStyles);

const FOLDER = "../../../../domain/games";
/** The parts of the built-in games, by path. */
const PARTS = /** @type {Record<string, () => Promise<{part: MakePart}>>} */ (
  import.meta.glob("../../../../domain/games/*/verify.mjs"));

/**
 * Load a game's part of the verifier: that of a built-in game from the build, that of an installed game from the
 * server. Give null if the game has none.
 * @param {string} game
 */
export const partOf = async (game) =>
  (await loadModule(PARTS[`${FOLDER}/${game}/verify.mjs`] ?? (() => installedPart(game)))).part;

/** The referees of the built-in games, by path. */
const REFEREES = /** @type {Record<string, () => Promise<Pick<Rules, "referee">>>} */ (
  import.meta.glob("../../../../domain/games/*/referee.ts"));

/**
 * Load the rules of a built-in game; null if this page does not have them.
 * @param {string} game @returns {Promise<Rules | null>}
 */
export async function rulesOf(game) {
  const its = REFEREES[`${FOLDER}/${game}/referee.ts`];
  if (!its) return null;
  const [{referee}, {judgeMatch}] = await Promise.all(
    [loadModule(its), loadModule(() => import("./verify/match_referee.ts"))]);
  return {referee, judgeMatch};
}

/** @param {string} game @returns {Promise<{part: MakePart | null}>} */
async function installedPart(game) {
  const address = `${root}/play/games/${game}/verify.mjs`;
  return (await fetch(address)).status === GONE ? {part: null} : import(/* @vite-ignore */ address);
}

/** Let the findings so far be painted before the next check. */
export const painted = () => new Promise((resolve) => { setTimeout(resolve, 0); });

/** Say that a document is not this record. @param {string} detail @returns {Check} */
export const noRecord = (detail) => ({name: "record", ok: false, skipped: false, detail, seq: null});

/**
 * List the checks that were made. A signature covers only the last digest: if another check fails, it proves nothing
 * about the events, so it is not marked as passed. A check without anything to check is not marked either.
 * @param {Check[]} checks @param {Record<string, string>} titles @param {readonly string[]} unused names of checks
 */
export function checkList(checks, titles, unused) {
  const isWrong = checks.some(({ok}) => !ok);
  return html`<ul class="checks">${repeat(checks, ({name}) => name, (check) =>
    checked(isWrong && check.name === SIGNED && check.ok ? {...check, skipped: true, detail: says.signsNoMore} : check,
      titles, unused.includes(check.name)))}</ul>`;
}

/** @param {Check} check @param {Record<string, string>} titles @param {boolean} isUnused */
function checked({name, ok, skipped, detail, seq}, titles, isUnused) {
  const [look, sign, said] = !ok ? ["fails", "✗", says.wrong] : isUnused ? ["unused", "–", says.notUsed] : skipped
    ? ["unknown", "–", says.notChecked] : ["holds", "✓", says.right];
  return html`<li class=${look}><span aria-hidden="true">${sign}</span> <strong>${titles[name] ?? name}</strong> <span
    class=${isUnused ? "told-unused" : "unseen"}>${said}</span>
    <span class="soft">${seq ? says.event(seq, detail) : detail}</span></li>`;
}
