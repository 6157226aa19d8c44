/** Speaks to the public API, and to nothing else. The token goes in a header, never in an address. */

import {says} from "../words/table.js";

/**
 * Give what the server says to people of why it refused; what names fields is for programs.
 * @param {{title?: string, detail?: string} | null} problem
 */
export const saidOf = (problem) =>
  [problem?.title, problem?.detail].filter((one) => one && !one.includes("`")).join(". ");

/** The server has refused, or could not be asked; the message is for people. */
export class Refused extends Error {
  /**
   * @param {string} message
   * @param {number} status 0 where there was no answer
   * @param {string} code
   * @param {Record<string, string[]>} [errors] what is wrong, by the fields
   */
  constructor(message, status, code, errors = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
}

/** The code of what is asked no longer, as its place was left: nothing is to be said of that. */
export const LEFT = "left";
const OFFERED = ["version", "seat", "prompt", "moves.name", "moves.args", "moves.example", "moves.place", "also"]
  .map((name) => `offer.${name}`).join();
const SHOWN =
  "id,game,status,version,seats.seat,seats.kind,seats.player.id,seats.player.name,seats.deadline,your_seat," +
  "your_seats,to_act,deadline,result,invites,tournament,rated,annulled";
const [FIRST_MS, SILENT_MS] = [8_000, 25_000];
/**
 * For how long an answer is waited for: the first times not long, as browsers ask on connections that may be dead.
 * @param {number} n how often it was asked for before
 */
export const patience = (n) => n < 0 ? AWAKE_MS : Math.min(SILENT_MS, FIRST_MS * 2 ** n);
// A browser keeps up to six connections to a server, and who wakes up may find all of them dead: each is left soon.
export const AWAKE = -6;
const AWAKE_MS = 2_000;
const SAME_MS = 2_000;  // clocks that differ by less are taken for the same: the server tells its time in seconds
export const SOONEST_MS = 500;
const WAITED_MS = 2_000;  // somebody waits for an answer: it is asked for again soon
const AWAY = [502, 503, 504], BUSY = [429, ...AWAY];  // so answers what stands before a server that does not

export const WOKEN = "woken";  // why what is open is asked for anew, where nothing is known to be lost

/** Draw a key by which a request that comes twice is known. `randomUUID` is there on secure addresses alone. */
const keyed = () =>
  ({"Idempotency-Key": [...crypto.getRandomValues(new Uint8Array(16))].map((one) => one.toString(16).padStart(2, "0"))
    .join("")});

/**
 * @param {string} root the address of the server
 * @param {() => string} token
 * @param {(isOnline: boolean) => void} online told whether all that was asked is answered
 */
export function apiOf(root, token, online) {
  const lost = new Set();
  let place = 0;
  /** Note that something is not answered, or that it is again. @param {object} what @param {boolean} isLost */
  const waits = (what, isLost) => {
    if (isLost) lost.add(what);
    else lost.delete(what);
    online(!lost.size);
  };

  let open = new AbortController();
  /** End what is open, which is asked for anew: a connection may have gone without a word. @param {string} [why] */
  const anew = (why) => {
    const old = open;
    open = new AbortController();
    old.abort(why);
  };
  const wakes = () => { if (!document.hidden) anew(WOKEN); };
  for (const name of ["online", "offline"]) addEventListener(name, wakes);
  document.addEventListener("visibilitychange", wakes);
  // A page that is left may be kept for who comes back, and would keep one of the few connections of its browser.
  addEventListener("pagehide", () => anew());

  /**
   * Wait so many milliseconds, or until all is asked for anew; says whether that was since somebody woke up.
   * @param {number} ms
   */
  const rests = async (ms) => {
    const {signal} = open;
    await new Promise((resolve) => {
      setTimeout(resolve, ms);
      signal.addEventListener("abort", resolve);
    });
    return signal.reason === WOKEN;
  };

  /**
   * Ask once; null where there was no answer. Browsers take one for whole that was cut in its head: it has nothing in
   * it then.
   * @template {string | ArrayBuffer} T @param {string} path @param {RequestInit} how @param {boolean} isSafe whether it
   *   may be asked twice
   * @param {(answer: Response) => Promise<T>} took @param {AbortSignal[]} until
   * @returns {Promise<{answer: Response, data: T} | null>}
   */
  async function ask(path, how, isSafe, took, ...until) {
    const {signal} = open;
    try {
      const answer = await fetch(`${root}/v1${path}`,
        {...how, signal: AbortSignal.any(isSafe ? [signal, ...until] : until)});
      if (isSafe && (how.method === "POST" ? AWAY : BUSY).includes(answer.status)) return null;
      const data = await took(answer);
      return answer.status === 204 || (typeof data === "string" ? data : data.byteLength) ? {answer, data} : null;
    } catch { return null; }
  }

  /**
   * Ask again and again until there is an answer, or the place is left.
   * @template T
   * @param {(n: number) => Promise<T | null>} ask gives null where there was none
   * @returns {Promise<T>}
   */
  async function answered(ask) {
    const here = place;
    try {
      for (let n = 0; place === here; n += 1) {
        const {signal} = open, answer = await ask(n);
        if (answer) return answer;
        const isWoken = signal.reason === WOKEN;
        if (!isWoken && n >= 0) waits(ask, true);
        if (isWoken || await rests(Math.min(WAITED_MS, SOONEST_MS * 2 ** n))) n = AWAKE - 1;
      }
    } finally { waits(ask, false); }
    throw new Refused(says.lost, 0, LEFT);
  }

  let ahead = 0;  // of our clock, so many milliseconds the server's is
  /** @param {Response} answer */
  const heeds = (answer) => {
    const there = Date.parse(answer.headers.get("Date") ?? "") - Date.now();
    if (there) ahead = Math.abs(there) > SAME_MS ? there : 0;
  };

  // The token is encoded: an invalid one may hold characters that no header can have.
  /** @param {Record<string, string>} more */
  const headers = (more) =>
    /** @type {Record<string, string>} */ ({...(token() ? {Authorization: `Bearer ${encodeURI(token())}`} : {}),
      ...more});

  /**
   * @template {Api.Method} M
   * @template {string} A
   * @param {M} method
   * @param {A} path
   * @param {unknown} [body]
   * @param {Record<string, string>} [more] headers
   * @param {(answer: Response) => void} [hears] what is done with the headers of the answer
   * @returns {Promise<Api.Answer<M, A>>} what the server answers
   */
  async function call(method, path, body, more = {}, hears = () => {}) {
    const used = token(), known = headers({Accept: "application/json", ...more});
    if (body !== undefined) known["Content-Type"] = "application/json";
    const sent = {method, headers: known, body: body === undefined ? null : JSON.stringify(body)};
    const isSafe = method === "GET" || "Idempotency-Key" in more;
    const asks = async (n = Infinity) => {
      const found = await ask(path, sent, isSafe, (answer) => answer.text(), AbortSignal.timeout(patience(n)));
      if (!found) return null;
      const {answer, data} = found;
      try { return {answer, data: JSON.parse(data || "null")}; } catch { return answer.ok ? null : {answer, data: null};
        }
    };
    const found = await (isSafe ? answered(asks) : asks());
    if (!found) throw new Refused(says.lost, 0, "lost");
    const {answer, data} = found;
    heeds(answer);
    if (answer.ok) {
      hears(answer);
      return data;
    }
    // it was changed meanwhile
    if (answer.status === 401 && used !== token()) return call(method, path, body, more, hears);
    const reasons = Object.entries(data?.errors ?? {})
      .map(([field, said]) => `${named(field)}: ${/** @type {string[]} */ (said).join(" ")}`);
    throw new Refused(reasons.join(" ") || saidOf(data)
      || says.answers(answer.status), answer.status, data?.code ?? "", data?.errors);
  }

  /**
   * Ask for a document that is no answer in JSON.
   * @param {string} path @param {string} accept
   * @returns {Promise<{answer: Response, bytes: ArrayBuffer}>}
   */
  const document_ = async (path, accept = "*/*") => {
    const {answer, data} = await answered(() =>
      ask(path, {headers: headers({Accept: accept})}, true, (answer) => answer.arrayBuffer()));
    return {answer, bytes: data};
  };

  /** Read a match, as far as the page shows it. @param {string} id @param {Record<string, string>} [more] headers */
  const match = (id, more = {}) => call("GET", `/matches/${id}?fields=${SHOWN}`, undefined, more);

  /**
   * Read a match with what may be done in it; what nobody waits for by its names alone, or whole. Where nothing can be
   * done, it is asked why.
   * @param {string} id @param {boolean} isWhole
   */
  const table = async (id, isWhole) => {
    const seen = await call("GET", `/matches/${id}?fields=${SHOWN},bare_scene,${OFFERED}${isWhole ? "" : ".name"}`);
    return {...seen, scene: /** @type {Api.Scene} */ (whole(seen.bare_scene)),
      offer: seen.offer ?? await call("GET", `/matches/${id}/moves`)};
  };

  /**
   * Let a request pass that the server answers when something has come, or a time; what it answers is of no matter.
   * @param {string} path @param {number} ms
   */
  const passes = async (path, ms) => {
    await ask(path, {method: "HEAD", headers: headers({})}, true, (answer) => answer.text(), AbortSignal.timeout(ms));
  };

  /** What streams are followed by. */
  const line = {root, token, headers, waits, rests, anew, open: () => open.signal};

  return {call, passes, document: document_, line, keyed, match, table, now: () => Date.now() + ahead,
    /** What was asked in this place, and is not answered yet, is not asked again. */
    leaves: () => { place += 1; }};
}

/** Name a field of a request as people count: `orders.0.if.phase` is "orders 1 if phase". @param {string} field */
const named = (field) => field.split(".")
  .map((part) => /^\d+$/.test(part) ? Number(part) + 1 : part.replaceAll("_", " ")).join(" ");

const CARD = {card: null, seat: null, marks: [], id: null, aims: []},
  ZONE = {seat: null, spots: [], numbers: {}, note: "", columns: null}, SEAT = {badges: [], numbers: {}},
  SCENE = {seat: null, zones: {}, numbers: {}, notes: [], last: null, steps: []};

/**
 * Put what is null or empty into a scene that came without it.
 * @param {Api.BareScene | null} scene
 * @returns {Api.Scene | null}
 */
export const whole = (scene) => scene ? {...SCENE, ...scene,
  seats: scene.seats.map((one) => ({...SEAT, ...one})),
  zones: Object.fromEntries(Object.entries(scene.zones ?? {}).map(([name, zone]) => [name, {...ZONE, ...zone,
    spots: (zone.spots ?? []).map((one) => ({...CARD, ...one}))}]))} : null;
