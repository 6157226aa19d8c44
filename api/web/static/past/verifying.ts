/** Verifies the record of a match in the browser, and shows one verdict. */

import { html, nothing, type TemplateResult } from "lit-html";
import { headOf } from "../guard/kept_heads.ts";
import { api, dispatch, state } from "../table/app.js";
import { loadModule } from "../table/later.js";
import type { Verified } from "../table/store.ts";
import { listed } from "../words/language.js";
import { says } from "../words/past.js";
import { checkList, noRecord, painted, partOf, rulesOf } from "./checks.js";
import type { Judged } from "./judged.ts";
import { record } from "./reading.js";
import type { Check } from "./verify/report.mjs";

/** Read the record of the match that is open, and check it. */
export async function verifies(): Promise<void> {
  const { id } = state;
  if (!id) return;
  const shows = (verified: Verified) => {
    if (state.id === id) dispatch({ is: "verified", verified });
  };
  if (state.problem) dispatch({ is: "refused", problem: null });
  shows({ checks: [], judged: null });
  try {
    const [bytes, { read, verify, Unreadable }, { judged, refuted }, { version, head }, keys] = await Promise.all([
      record(id),
      loadModule(() => import("./verify/report.mjs")),
      loadModule(() => import("./judged.ts")),
      api.call("GET", `/matches/${id}?fields=version,head`),
      api.call("GET", "/keys"),
    ]);
    const refuse = (detail: string) => {
      const fault = noRecord(detail);
      shows({ checks: [fault], judged: refuted(fault) });
    };
    const checks: Check[] = [];
    const told = async (check: Check) => {
      checks.push(check);
      shows({ checks: [...checks], judged: null });
      await painted();
    };
    try {
      const found = read(new Uint8Array(bytes));
      if (found.match.id !== id) return refuse(says.anotherMatch);
      const asked = { partOf, rulesOf, breathes: painted, told, keys: [...keys.items] };
      const before = headOf(id);
      const heads: [number, string][] = before ? [[before.version, before.head]] : [];
      const report = await verify(found, { ...asked, heads: [...heads, [version, head]] });
      shows({ checks, judged: judged(found, report) });
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      refuse(error.message);
    }
  } catch (error) {
    dispatch({ is: "verified", verified: null }); // so that the reader can try again
    throw error;
  }
}

/** Return the three sentences of a verdict: on the record, the deals, and the moves. */
function sentences({ verdict, unused, deals, contributed, areMovesJudged, fault }: Judged, name: Name): string[] {
  if (verdict === "altered" && fault)
    return [says.fault(says.checks[fault.name] ?? fault.name, fault.seq), says.isNotPlayed, says.doNotTrust];
  const givers = contributed.length ? says.dealsShared(listed(contributed.map(name))) : says.dealsSharedElsewhere;
  return [
    unused.includes("seals") ? says.holdsTogether : says.holdsWithSeals,
    deals === "shared" ? givers : (says.deals[deals] ?? ""),
    areMovesJudged ? says.movesHold : says.movesUnjudged,
  ];
}

type Name = (seat: number) => string;

/** Show the button that verifies a match, the verdict, and below it the checks. */
export function verification(verified: Verified | null, verify: () => void, name: Name): TemplateResult {
  const judged = verified?.judged ?? null;
  return html`<section class="verify" aria-label=${says.verify}>
    <button type="button" class="verifies" ?disabled=${verified !== null && !judged} @click=${verify}>${
      says.verify
    }</button>
    <div role="status" class="verdict ${judged?.verdict ?? ""}">${
      judged
        ? html`<p><strong>${says.verdicts[judged.verdict]}</strong></p>${sentences(judged, name).map(
            (sentence) => html`<p>${sentence}</p>`,
          )}`
        : verified
          ? html`<p>${says.isChecking(verified.checks.length)}</p>`
          : nothing
    }</div>
    ${
      judged
        ? html`<details class="found" ?open=${judged.verdict === "altered"}><summary>${says.allChecks}</summary>
      ${checkList(verified?.checks ?? [], says.checks, judged.unused)}</details>`
        : nothing
    }</section>`;
}
