/** Speaks to the public API only. The token goes in a header, never in an address. */

import {newNonce} from "./nonces.ts";
import {says} from "../words/table.js";

/**
 * Return the server's reason for a refusal, for people; field names are for programs.
 * @param {{title?: string, detail?: string} | null} problem
 */
export const saidOf = (problem) =>
  [problem?.title, problem?.detail].filter((one) => one && !one.includes("`")).join(". ");

/** The server refused a request, or did not answer. The message is for people. */
export class Refused extends Error {
  /**
   * @param {string} message
   * @param {number} status 0 if there was no answer
   * @param {string} code
   * @param {Record<string, string[]>} [errors] problems by field
   */
  constructor(message, status, code, errors = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
}

/** The code of a request that was abandoned because the reader went to another place; nothing is shown for it. */
export const LEFT = "left";
const OFFERED = ["version", "seat", "prompt", "moves.name", "moves.args", "moves.example", "moves.place", "also"]
  .map((name) => `offer.${name}`).join();
const SHOWN =
  "id,game,status,version,seats.seat,seats.kind,seats.player.id,seats.player.name,seats.deadline,your_seat," +
  "your_seats,to_act,deadline,result,invites,tournament,rated,annulled";
const [FIRST_MS, SILENT_MS] = [8_000, 25_000];
/**
 * Return how long to wait for an answer: briefly at first, as browsers reuse connections that may be dead.
 * @param {number} n number of earlier tries
 */
export const patience = (n) => n < 0 ? AWAKE_MS : Math.min(SILENT_MS, FIRST_MS * 2 ** n);
// A browser keeps up to six connections to a server, and all may be dead when the device wakes up: each gets little
// time.
export const AWAKE = -6;
const AWAKE_MS = 2_000;
const SAME_MS = 2_000;  // the server's time is in whole seconds, so smaller differences between the clocks do not count
export const SOONEST_MS = 500;
const WAITED_MS = 2_000;  // the reader is waiting for an answer, so the next try comes soon
const AWAY = [502, 503, 504], BUSY = [429, ...AWAY];  // the answers of a proxy if the server does not answer

export const WOKEN = "woken";  // the reason for opening streams again although no connection is known to be lost

/** Make an idempotency key. `randomUUID` exists only on secure addresses. */
const keyed = () => ({"Idempotency-Key": newNonce()});

/**
 * @param {string} root the server's base URL
 * @param {() => string} token
 * @param {(isOnline: boolean) => void} online gets whether all requests are answered
 */
export function apiOf(root, token, online) {
  const lost = new Set();
  let place = 0;
  /** Note whether a request is answered. @param {object} what @param {boolean} isLost */
  const noteLost = (what, isLost) => {
    if (isLost) lost.add(what);
    else lost.delete(what);
    online(!lost.size);
  };

  let open = new AbortController();
  /** End all open requests, which are then sent again: a connection may have died silently. @param {string} [why] */
  const restart = (why) => {
    const old = open;
    open = new AbortController();
    old.abort(why);
  };
  const restartIfSeen = () => { if (!document.hidden) restart(WOKEN); };
  for (const name of ["online", "offline"]) addEventListener(name, restartIfSeen);
  document.addEventListener("visibilitychange", restartIfSeen);
  // Browsers may keep a page after the reader leaves, and with it one of their few connections.
  addEventListener("pagehide", () => restart());

  /**
   * Wait for a time, or until everything is requested again; return whether the device has just woken up.
   * @param {number} ms
   */
  const sleep = async (ms) => {
    const {signal} = open;
    await new Promise((resolve) => {
      setTimeout(resolve, ms);
      signal.addEventListener("abort", resolve);
    });
    return signal.reason === WOKEN;
  };

  /**
   * Send a request once; null if there is no answer. Browsers accept an answer that was cut in its headers as complete
   * but empty.
   * @template {string | ArrayBuffer} T @param {string} path @param {RequestInit} how @param {boolean} isSafe whether
   *   it can be sent twice
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
   * Send a request again until there is an answer, or the reader goes to another place.
   * @template T
   * @param {(n: number) => Promise<T | null>} ask returns null if there was no answer
   * @returns {Promise<T>}
   */
  async function answered(ask) {
    const here = place;
    try {
      for (let n = 0; place === here; n += 1) {
        const {signal} = open, answer = await ask(n);
        if (answer) return answer;
        const isWoken = signal.reason === WOKEN;
        if (!isWoken && n >= 0) noteLost(ask, true);
        if (isWoken || await sleep(Math.min(WAITED_MS, SOONEST_MS * 2 ** n))) n = AWAKE - 1;
      }
    } finally { noteLost(ask, false); }
    throw new Refused(says.lost, 0, LEFT);
  }

  let ahead = 0;  // how many milliseconds the server's clock is ahead of this one
  /** @param {Response} answer */
  const noteClock = (answer) => {
    const there = Date.parse(answer.headers.get("Date") ?? "") - Date.now();
    if (there) ahead = Math.abs(there) > SAME_MS ? there : 0;
  };

  // Encode the token: an invalid one may contain characters that headers cannot.
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
   * @param {(answer: Response) => void} [hears] reads the headers of the answer
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
    noteClock(answer);
    if (answer.ok) {
      hears(answer);
      return data;
    }
    // the resource was changed meanwhile
    if (answer.status === 401 && used !== token()) return call(method, path, body, more, hears);
    const reasons = Object.entries(data?.errors ?? {})
      .map(([field, said]) => `${named(field)}: ${/** @type {string[]} */ (said).join(" ")}`);
    throw new Refused(reasons.join(" ") || saidOf(data)
      || says.answers(answer.status), answer.status, data?.code ?? "", data?.errors);
  }

  /**
   * Request a document other than a JSON answer. It may be long, so only silence counts: more of it each time, as the
   * server may need long to begin.
   * @param {string} path @param {string} accept
   * @returns {Promise<{answer: Response, bytes: ArrayBuffer}>}
   */
  const document_ = async (path, accept = "*/*") => {
    const {answer, data} = await answered((n) => {
      const late = new AbortController();
      let watch = 0;
      const waits = () => {
        clearTimeout(watch);
        watch = window.setTimeout(() => late.abort(), patience(n) * 2 ** Math.max(0, n));
      };
      waits();
      return ask(path, {headers: headers({Accept: accept})}, true, ({body}) => new Response(body?.pipeThrough(
        new TransformStream({transform: (part, out) => { waits(); out.enqueue(part); }}))).arrayBuffer(), late.signal)
        .finally(() => clearTimeout(watch));
    });
    return {answer, bytes: data};
  };

  /**
   * Read the fields of a match that the page shows.
   * @param {string} id @param {Record<string, string>} [more] headers
   */
  const match = (id, more = {}) => call("GET", `/matches/${id}?fields=${SHOWN}`, undefined, more);

  /**
   * Read a match with the legal moves: rare ones only by name, or in full. If there are none, read why.
   * @param {string} id @param {boolean} isWhole
   */
  const table = async (id, isWhole) => {
    const seen = await call("GET", `/matches/${id}?fields=${SHOWN},bare_scene,${OFFERED}${isWhole ? "" : ".name"}`);
    return {...seen, scene: /** @type {Api.Scene} */ (whole(seen.bare_scene)),
      offer: seen.offer ?? await call("GET", `/matches/${id}/moves`)};
  };

  /**
   * Send a request that the server answers after a change or a timeout; the answer itself is ignored.
   * @param {string} path @param {number} ms
   */
  const passes = async (path, ms) => {
    await ask(path, {method: "HEAD", headers: headers({})}, true, (answer) => answer.text(), AbortSignal.timeout(ms));
  };

  /** Used by streams. */
  const line = {root, token, headers, noteLost, sleep, restart, open: () => open.signal};

  return {call, passes, document: document_, line, keyed, match, table, now: () => Date.now() + ahead,
    /** Abandon all unanswered requests of this place. */
    leaves: () => { place += 1; }};
}

/** Name a field with indices from 1: `orders.0.if.phase` becomes "orders 1 if phase". @param {string} field */
const named = (field) => field.split(".")
  .map((part) => /^\d+$/.test(part) ? Number(part) + 1 : part.replaceAll("_", " ")).join(" ");

const CARD = {card: null, seat: null, marks: [], id: null, aims: []},
  ZONE = {seat: null, spots: [], numbers: {}, note: "", columns: null}, SEAT = {badges: [], numbers: {}},
  SCENE = {seat: null, zones: {}, numbers: {}, notes: [], last: null, steps: []};

/**
 * Fill in the null and empty fields that a scene came without.
 * @param {Api.BareScene | null} scene
 * @returns {Api.Scene | null}
 */
export const whole = (scene) => scene ? {...SCENE, ...scene,
  seats: scene.seats.map((one) => ({...SEAT, ...one})),
  zones: Object.fromEntries(Object.entries(scene.zones ?? {}).map(([name, zone]) => [name, {...ZONE, ...zone,
    spots: (zone.spots ?? []).map((one) => ({...CARD, ...one}))}]))} : null;
