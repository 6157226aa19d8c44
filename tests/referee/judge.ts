/** Judges records: one on each line of the input, and `{detail}`, `{skipped}` or `{seq, why}` on each of the output. */

import { createInterface } from "node:readline";
import { Wrong } from "../../api/web/static/past/verify/deals.mjs";
import { Unjudged } from "../../api/web/static/past/verify/keys.mjs";
import { judgeMatch } from "../../api/web/static/past/verify/match_referee.ts";
import { split } from "../../api/web/static/past/verify/record.mjs";
import { partFor } from "../../api/web/static/past/verify/report.mjs";

for await (const line of createInterface({ input: process.stdin })) {
  const record = JSON.parse(line);
  let found: unknown;
  try {
    const folder = new URL(`../../domain/games/${record.match.game}/`, import.meta.url).href;
    const { referee } = await import(`${folder}referee.js`);
    const part = await partFor(record.events, async () => (await import(`${folder}verify.mjs`)).part);
    const events = record.events.map((event: never) => split(event, record.match.reader));
    if (!part) throw new Error("no part");
    found = { detail: await judgeMatch(events, referee, part) };
  } catch (error) {
    if (error instanceof Unjudged) found = { skipped: error.message };
    else if (error instanceof Wrong) found = { seq: error.seq, why: error.message };
    else found = { why: String(error instanceof Error ? error.stack : error) };
  }
  process.stdout.write(`${JSON.stringify(found)}\n`);
}
