/** Follows a tournament: every event must follow from those before it, by the tournament rulebook (docs/proof.md). */

import { isHex64 } from "../bytes.mjs";
import { Wrong, get, has, isObject, isText, must, same } from "../deals.mjs";
import { cites } from "./cited.mjs";
import { consequence } from "./course.mjs";
import { drawing, linksOf } from "./draws.mjs";
import { teamSize } from "./duplicate.mjs";
import { ADDED, FIELDS, REASONS, RULES } from "./events.mjs";
import { exactly, isTime } from "./fields.mjs";
import { areAwardable, canBePlayed, canBePrepared } from "./plan.mjs";
import { Counts } from "./state.mjs";
import { withoutTable } from "./swiss.mjs";
import { TOLD } from "./told.mjs";
import { addedAfter, latestOf } from "../versions.mjs";

/**
 * @typedef {import("./state.mjs").Tournament} Tournament
 * @typedef {import("../record.mjs").Linked} Event
 * @typedef {import("./events.mjs").Told} Told
 */

const YEAR_MS = 365 * 86_400_000;

/** Return whether an event's type and version are known. @param {Event} event */
export const isKnown = ({ type, v }) => has(FIELDS, type) && v <= latestOf(ADDED, type);

/**
 * Check that an event is well-formed, and comes at a possible time.
 * @param {Event} event
 * @param {number} seq
 * @param {Event} announced the first event
 */
export function wellFormed(event, seq, announced) {
  const { type, v, cause, seals } = event;
  must(v >= 1 && ["move", "bot", "timeout", "auto"].includes(cause) && !Object.keys(seals).length, seq,
    "No event of a tournament is of such a version or cause, or has a seal.");
  const later = addedAfter(ADDED, type, v), all = Object.entries(FIELDS[/** @type {keyof Told} */ (type)]);
  const fields = /** @type {[string, (x: unknown) => x is unknown][]} */ (all).filter(([name]) => !has(later, name));
  const isWritten = exactly(Object.fromEntries(fields))(event.data);
  must(isWritten, seq, "The event does not have the form of its type.");
  timely(event, seq, announced);
}

/** @param {Event} event @param {number} seq @param {Event} announced */
function timely({ type, data, at }, seq, announced) {
  const closes = get(announced.data, "closes"), plan = get(announced.data, "plan"),
    ends = isObject(plan) ? get(plan, "ends") : null;
  const byNobody = data.by === null, isCancelled = type === "TournamentCancelled" && byNobody;
  must(!isText(closes) || !byNobody || !["EntriesClosed", "TournamentCancelled"].includes(type) || at >= closes, seq,
    "Entries were closed before their set time.");
  const lapses = isCancelled && data.reason === REASONS.lapsed;
  must(!lapses || isTime(at) && isTime(announced.at) && Date.parse(at) - Date.parse(announced.at) >= YEAR_MS, seq,
    "Entries had not been open for a year.");
  if (!isText(ends)) return;
  const byTime = type === "PairingEnded" || (isCancelled && data.reason === REASONS.tooLate);
  must(!byTime || at >= ends, seq, "An arena must be paired until its time is over.");
  must(!["RoundPaired", "TablesPaired"].includes(type) || at < ends, seq,
    "An arena is paired only until its time is over.");
}

/**
 * 7.2: return whether anyone can enter, and enough players for the required tables.
 * @param {import("./plan.mjs").Plan} plan
 * @param {import("./plan.mjs").Entry} entry
 */
const canBeEntered = (plan, { least_rating: least, most_rating: most }) =>
  !(least !== undefined && most !== undefined && least > most)
  && (plan.format === "duplicate" ? plan.most * teamSize(plan) > plan.seats
    : withoutTable(plan.most, plan) < plan.most);

/**
 * Check a tournament's beginning; return its state, and the number of events that it takes.
 * @param {string} id
 * @param {Event[]} events
 * @returns {[Tournament, number]}
 */
function begins(id, events) {
  const [first, second, third] = events, prepares = second?.type === "PreparationAnnounced";
  const bound = prepares ? third : second, seq = prepares ? 3 : 2;
  must(first?.type === "TournamentAnnounced" && bound?.type === "DrawsCommitted", 1,
    "A tournament must begin with TournamentAnnounced and DrawsCommitted.");
  const announced = /** @type {Told["TournamentAnnounced"]} */ (first.data),
    { plan, prizes, entry, closes, rules } = announced;
  const { commitment, links, deals = null } = /** @type {Told["DrawsCommitted"]} */ (bound.data);
  const preparation = prepares ? /** @type {Told["PreparationAnnounced"]} */ (second.data).preparation : null;
  const timely = !(plan.ends !== undefined && closes !== null && plan.ends <= closes)
    && !(plan.levels && closes === null);
  must(canBePlayed(plan) && areAwardable(prizes) && (entry.visibility === "public" || entry.by_invite) && timely
    && rules === RULES && canBeEntered(plan, entry), 1,
    "Such a tournament cannot be announced.");
  must(!preparation || canBePrepared(preparation, plan), 1, "Players cannot prepare in this way.");
  must(isHex64(commitment) && (deals === null || isHex64(deals)) && links === linksOf(plan), seq,
    "The commitment to the seeds is invalid.");
  return [{
    ...announced, links, id, commitment, deals, dealsSeed: null, preparation,
    over: false, begun: false, paused: false, link: 0,
    round: 0, open: false,
    players: [], clubs: new Map(), nonces: [], left: new Map(), barred: new Set(), invited: new Set(), gaveUp: [],
    resting: new Set(), away: [], pairingOver: false, missed: new Counts(), waiting: new Map(), order: [], rounds: null,
    stage: "main", tables: [], stakes: [], results: [], attempts: [], tied: new Map(), byes: [], played: [], pods: [],
    cited: new Map(), counted: new Counts(),
  }, seq];
}

/**
 * Follow a tournament from its first to its last event, and return its final state. Throws `Wrong` at the first invalid
 * event.
 * @param {string} id @param {Event[]} events well-formed events @param {() => Promise<void>} breathes awaited
 *   between them
 */
export async function follow(id, events, breathes) {
  const [t, begun] = begins(id, events);
  for (let done = begun; done < events.length; ) {
    await breathes();
    try {
      done = step(t, events, done);
    } catch (error) {
      // Forged events may have fields of other types than declared; reading them raises TypeError or RangeError.
      if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
      throw new Wrong(done + 1, "This event is not possible here.");
    }
  }
  return t;
}

/** @typedef {(t: Tournament, data: Event["data"], telling: import("./told.mjs").Telling) => void} Tells */

/**
 * Follow the next external event with all its automatic consequences; return the number of events so far.
 * @param {Tournament} t
 * @param {Event[]} events
 * @param {number} done
 */
function step(t, events, done) {
  const event = events[done], seq = done + 1;
  must(event, seq, "An event is missing here.");
  const told = /** @type {Tells | undefined} */ (get(TOLD, event.type));
  must(told && t.over === (event.type === "DealsDisclosed"), seq, "This event is not possible here.");
  let next = done + 1;
  /** @param {string} kind @param {unknown} fields */
  const then = (kind, fields) => {
    const following = events[next];
    must(following && following.type === kind && same(following.data, fields), next + 1,
      `${kind} must follow here, with the values that the rules give.`);
    next += 1;
  };
  const cited = cites(t, event);
  told(t, event.data, {
    need: (holds) => must(holds, seq, "The rules do not allow this event."), then,
    draw: (purpose, link, seed) => drawing(t, seq, purpose, link, seed),
  });
  if (cited) t.cited.set(cited.match, cited.by(seq));
  while (consequence(t, events[next], next + 1, then)) { /* until it waits for a person */ }
  return next;
}
