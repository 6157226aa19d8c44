/** Speaks to the public API, and to nothing else. The token goes in a header, never in an address. */

import {says} from "../words/table.js";

/** The server has refused, or could not be asked; the message is for people. */
export class Refused extends Error {
  /** @param {string} message @param {number} status 0 where there was no answer @param {string} code */
  constructor(message, status, code) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const LEFT = "left";
const SHOWN = "id,game,status,version,seats,your_seat,your_seats,to_act,deadline,scene,result,invites";
const SILENT_MS = 25_000;
const QUIET_MS = 12_000;  // a stream that lives says something every ten seconds
const SAME_MS = 2_000;  // clocks that differ by less are taken for the same: the server tells its time in seconds
const [SOONEST_MS, LATEST_MS] = [500, 8_000];
const WAITED_MS = 2_000;  // somebody waits for an answer: it is asked for again soon
const AWAY = [502, 503, 504], BUSY = [429, ...AWAY];  // so answers what stands before a server that does not

/** Wait so many milliseconds. @param {number} ms */
const rests = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** Draw a key by which a request that comes twice is known. `randomUUID` is there on secure addresses alone. */
const keyed = () => ({"Idempotency-Key": [...crypto.getRandomValues(new Uint8Array(16))].map((one) => one.toString(16).padStart(2, "0")).join("")});

/** @param {string} root the address of the server @param {() => string} token @param {(isOnline: boolean) => void} online told whether all that was asked is answered */
export function apiOf(root, token, online) {
  const lost = new Set();
  let place = 0;
  /** Note that something is not answered, or that it is again. @param {object} what @param {boolean} isLost */
  const waits = (what, isLost) => {
    if (isLost) lost.add(what);
    else lost.delete(what);
    online(!lost.size);
  };

  /** Ask again and again until there is an answer, or the place is left. @template T @param {() => Promise<T | null>} ask gives null where there was none @returns {Promise<T>} */
  async function answered(ask) {
    const here = place;
    try {
      for (let pause = SOONEST_MS; place === here; pause = Math.min(WAITED_MS, pause * 2)) {
        const answer = await ask();
        if (answer) return answer;
        waits(ask, true);
        await rests(pause);
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

  /** @param {Record<string, string>} more */
  const headers = (more) => /** @type {Record<string, string>} */ ({...(token() ? {Authorization: `Bearer ${token()}`} : {}), ...more});

  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   * @param {Record<string, string>} [more] headers
   * @param {(answer: Response) => void} [hears] what is done with the headers of the answer
   * @returns {Promise<any>} what the server answers
   */
  async function call(method, path, body, more = {}, hears = () => {}) {
    const used = token(), known = headers({Accept: "application/json", ...more});
    if (body !== undefined) known["Content-Type"] = "application/json";
    const sent = {method, headers: known, body: body === undefined ? null : JSON.stringify(body)};
    const isRead = method === "GET", isSafe = isRead || "Idempotency-Key" in more;
    const ask = async () => {
      try {
        const answer = await fetch(`${root}/v1${path}`, {...sent, signal: AbortSignal.timeout(SILENT_MS)});
        if (isSafe && (isRead ? BUSY : AWAY).includes(answer.status)) return null;
        return {answer, data: answer.status === 204 ? null : await answer.json().catch((error) => { if (answer.ok) throw error; })};
      } catch { return null; }
    };
    const found = await (isSafe ? answered(ask) : ask());
    if (!found) throw new Refused(says.lost, 0, "lost");
    const {answer, data} = found;
    heeds(answer);
    if (answer.ok) {
      hears(answer);
      return data;
    }
    if (answer.status === 401 && used !== token()) return call(method, path, body, more, hears);  // it was changed meanwhile
    const reasons = Object.entries(data?.errors ?? {}).map(([field, said]) => `${named(field)}: ${/** @type {string[]} */ (said).join(" ")}`);
    throw new Refused(reasons.join(" ") || (data?.detail ?? data?.title ?? says.answers(answer.status)), answer.status, data?.code ?? "");
  }

  /**
   * Ask for a document that is no answer in JSON.
   * @param {string} path @param {string} accept
   * @returns {Promise<{answer: Response, bytes: ArrayBuffer}>}
   */
  const document_ = (path, accept = "*/*") => answered(async () => {
    try {
      const answer = await fetch(`${root}/v1${path}`, {headers: headers({Accept: accept})});
      return BUSY.includes(answer.status) ? null : {answer, bytes: await answer.arrayBuffer()};
    } catch { return null; }
  });

  /**
   * Follow a stream until it is over, as the events of a match; a lost connection is taken up again where it was lost.
   * @param {string} path
   * @param {(data: any) => number} idOf gives the number of what was told, after which it goes on
   * @param {{told: (event: any) => void, refused: (error: Refused) => void}} heard
   * @returns {() => void} ends it
   */
  function follow(path, idOf, heard) {
    let last = 0, isOver = false, pause = SOONEST_MS, heardAt = 0, hurry = () => {};
    let control = new AbortController();
    const me = {};
    const once = async () => {
      control = new AbortController();
      heardAt = Date.now();
      const used = token();
      let watch = setTimeout(() => control.abort(), SILENT_MS);
      const answer = await fetch(`${root}/v1${path}`,
        {headers: headers({Accept: "text/event-stream", "Last-Event-ID": String(last)}), signal: control.signal});
      if (answer.status === 204) return true;
      if (answer.status === 401 && used !== token()) return false;
      if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) {
        heard.refused(new Refused(says.matchIsClosed, answer.status, "not_found"));
        return true;
      }
      if (!answer.ok || !answer.body) throw new Error(String(answer.status));
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let rest = "";;) {
        const {value, done} = await reader.read();
        clearTimeout(watch);
        if (done) return false;
        waits(me, false);
        heardAt = Date.now();
        pause = SOONEST_MS;
        watch = setTimeout(() => control.abort(), SILENT_MS);
        const blocks = (rest + value).split("\n\n");
        rest = blocks.pop() ?? "";
        for (const data of blocks.flatMap(dataOf)) {
          last = idOf(data);
          heard.told(data);
        }
      }
    };
    const loop = async () => {
      while (!isOver) {
        try { isOver = await once() || isOver; } catch { if (!isOver) waits(me, true); }
        if (!isOver) await Promise.race([rests(pause), new Promise((resolve) => { hurry = () => resolve(null); })]);
        pause = Math.min(LATEST_MS, pause * 2);
      }
      waits(me, false);
    };
    // A page that is left may be kept for who comes back, and would keep one of the few connections of its browser.
    const leave = () => control.abort();
    // A device that was asleep has a connection that is none any longer: it is not waited for.
    const wake = () => {
      if (document.hidden || Date.now() - heardAt < QUIET_MS) return;
      pause = SOONEST_MS;
      control.abort();
      hurry();
    };
    const ears = /** @type {const} */ ([["pagehide", leave], ["online", wake], ["visibilitychange", wake]]);
    for (const [name, does] of ears) addEventListener(name, does);
    void loop();
    return () => {
      isOver = true;
      for (const [name, does] of ears) removeEventListener(name, does);
      control.abort();
      hurry();
    };
  }

  /** Read a match, as far as the page shows it. @param {string} id @param {Record<string, string>} [more] headers */
  const match = (id, more = {}) => call("GET", `/matches/${id}?fields=${SHOWN}`, undefined, more);

  return {call, document: document_, follow, keyed, match, now: () => Date.now() + ahead,
    /** What was asked in this place, and is not answered yet, is not asked again. */
    leaves: () => { place += 1; }};
}

/** Name a field of a request as people count: `orders.0.if.phase` is "orders 1 if phase". @param {string} field */
const named = (field) => field.split(".").map((part) => /^\d+$/.test(part) ? Number(part) + 1 : part.replaceAll("_", " ")).join(" ");

/** Read an event off a block of a stream; comments have none. @param {string} block @returns {any[]} */
export function dataOf(block) {
  return block.split("\n").filter((line) => line.startsWith("data: ")).map((line) => JSON.parse(line.slice(6)));
}
