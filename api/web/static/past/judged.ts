/** Sums up the checks of a record as a verdict. Runs without a browser. */

import { bringsNonces } from "./verify/commitments.mjs";
import type { MatchRecord } from "./verify/record.mjs";
import type { Check, verify } from "./verify/report.mjs";

type Report = Pick<
  Awaited<ReturnType<typeof verify>>,
  "checks" | "verdict" | "signed" | "signed_seats" | "contributed"
>;
type Read = { events: Pick<MatchRecord["events"][number], "type" | "data" | "seals">[] };

/** Who could have chosen the deals. */
export type Deals = "shared" | "server" | "tournament" | "elsewhere" | "none" | "unknown";

/** The verdict on a match: `partial` means that not everything could be checked. */
export type Verdict = "intact" | "chosen" | "partial" | "altered";

export interface Judged {
  verdict: Verdict;
  /** The names of checks that had nothing to check. */
  unused: readonly string[];
  deals: Deals;
  /** The seats that added to the shuffles. */
  contributed: readonly number[];
  /** Whether each move was judged by the rules. */
  areMovesJudged: boolean;
  /** The first check that failed. */
  fault: Check | null;
}

const passed = ({ ok, skipped }: Check): boolean => ok && !skipped;

/** Judge a record by the report on it. */
export function judged(record: Read, report: Report): Judged {
  const unused = report.checks.filter((check) => isUnused(check, record, report)).map(({ name }) => name);
  const deals = dealsOf(record, report);
  const named = (name: string) => report.checks.find((check) => check.name === name);
  const rules = named("rules");
  return {
    verdict: verdictOf(report, unused, deals),
    unused,
    deals,
    contributed: report.contributed,
    areMovesJudged: rules !== undefined && passed(rules),
    fault: report.checks.find(({ ok }) => !ok) ?? null,
  };
}

/** Return the judgement on a document that is no record of the match. */
export const refuted = (fault: Check): Judged => ({
  verdict: "altered",
  unused: [],
  deals: "unknown",
  contributed: [],
  areMovesJudged: false,
  fault,
});

function verdictOf({ checks, verdict }: Report, unused: string[], deals: Deals): Verdict {
  if (verdict === "failed") return "altered";
  const isOpen = checks.some(({ name, skipped }) => skipped && !unused.includes(name));
  if (isOpen || ["tournament", "elsewhere", "unknown"].includes(deals)) return "partial";
  return deals === "server" ? "chosen" : "intact";
}

const has = ({ events }: Read, type: string): boolean => events.some((event) => event.type === type);

/** Whether a check that did not fail had nothing to check. */
function isUnused(check: Check, record: Read, report: Report): boolean {
  if (!check.ok) return false;
  switch (check.name) {
    case "seals":
      return record.events.every(({ seals }) => !Object.keys(seals).length);
    case "shuffles":
      return isDealtElsewhere(record) || (passed(check) && !has(record, "SeedRevealed"));
    case "result":
      return !has(record, "MatchEnded");
    case "moves":
      return passed(check) && !report.signed_seats.length;
    case "signatures":
      return passed(check) && !report.signed?.known;
    default:
      return false;
  }
}

const isDealtElsewhere = ({ events }: Read): boolean => events[0]?.data.rules === "phh";

function dealsOf(record: Read, { checks, contributed }: Report): Deals {
  if (isDealtElsewhere(record)) return "elsewhere";
  const shuffles = checks.find(({ name }) => name === "shuffles");
  if (!shuffles || !passed(shuffles)) return "unknown";
  if (!has(record, "SeedRevealed")) return "none";
  if (contributed.length || record.events.some((event) => bringsNonces(event))) return "shared";
  return record.events[0]?.data.tournament ? "tournament" : "server";
}
