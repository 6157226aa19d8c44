import { NoAnswer, Refused } from "./errors.js";
import { VERSION } from "./operations.js";

/** The longest `Retry-After`, in seconds, that a client waits for. */
const PATIENCE = 60;
/** The longest pause, in milliseconds, after a request without an answer. */
const LONGEST_PAUSE = 8_000;
/** More than the seconds for which the server holds a request. */
const TIMEOUT = 60_000;
/** Statuses of a server that did nothing, and takes the request later. */
const NOT_DONE = [429, 503];
/** Statuses of a proxy that does not know what the server did. */
const UNKNOWN = [502, 504];

/** A request of the API. */
export interface Call {
  method: string;
  path: string;
  query?: Record<string, unknown> | undefined;
  headers?: Record<string, unknown> | undefined;
  body?: unknown;
  accept?: string | undefined;
  /** The `Idempotency-Key`; by default a new one for each call. */
  key?: string | undefined;
  /** Whether the server does it only once, however often the request arrives; by default true. */
  repeatable?: boolean;
  signal?: AbortSignal | undefined;
}

/** What a client is made with. */
export interface Settings {
  token?: string | undefined;
  /** The number of attempts of a request. */
  attempts?: number;
  /** Another `fetch`, to set proxies or certificates. */
  fetch?: typeof fetch;
}

export const given = (values: Record<string, unknown> = {}): [string, string][] =>
  Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [value].flat().map((one): [string, string] => [name, String(one)]),
  );

/** Returns the address and the options of `fetch`. All attempts of a call send the same. */
export function request(address: string, call: Call, token: string | undefined): [string, RequestInit] {
  const headers: Record<string, string> = { ...Object.fromEntries(given(call.headers)) };
  headers["Accept"] = call.accept ?? "application/json";
  if (typeof window === "undefined") headers["User-Agent"] = `dealt-client-js/${VERSION}`;
  if (token !== undefined) headers["Authorization"] = `Bearer ${token}`;
  if (call.method === "POST" && call.repeatable !== false) headers["Idempotency-Key"] = call.key ?? crypto.randomUUID();
  if (call.body !== undefined) headers["Content-Type"] = "application/json";
  const query = new URLSearchParams(given(call.query)).toString();
  const url = `${address.replace(/\/$/, "")}${call.path}${query && `?${query}`}`;
  const body = call.body === undefined ? {} : { body: JSON.stringify(call.body) };
  return [url, { method: call.method, headers, cache: "no-store", ...body }];
}

/** Decides after each attempt of a call how long to wait before the next. */
export class Attempts {
  made = 0;

  constructor(
    readonly call: Call,
    readonly most: number,
  ) {}

  get name(): string {
    return `${this.call.method} ${this.call.path}`;
  }

  /** Returns the milliseconds to wait; undefined if this answer is the last one. */
  afterAnswer(answer: Response): number | undefined {
    const asked = answer.headers.get("Retry-After") ?? "";
    const pause = /^\d+$/.test(asked) ? Number(asked) * 1000 : this.pause();
    const again =
      NOT_DONE.includes(answer.status) || (UNKNOWN.includes(answer.status) && this.call.repeatable !== false);
    return again && pause <= PATIENCE * 1000 && this.#hasAnother() ? pause : undefined;
  }

  /** Returns the milliseconds to wait. Throws NoAnswer after the last attempt, or if a repeat is not safe. */
  afterFailure(error: unknown): number {
    if (this.call.signal?.aborted || this.call.repeatable === false || !this.#hasAnother()) {
      throw new NoAnswer(this.name, error);
    }
    return this.pause();
  }

  #hasAnother(): boolean {
    this.made += 1;
    return this.made < this.most;
  }

  /** Returns a pause that doubles each time, and differs between clients. */
  pause(): number {
    return Math.min(LONGEST_PAUSE, 250 * 2 ** this.made) * (0.5 + Math.random() / 2);
  }
}

export const sleep = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

/** Sends a request until it is answered. Returns the answer even if it is a refusal. */
export async function send(address: string, call: Call, settings: Settings): Promise<Response> {
  const attempts = new Attempts(call, settings.attempts ?? 8);
  const [url, options] = request(address, call, settings.token);
  for (;;) {
    let pause: number | undefined;
    try {
      const limit = AbortSignal.timeout(TIMEOUT);
      const signal = call.signal ? AbortSignal.any([call.signal, limit]) : limit;
      const answer = await (settings.fetch ?? fetch)(url, { ...options, signal });
      const body = await answer.arrayBuffer(); // an answer that is cut within its body counts as none
      pause = attempts.afterAnswer(answer);
      if (pause === undefined) return new Response([204, 205, 304].includes(answer.status) ? null : body, answer);
    } catch (error) {
      pause = attempts.afterFailure(error);
    }
    await sleep(pause);
  }
}

/** Returns the JSON, text or bytes of an answer; undefined if it is empty. Throws Refused if it is a problem. */
export async function contentOf(answer: Response, name: string): Promise<unknown> {
  if (answer.status >= 400) throw new Refused(name, answer.status, await answer.text());
  const media = (answer.headers.get("Content-Type") ?? "").split(";")[0] ?? "";
  if (answer.status === 204) return undefined;
  if (media.endsWith("json")) return answer.json();
  return media === "application/octet-stream" ? new Uint8Array(await answer.arrayBuffer()) : answer.text();
}
