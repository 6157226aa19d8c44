import type { components, operations } from "./api.js";
import { Attempts, type Call, contentOf, request, type Settings, send, sleep } from "./calls.js";
import { Refused } from "./errors.js";
import { OPERATIONS } from "./operations.js";
import { type StreamMessage, StreamReader } from "./streams.js";

type Schemas = components["schemas"];
export type OperationName = keyof typeof OPERATIONS & keyof operations;
type Part<Name extends OperationName, Key extends string> = operations[Name]["parameters"] extends {
  [K in Key]: infer P;
}
  ? { [K in Key]: P }
  : operations[Name]["parameters"] extends { [K in Key]?: infer P }
    ? [Exclude<P, undefined>] extends [never]
      ? { [K in Key]?: never }
      : { [K in Key]?: Exclude<P, undefined> }
    : { [K in Key]?: never };
type Body<Name extends OperationName> = operations[Name] extends { requestBody: { content: infer Content } }
  ? { body: Content[keyof Content] }
  : operations[Name] extends { requestBody?: { content: infer Content } }
    ? { body?: Content[keyof Content] }
    : { body?: never };
type More = { key?: string; accept?: string; signal?: AbortSignal };

/** The arguments of an operation: its parameters in `path`, `query` and `header`, and its `body`. */
export type Arguments<Name extends OperationName> = Part<Name, "path"> &
  Part<Name, "query"> &
  Part<Name, "header"> &
  Body<Name> &
  More;

type Success = 200 | 201 | 202;
type Answered<Name extends OperationName> = operations[Name]["responses"] extends infer Responses
  ? {
      [Status in keyof Responses & Success]: Responses[Status] extends { content: infer Content }
        ? "application/json" extends keyof Content
          ? Content["application/json"]
          : string
        : undefined;
    }[keyof Responses & Success]
  : never;

/** The answer of an operation; undefined if it has none. */
export type Answer<Name extends OperationName> = [Answered<Name>] extends [never] ? undefined : Answered<Name>;

type Rest<Given> = {} extends Given ? [given?: Given] : [given: Given];

/** The operations of the API as methods. */
export type Operations = {
  [Name in OperationName]: (...given: Rest<Arguments<Name>>) => Promise<Answer<Name>>;
};

/** Your turn in a match. */
export interface Turn {
  matchId: string;
  game: string;
  /** Your legal moves, as `listMoves` returns them. */
  offer: Schemas["LegalMoves"];
  /** The moves that you must choose from. The `example` of each can be played unchanged. */
  moves: Schemas["LegalMoves"]["moves"];
  /** Makes a move, and returns what happened. */
  play(move: Schemas["Move"]): Promise<Answer<"makeMove">>;
}

interface Parts {
  path?: Record<string, string | number>;
  query?: Record<string, unknown>;
  header?: Record<string, unknown>;
  body?: unknown;
}

/** Seconds for which the server holds a request until something changes. */
const WAIT = 30;
/** Milliseconds after which a stream without a byte is cut. The server sends a comment more often than that. */
const SILENCE = 60_000;
const IS_OPEN = ["lobby", "playing"];

/** The part of a client that is not generated. */
export class Core {
  constructor(
    /** The address of the server, such as `https://cards.example.org`. */
    readonly address: string,
    readonly settings: Settings = {},
  ) {}

  get token(): string | undefined {
    return this.settings.token;
  }

  set token(token: string | undefined) {
    this.settings.token = token;
  }

  /** Sends a request until it is answered. Returns the answer even if it is a refusal. */
  send(call: Call): Promise<Response> {
    return send(this.address, call, this.settings);
  }

  /** Calls an operation by its name. */
  async call<Name extends OperationName>(name: Name, given: Arguments<Name>): Promise<Answer<Name>> {
    const call = callOf(name, given);
    return (await contentOf(await this.send(call), `${call.method} ${call.path}`)) as Answer<Name>;
  }

  /**
   * Yields your turns: in one match until it is over, or in all your matches without an end.
   *
   * If you do not play a turn, it comes again when the match or the inbox has changed.
   */
  async *turns(matchId?: string): AsyncGenerator<Turn, void, undefined> {
    const path = matchId === undefined ? "/v1/inbox" : `/v1/matches/${encodeURIComponent(matchId)}`;
    const fields = matchId === undefined ? undefined : "game,status,offer";
    for (let etag: string | undefined; ; ) {
      const answer = await this.send({
        method: "GET",
        path,
        query: { wait: WAIT, fields },
        headers: { "If-None-Match": etag },
      }); // prettier-ignore
      if (answer.status === 304) continue;
      // biome-ignore lint/suspicious/noExplicitAny: one of two answers
      const found = (await contentOf(answer, `GET ${path}`)) as any;
      etag = answer.headers.get("ETag") ?? undefined;
      if (matchId !== undefined) {
        if (!IS_OPEN.includes(found.status)) return;
        yield* this.#offered(matchId, found);
        continue;
      }
      const waiting = found.items.filter((item: { kind: string }) => item.kind === "turn");
      for (const match of new Set<string>(waiting.map((item: { match: string }) => item.match))) {
        const look: Call = { method: "GET", path: `/v1/matches/${match}`, query: { fields: "game,status,offer" } };
        // biome-ignore lint/suspicious/noExplicitAny: a part of a match
        yield* this.#offered(match, (await contentOf(await this.send(look), `GET ${look.path}`)) as any);
      }
    }
  }

  *#offered(matchId: string, match: { game: string; offer: Schemas["LegalMoves"] | null }): Generator<Turn> {
    const { game, offer } = match;
    if (!offer?.moves.length) return;
    const play = (move: Schemas["Move"]) => this.call("makeMove", { path: { match_id: matchId }, body: move });
    yield { matchId, game, offer, moves: offer.moves, play };
  }

  /** Yields the messages of a stream. If it is cut, requests it again from the last complete message. */
  async *stream<Name extends OperationName>(
    name: Name,
    given: Arguments<Name> & { lastEventId?: string },
  ): AsyncGenerator<StreamMessage, void, undefined> {
    const call = { ...callOf(name, given), accept: "text/event-stream" };
    const reader = new StreamReader(given.lastEventId);
    const attempts = new Attempts(call, this.settings.attempts ?? 8);
    for (;;) {
      const cut = new AbortController();
      let timer = setTimeout(() => cut.abort(), SILENCE);
      let pause: number;
      try {
        const headers = { ...call.headers, "Last-Event-ID": reader.lastEventId };
        const [url, options] = request(this.address, { ...call, headers }, this.token);
        const signal = call.signal ? AbortSignal.any([call.signal, cut.signal]) : cut.signal;
        const answer = await (this.settings.fetch ?? fetch)(url, { ...options, signal });
        if (answer.status === 204) return;
        const refused = attempts.afterAnswer(answer);
        if (refused === undefined) {
          if (!answer.ok) throw new Refused(attempts.name, answer.status, await answer.text());
          for await (const piece of pieces(answer)) {
            clearTimeout(timer);
            timer = setTimeout(() => cut.abort(), SILENCE);
            for (const message of reader.feed(piece)) {
              attempts.made = 0;
              yield message;
            }
          }
        }
        pause = refused ?? Math.max(reader.retry, attempts.pause());
      } catch (error) {
        if (error instanceof Refused) throw error;
        pause = attempts.afterFailure(error);
      } finally {
        clearTimeout(timer);
        cut.abort();
      }
      reader.restart();
      await sleep(pause);
    }
  }
}

/** Yields the texts of a body. */
async function* pieces(answer: Response): AsyncGenerator<string> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) yield read.value;
}

/** Returns the request of an operation. */
function callOf<Name extends OperationName>(name: Name, given: Arguments<Name>): Call {
  const { path: parts = {}, query, header, body } = given as Parts;
  const [method = "", path = "", ...flags] = OPERATIONS[name].split(" ");
  const filled = path.replace(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(parts[part] ?? ""));
  const { key, accept, signal } = given;
  return {
    method,
    path: filled,
    query,
    headers: header,
    body,
    key,
    accept,
    signal,
    repeatable: !flags.includes("once"),
  };
}

/** A client of a server. */
export type Client = Core & Operations;

/** Returns a client of the server at an address. Each operation of the API is a method of it. */
export function createClient(address: string, settings: Settings = {}): Client {
  const core = new Core(address, { ...settings });
  for (const name of Object.keys(OPERATIONS) as OperationName[]) {
    Object.defineProperty(core, name, { value: (given: Arguments<typeof name>) => core.call(name, given ?? {}) });
  }
  return core as Client;
}
