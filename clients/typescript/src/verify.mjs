// Verifies the record of a match with the page's verifier. build.mjs bundles both.

import { parts, referees } from "games";
import { read, verify } from "../../../api/web/static/past/verify/report.mjs";

export { Unreadable } from "../../../api/web/static/past/verify/report.mjs";

export function verifyRecord(record, { keys = [], heads = [], receipts = [] } = {}) {
  const bytes = typeof record === "string" ? new TextEncoder().encode(record) : record;
  return verify(read(bytes), { partOf, rulesOf, keys, heads, receipts });
}

const partOf = async (game) => (await parts[game]?.())?.part ?? null;

async function rulesOf(game) {
  if (!(game in referees)) return null;
  const { judgeMatch } = await import("../../../api/web/static/past/verify/match_referee.ts");
  return { referee: (await referees[game]()).referee, judgeMatch };
}
