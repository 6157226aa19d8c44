/** Verifies the record of a match in the browser, and shows each check as it is made. */

import {checkList, painted, partOf, refuted, rulesOf} from "./checks.js";
import {record} from "./reading.js";
import {api, happens, state} from "../table/app.js";
import {brings} from "../table/later.js";
import {says} from "../words/past.js";
import {html, nothing} from "lit-html";

/** @typedef {import("./verify/report.mjs").Check} Check @typedef {import("../table/store.ts").Verified} Verified */

/** Read the record of the match that is open, and check it. */
export async function verifies() {
  const {id} = state;
  if (!id) return;
  /** @param {Verified} verified */
  const shows = (verified) => { if (state.id === id) happens({is: "verified", verified}); };
  if (state.problem) happens({is: "refused", problem: null});
  shows({checks: [], verdict: ""});
  try {
    const [bytes, {read, verify, Unreadable}, {version, head}, keys] =
      await Promise.all([record(id), brings(() => import("./verify/report.mjs")),
      api.call("GET", `/matches/${id}?fields=version,head`), api.call("GET", "/keys")]);
    /** @type {Check[]} */
    const checks = [];
    try {
      const found = read(new Uint8Array(bytes));
      if (found.match.id !== id) return shows(refuted(says.anotherMatch));
      const {verdict} = await verify(found,
        {partOf, rulesOf, breathes: painted, heads: [[version, head]], keys: [...keys.items], told: async (check) => {
        checks.push(check);
        shows({checks: [...checks], verdict: ""});
        await painted();
      }});
      shows({checks, verdict});
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      shows(refuted(error.message));
    }
  } catch (error) {
    happens({is: "verified", verified: null});  // it can be tried again
    throw error;
  }
}

/**
 * Say what was found in all; that the browser does not have the rules of an installed game is no fault of a record.
 * @param {Verified} verified
 */
function said({checks, verdict}) {
  if (!verdict) return says.isChecking;
  const isAll = checks.every(({name, skipped}) => !skipped || name === "rules");
  if (verdict === "unverifiable" && isAll) return says.allHolds;
  const isJudged = checks.some(({name, ok, skipped}) => name === "rules" && ok && !skipped);
  return `${says.verdicts[verdict] ?? verdict}${isJudged ? ` ${says.movesHold}` : ""}`;
}

/** @param {Verified | null} verified @param {() => void} verify */
export function verification(verified, verify) {
  const isBusy = verified !== null && !verified.verdict;
  return html`<section class="verify" aria-label=${says.verify}>
    <button type="button" class="verifies" ?disabled=${isBusy} @click=${verify}>${says.verify}</button>
    ${verified ? checkList(verified.checks, says.checks) : nothing}
    <p role="status" class="verdict ${verified?.verdict ?? ""}">${verified ? said(verified) : ""}</p></section>`;
}
