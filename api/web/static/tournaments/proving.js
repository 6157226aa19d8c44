/** Verifies a tournament's record in the browser, with every match's record, and shows the findings. */

import {checkList, noRecord, painted, partOf, rulesOf} from "../past/checks.js";
import {read} from "../past/documents.js";
import {api} from "../table/app.js";
import {loadModule} from "../table/later.js";
import {says} from "../words/proving.js";
import {html} from "lit-html";

/** @typedef {import("../past/verify/report.mjs").Check} Check */
/**
 * @typedef {{checks: Check[], verdict: string, unused: string[], taken: number, matches: number}} Proof the findings
 *   so far, with the checks that had nothing to check; without a verdict, it continues
 */

const BUSY_MS = 50, SIGNED = "signatures";

/**
 * Name checks by what they prove; if the rules themselves could not be checked or were broken, name the rules.
 * @param {Check} check
 * @param {ReadonlyMap<string, number>} counted
 * @returns {Check[]}
 */
const parts = (check, counted) => check.name !== "rules" || !check.ok || check.skipped ? [check]
  : Object.entries(says.counted)
    .flatMap(([name, said]) => { const count = counted.get(name);
      return count ? [{...check, name, detail: said(count)}] : []; });

/**
 * Fetch and verify a tournament's record. It must contain the version and head fetched before.
 * @param {string} id @param {(proof: Proof) => void} shows
 */
export async function proves(id, shows) {
  const proof = {checks: /** @type {Check[]} */ ([]), verdict: "", unused: /** @type {string[]} */ ([]), taken: 0,
    matches: 0};
  const refuses = (/** @type {string} */ detail) => tells({checks: [noRecord(detail)], verdict: "failed"});
  const tells = (/** @type {Partial<Proof>} */ more) => shows({...Object.assign(proof, more)});
  tells({});
  const [{version, head}, keys] = await Promise.all([
    api.call("GET", `/tournaments/${id}?fields=version,head`), api.call("GET", "/keys")]);
  const [bytes, {linesOf, readTournament, verifyTournament, Unreadable}] = await Promise.all([
    read(`/tournaments/${id}/record?tables=true`, says.isClosed),
    loadModule(() => import("../past/verify/tournament/tournament.mjs"))]);
  let last = performance.now();
  const breathes = async () => {
    if (performance.now() - last < BUSY_MS) return;
    await painted();
    last = performance.now();
  };
  try {
    const lines = linesOf(new Uint8Array(bytes)), record = lines && readTournament(lines);
    if (record?.about.tournament !== id) return refuses(says.another);
    tells({matches: record.tables.length});
    const {verdict, signed} = await verifyTournament(record, {partOf, rulesOf, heads: [[version, head]], breathes,
      keys: keys.items,
      told: async (check, counted) => { tells({checks: [...proof.checks, ...parts(check, counted)]}); await painted();
        },
      tabled: async (taken) => { tells({taken}); await breathes(); }});
    tells({verdict, unused: signed?.known ? [] : [SIGNED]});
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    refuses(error.message);
  }
}

/** Show the findings. @param {Proof} proof */
export const shown = ({checks, verdict, unused, taken, matches}) => html`${
  checkList(checks, says.checks, unused)}
  <p role="status" class="verdict ${verdict}">${verdict ? says.verdicts[verdict] ?? verdict : taken
    ? says.isAt(taken, matches) : says.isChecking}</p>`;
