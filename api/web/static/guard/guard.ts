/** Keeps what this server has shown, and shows an alarm if it contradicts that later (docs/proof.md). */

import { html, type TemplateResult } from "lit-html";
import { keep, keptValue } from "../kept.ts";
import { hex, sha256 } from "../past/verify/bytes.mjs";
import { api, dispatch, root, state, token } from "../table/app.js";
import { loadStyles } from "../table/later.js";
import { saved } from "../table/saving.js";
import { says } from "../words/guard.js";
import { ALARM, type Alarm } from "./alarm.ts";
import styles from "./guard.css?url";
import { headOf, keepHead } from "./kept_heads.ts";
import { type KeptLog, lookAtLog, type Text } from "./log_watch.ts";
import { lookAtMatch } from "./match_watch.ts";

const SILENT_MS = 10_000,
  BETWEEN_MATCH_MS = 30_000,
  BETWEEN_LOG_MS = 60_000,
  AGAIN_MS = 3_000,
  READER = 16,
  BEGUN = ["playing", "finished", "stopped", "abandoned"];

const server = `${location.origin}${root}/`,
  LOG = `dealt.log ${root}/`;

/** Return the kept checkpoint; null if there is none. */
const keptLog = (): KeptLog | null => keptValue(LOG);

const write = (name: string, value: unknown): void => {
  keep("localStorage", name, value === null ? null : JSON.stringify(value));
};

/** Request a path of the API; null if there is no answer. Nothing is cached, as an old answer looks like a rollback. */
async function ask(path: string): Promise<Text | null> {
  try {
    const answer = await fetch(`${root}/v1${path}`, {
      headers: api.line.headers({ Accept: "application/json, text/plain" }),
      cache: "no-store",
      signal: AbortSignal.timeout(SILENT_MS),
    });
    return { status: answer.status, text: await answer.text() };
  } catch {
    return null;
  }
}

/** Return what a look finds; a contradiction only if a second look, a little later, finds it too. */
async function confirmed<T extends object>(look: () => Promise<T | null>): Promise<T | null> {
  const found = await look();
  if (!found || !("fault" in found)) return found;
  await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  return look();
}

/** Show an alarm, and keep it until the player accepts the change. */
function raise(alarm: Alarm): void {
  write(ALARM, alarm);
  dispatch({ is: "alarmed", alarm });
}

async function watchLog(): Promise<void> {
  const found = await confirmed(() => lookAtLog(ask, keptLog()));
  if (found && "kept" in found) write(LOG, found.kept);
  else if (found) raise({ why: found.fault, match: null, before: keptLog(), now: { server, note: found.note } });
}

async function watchMatch({ id, your_seats }: Api.Match): Promise<void> {
  const reader = hex(sha256("dealt-reader/1|", token.value)).slice(0, READER),
    found = await confirmed(() => lookAtMatch(ask, id, headOf(id), headOf(id)?.reader === reader));
  if (!found) return;
  if ("fault" in found) {
    const events = await ask(`/matches/${id}/events?limit=1000`),
      { reader: _, ...head } = headOf(id) ?? { reader: null };
    raise({
      why: found.fault,
      match: id,
      before: { server, match: id, ...head },
      now: { server, items: itemsIn(events), answer: found.answer },
    });
  } else if (found.kept.version >= (headOf(id)?.version ?? 0))
    keepHead(id, { ...found.kept, reader: your_seats.length ? reader : null });
}

function itemsIn(events: Text | null): unknown {
  try {
    return JSON.parse(events?.text ?? "").items ?? [];
  } catch {
    return [];
  }
}

let isLooking = false,
  logAt = Number.NEGATIVE_INFINITY,
  matchAt = Number.NEGATIVE_INFINITY,
  lastSeen = "";

/** Check the server's log, and the open match if it has changed, from time to time. Called with each painting. */
export function watch(match: Api.Match | null): void {
  if (isLooking || state.alarm || document.hidden) return;
  const now = performance.now(),
    seen = match ? `${match.id} ${match.version}` : "",
    isDue =
      match && BEGUN.includes(match.status) && seen !== lastSeen && (match.result || now - matchAt > BETWEEN_MATCH_MS),
    isLogDue = now - logAt > BETWEEN_LOG_MS;
  if (!isDue && !isLogDue) return;
  isLooking = true;
  void look(isLogDue, isDue ? match : null, seen)
    .catch(() => {}) // an answer that cannot be read says nothing
    .finally(() => {
      isLooking = false;
    });
}

async function look(isLogDue: boolean, match: Api.Match | null, seen: string): Promise<void> {
  if (isLogDue) {
    logAt = performance.now();
    await watchLog();
  }
  if (match && !state.alarm) {
    matchAt = performance.now();
    lastSeen = seen;
    await watchMatch(match);
  }
}

/** Save one of the two contradicting documents, or the server's keys. */
const save = (name: string, document: unknown): void => {
  saved(new TextEncoder().encode(`${JSON.stringify(document, null, 1)}\n`).buffer, name);
};

const saveKeys = async (): Promise<void> => {
  const keys = await ask("/keys");
  if (keys?.status === 200) saved(new TextEncoder().encode(keys.text).buffer, "dealt-keys.json");
};

/** Forget what contradicts the server, so that its present history counts. */
function accept({ match }: Alarm): void {
  if (match === null) write(LOG, null);
  else keepHead(match, null);
  write(ALARM, null);
  dispatch({ is: "alarmed", alarm: null });
}

let isStyled = false;

/** Show an alarm, with the evidence to save. */
export function alarmed(alarm: Alarm): TemplateResult {
  if (!isStyled) void loadStyles(styles);
  isStyled = true;
  const file = (label: string, save: () => void) => html`<button type="button" @click=${save}>${label}</button>`;
  return html`<section class="alarm" role="alert" aria-label=${says.alarm}>
    <h2>${says.contradicts}</h2>
    <p>${says.faults[alarm.why]} ${says.whatToDo}</p>
    <p class="files">${file(says.earlier, () => save("dealt-before.json", alarm.before))}
      ${file(says.present, () => save("dealt-now.json", alarm.now))} ${file(says.keys, () => void saveKeys())}
      ${file(says.accept, () => accept(alarm))}</p></section>`;
}
