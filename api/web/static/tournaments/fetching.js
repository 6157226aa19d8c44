/** Reads the parts of a tournament that are shown. */

import {waitsForPlayers, toRead} from "./happenings.js";
import {api} from "../table/app.js";

const PAGE = 500;

/** @typedef {import("./happenings.js").Ground} Ground */
/** @typedef {(happening: import("./happenings.js").GroundHappening) => void} Tell */

/**
 * @param {Ground} ground the state; always the same object
 * @param {string} id
 * @param {(tournament: Api.Tournament) => {part: string, round: number}} wanted the shown part
 * @param {Tell} tell
 */
export async function readTournament(ground, id, wanted, tell) {
  const before = ground.tournament, t = await api.call("GET", `/tournaments/${id}`), {part, round} = wanted(t);
  const isKept = before?.id === id && before.version === t.version && ground.mine?.id === t.your_table && t.round > 0;
  tell({is: "seen", tournament: t, mine: isKept ? ground.mine : t.your_table_made
    ? await table(t.your_table) : null});
  const reading = {ground, t, round: round || t.round, tell},
    what = part === "rounds" ? `${part} ${reading.round}` : part;
  if (ground.read[what] === t.version && !(part === "rounds" && waitsForPlayers(ground.rounds[reading.round]))) return;
  if (!ground.game) void api.call("GET", `/games/${t.game}`).then((game) => tell({is: "ruled", id, game}), () => {});
  void namesOf(ground, t).then((names) => tell({is: "called", names}), () => {});
  await Promise.all([READS[part]?.(reading), t.you_run_it && !["players", "pods", "told"].includes(part)
      ? entries(reading) : null,
    // A finished tournament also shows its winner and prizes.
    t.status === "over" && part !== "standings" && !ground.standings ? READS["standings"]?.(reading) : null]);
  tell({is: "read", id, what, version: t.version});
}

/**
 * Read the names of sets and cards in prizes, if they are not known yet.
 * @param {Ground} ground @param {Api.Tournament} t @returns {Promise<Record<string, string>>}
 */
async function namesOf({names}, {prizes}) {
  const unknown = (/** @type {string} */ id) => !(id in names),
    sets = prizes.flatMap(({boosters}) => Object.keys(boosters)).some(unknown),
    cards = [...new Set(prizes.flatMap(({promo}) => promo ?? []))].filter(unknown);
  const read = await Promise.all([sets ? api.call("GET", "/sets").then(({items}) => items) : [],
    ...cards.map((id) => api.call("GET", `/cards/${id}`))]);
  return Object.fromEntries(read.flat().map(({id, name}) => [id, name]));
}

/** Read the match at the reader's table. @param {string | null} id */
const table = (id) => api.call("GET",
  `/matches/${id}?fields=id,status,seats,your_seat,to_act,deadline,created_at`);

/** @typedef {{ground: Ground, t: Api.Tournament, round: number, tell: Tell}} Reading */

const READS = /** @type {Record<string, (reading: Reading) => Promise<void>>} */ ({
  players: entries,
  pods: entries,
  standings: async ({t, tell}) =>
    tell({is: "stands", id: t.id, standings: await api.call("GET", `/tournaments/${t.id}/standings`)}),
  rounds: async ({ground, t, round, tell}) => { if (round && toRead(ground, [round]).length)
    await paired(t.id, round, tell); },
  bracket: async ({ground, t, tell}) => {
    const {items} = await api.call("GET", `/tournaments/${t.id}/rounds`);
    const numbers = items.filter((one) => one.stage === "elimination")
      .map((one) => one.round);
    await Promise.all(toRead(ground, numbers).map((round) => paired(t.id, round, tell)));
  },
  told: async (reading) => {
    const {ground, t, tell} = reading;
    await entries(reading);
    for (let after = ground.told.at(-1)?.seq ?? 0; after < t.version;) {
      const {items, next} = await api.call("GET", `/tournaments/${t.id}/events?limit=${PAGE}&after=${after}`);
      tell({is: "told", id: t.id, events: items});
      if (next <= after) break;
      after = next;
    }
  },
});

/** @param {Reading} reading */
async function entries({t, tell}) {
  tell({is: "entered", id: t.id, entries: await api.call("GET", `/tournaments/${t.id}/entries`)});
}

/** @param {string} id @param {number} round @param {Tell} tell */
async function paired(id, round, tell) {
  tell({is: "paired", id, round: await api.call("GET", `/tournaments/${id}/rounds/${round}`)});
}
