// Records of tournaments in the second verifier, written from docs/proof.md and the rulebook of tournaments.

import { has, isObject, isText, must, same } from "../../api/web/static/past/verify/deals.mjs";
import { MOST, parsed, refuse } from "../../api/web/static/past/verify/record.mjs";
import { read, verdictOf } from "../../api/web/static/past/verify/report.mjs";
import { dealsOf, differs } from "./tournament/tables.mjs";
import { FIELDS, LAPSED, TOO_LATE, follow } from "./tournament/life.mjs";
import { exactly, isInt, isTime } from "./tournament/plan.mjs";

export const FORMAT = "dealt-tournament/1";

const MOST_ABOUT = 1024;
const isAbout = exactly({ format: (x) => x === FORMAT, tournament: isText, version: isInt, head: isText });
const isEvent = exactly({
  v: isInt, seq: isInt, commit: isInt, type: isText, data: isObject, at: isText, cause: isText, digest: isText,
  seals: (x) => isObject(x) && Object.values(x).every((seals) => isObject(seals) && Object.values(seals).every(isText)),
});

/** Take the lines of a record apart: what it is of, its events, and the records of matches as they are written. */
export function readTournament(lines) {
  const about = parsed(lines[0]);
  refuse(isAbout(about), "A field is missing, of another type, or one too many.");
  refuse(/^[0-9A-Za-z_-]{1,64}$/.test(about.tournament), "The tournament has no such id.");
  refuse(about.version >= 1 && about.version <= MOST.events, "There are no events, or too many.");
  const events = lines.slice(1, about.version + 1).map((line) => parsed(line));
  refuse(events.length === about.version && events.every(isEvent), "There are fewer events, or one is written otherwise.");
  return { about, events, tables: lines.slice(about.version + 1) };
}

/** The lines of a text, without their ends; null where the first one says that it is no record of a tournament. */
export function linesOf(bytes) {
  const lines = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from);
    lines.push(bytes.subarray(from, end < 0 ? undefined : end));
    if (lines.length === 1 && !isFirst(lines[0])) return null;
    from = end < 0 ? bytes.length : end + 1;
  }
  return lines.length ? lines : null;
}

function isFirst(line) {
  try {
    return line.length <= MOST_ABOUT && JSON.parse(new TextDecoder().decode(line)).format === FORMAT;
  } catch {
    return false;
  }
}

/** Check that every event is what the rules make of those before it. */
export function tournamentRules(record) {
  const { about, events } = record;
  const strange = events.find(({ type, v }) => !has(FIELDS, type) || v > 1);
  events.slice(0, strange ? events.indexOf(strange) : undefined).forEach((event, i) => wellFormed(event, i + 1, events[0]));
  if (strange) return { skipped: `Events of the type ${strange.type}, version ${strange.v}, are not known.` };
  record.cited = follow(about.tournament, events);
  return "What was drawn, paired, ranked and awarded follows from the seeds and the results.";
}

function wellFormed({ type, v, cause, seals, data, at }, seq, announced) {
  const { closes, plan } = announced.data;
  must(v === 1 && ["move", "bot", "timeout", "auto"].includes(cause) && !Object.keys(seals).length, seq, "No event is so caused or sealed.");
  must(exactly(FIELDS[type])(data), seq, "The event is not written as such events are.");
  if (["EntriesClosed", "TournamentCancelled"].includes(type) && data.by === null && isText(closes)) must(at >= closes, seq, "Its time had not come.");
  const lapses = type === "TournamentCancelled" && data.by === null && data.reason === LAPSED;
  must(!lapses || isTime(at) && isTime(announced.at) && Date.parse(at) - Date.parse(announced.at) >= 365 * 86_400_000, seq, "Entries were not open for a year.");
  const ends = plan?.ends;
  if (!isText(ends)) return;
  const byTime = type === "PairingEnded" || (type === "TournamentCancelled" && data.by === null && data.reason === TOO_LATE);
  must(!byTime || at >= ends, seq, "Its time was not over.");
  must(!["RoundPaired", "TablesPaired"].includes(type) || at < ends, seq, "Its time was over.");
}

/** Check the records of matches against the tables that cite them; `verifyMatch` gives the report of one. */
export async function tournamentTables({ tables, cited }, verifyMatch) {
  const taken = new Set(), deals = new Map();
  let wrong = null, unsure = null;
  for (const line of tables) {
    const match = read(line), { id } = match.match;
    refuse(!taken.has(id), "A match is there twice.");
    taken.add(id);
    if (wrong || !cited) continue;
    const at = cited.get(id);
    wrong = at ? null : [null, "No table is that of this match."];
    if (wrong) continue;
    // This verifier does not know the rules of games.
    const verdict = verdictOf((await verifyMatch(match)).checks.filter(({ name }) => name !== "rules"));
    if (verdict === "failed") wrong = [at.seq, "The record of its match does not hold."];
    else if (differs(at, match)) wrong = [at.seq, "The match was another, or has ended otherwise."];
    else if (at.deals && !same(deals.get(at.deals) ?? dealsOf(match), dealsOf(match))) wrong = [at.seq, "Its deals are other ones."];
    else if (verdict === "unverifiable") unsure = "The record of a match cannot be judged.";
    if (at.deals && !deals.has(at.deals)) deals.set(at.deals, dealsOf(match));
  }
  if (!cited) return { skipped: "The tables are known only where the events hold." };
  must(!wrong, ...(wrong ?? []));
  if (unsure) return { skipped: unsure };
  if (taken.size < cited.size) return { skipped: `${taken.size} of ${cited.size} matches are here.`, excused: true };
  return "The matches are those of their tables.";
}
