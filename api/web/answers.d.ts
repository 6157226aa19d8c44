/** The answers of the API that the page reads, as `openapi.yaml` describes them; tests generate `dealt-api` from it. */

import type {components, paths} from "dealt-api";

type Schemas = components["schemas"];

type Split<T extends string> = T extends `${infer A}/${infer B}` ? [A, ...Split<B>] : [T];
/** The segments of a requested address, without its query. */
type Asked<A extends string> = A extends `${infer P}?${string}` ? Asked<P> : Split<`/v1${A}`>;
/** The segments of a path in the description: a name in braces stands for any text. */
type Described<Parts extends string[]> = {[I in keyof Parts]: Parts[I] extends `{${string}}` ? string : Parts[I]};
type PathOf<A extends string> = `/v1${A}` extends keyof paths ? `/v1${A}`
  : {[P in keyof paths & string]: Asked<A> extends Described<Split<P>> ? P : never}[keyof paths & string];
type Done = 200 | 201 | 202 | 204;
type Content<R> = R extends {content: {"application/json": infer T}} ? T : null;
type AnswerOf<O> = O extends {responses: infer R} ? {[S in keyof R & Done]: Content<R[S]>}[keyof R & Done] : never;
/** The fields that the answers of all games share, and those that the description omits. */
type Alike = {
  "GET /v1/games": {items: Api.Game[]} & Omit<Schemas["GameList"], "items">,
  "GET /v1/games/{game}": Api.Game,
  "GET /v1/games/{game}/orders": Api.OrdersSchema,
  "GET /v1/games/{game}/tournament-formats": Api.Offers,
  "GET /v1/matches": {items: Api.ListedMatch[], next: string | null},
  "GET /v1/matches/{match_id}": Api.WholeMatch,
  "GET /v1/matches/{match_id}/moves": import("./static/table/store.ts").Offer,
  "GET /v1/tournaments/{tournament_id}": Api.Tournament,
  "GET /v1/matches/{match_id}/orders": Api.GivenOrders,
  "POST /v1/matches/{match_id}/orders/dry-run": Omit<Schemas["Trial"], "move"> & {move: Api.TriedMove | null},
  "GET /v1/tournaments/{tournament_id}/events": Schemas["TournamentEvents"],
};
type Answered<P, M extends string> = `${M} ${P & string}` extends keyof Alike ? Alike[`${M} ${P & string}`]
  : P extends keyof paths ? Lowercase<M> extends keyof paths[P] ? AnswerOf<paths[P][Lowercase<M>]> : never : never;

declare global {
  namespace Api {
    /** A match with its optional fields, such as `bare_scene` and the offer. */
    type WholeMatch = {
      game: string, scene: Scene, options: Record<string, unknown>,
      bare_scene: BareScene | null, offer?: import("./static/table/store.ts").Offer,
    } & Omit<Schemas["MatchBase"], "scene">;
    /**
     * A match with the fields that the page requests (`SHOWN` in `table/api.js`). Before the start, its scene is null.
     */
    type Match = {game: string, scene: Scene} & Pick<Schemas["MatchBase"],
      "id" | "status" | "version" | "seats" | "your_seat" | "your_seats" | "to_act" | "deadline" | "result"
      | "tournament" | "rated" | "annulled" | "invites">;
    /** The match at the reader's table in a tournament, with the requested fields. */
    type MatchAtTable = Pick<Schemas["MatchBase"],
      "id" | "status" | "seats" | "your_seat" | "to_act" | "deadline" | "created_at">;
    type ListedMatch = {game: string} & Schemas["ListedMatch"];
    /** A match in a list, or in the inbox if it is in no list. */
    type MatchOfList = Pick<ListedMatch, "id" | "game" | "status"> & Partial<ListedMatch> & {seats: ListedSeat[]};
    /** An event with the fields that the page requests. */
    type Event = Pick<Schemas["EventBase"], "seq"> & {type: string, text: string};
    type Seat = Schemas["Seat"];
    type ListedSeat = Schemas["RatedSeat"];

    type Scene = Schemas["Scene"];
    type SceneZone = Schemas["SceneZone"];
    type SceneSpot = Schemas["SceneSpot"];
    type SceneSeat = Schemas["SceneSeat"];
    /** A part of a scene without its fields that are null or empty. */
    type Bare<T, Full extends keyof T> = Pick<T, Full> & Partial<T>;
    type BareScene = Bare<Omit<Scene, "seats" | "zones">, "phase"> & {
      seats: Bare<SceneSeat, "seat">[],
      zones?: Record<string, Bare<Omit<SceneZone, "spots">, "kind" | "layout" | "count"> & {
        spots?: Bare<SceneSpot, "face">[],
      }>,
    };

    type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
    /** The answer of the API to a request. */
    type Answer<M extends Method, A extends string> = Answered<PathOf<A>, M>;

    /** Any JSON value. */
    type Json = null | boolean | number | string | Json[] | {[name: string]: Json};
    type Values = {[name: string]: Json};
    /** A schema of options or arguments, with the keywords that the page reads (JSON Schema and `docs/contract.md`). */
    type Schema = {
      title?: string, description?: string, type?: string | string[], enum?: Json[], default?: Json, pattern?: string,
      minimum?: number, maximum?: number, minItems?: number, maxItems?: number, uniqueItems?: boolean,
      items?: Schema, properties?: Record<string, Schema>, required?: string[], anyOf?: Schema[], const?: Json,
      if?: Schema | true, then?: Schema | true, else?: Schema | true,
      "x-at"?: string | string[], "x-names"?: Record<string, string>, "x-titles"?: Record<string, string>,
      "x-proposals"?: Values[], "x-free"?: Json[], "x-other"?: string,
      "x-useful"?: {title: string, value: number}[], "x-step"?: number, "x-confirm"?: boolean,
    };
    type Game = {
      game: string,
      presets: Record<string, Record<string, unknown>>,
      options: {properties: Record<string, Schema>},
    } & Omit<Schemas["Game"], "options">;
    /** A game as lists show it. */
    type ListedGame = Pick<Game, "game" | "title" | "seats" | "minutes" | "summary" | "usual_preset">;
    /** The schema of a game's standing orders: an order has conditions on facts, and alternative moves. */
    type OrdersSchema = {properties: {orders: {items: {properties: {
      if: {properties?: Record<string, Schema>},
      do: {items: {anyOf: {title?: string, required?: string[], properties: Ordered}[]}},
    }}}}};
    type Ordered = Record<string, Schema> & {move: {const: string}, args?: Schema};
    /** Standing orders as the page sends them. */
    type Orders = {auto_play_forced: boolean, orders: Order[]};
    type Order = {if?: Values, do: ({move: string, args?: Values} & Values)[]};
    type GivenOrders = {orders: Partial<Orders>} & Omit<Schemas["GivenOrders"], "orders">;
    /** The move that orders would make; it always has arguments. */
    type TriedMove = {name: string, args: Record<string, unknown>};
    /** A format for tables of this size, with its own fields in addition to those of every tournament. */
    type Offer = {format: string} & Omit<Schemas["OfferedFormat"], "fields" | "format"> & {fields: {
      properties: Record<string, Schema>,
      allOf?: {if: FieldsSaid, then: {properties: Record<string, Schema>}}[],
    }};
    type FieldsSaid = {properties: Record<string, {enum: Json[]}>, required?: string[]};
    type Offers = {items: Offer[]} & Omit<Schemas["TournamentFormatList"], "items">;
    type Printed = Schemas["Token"] & Partial<CollectibleCard>;
    type CollectibleCard = Schemas["CollectibleCard"];
    type Profile = Answer<"GET", "/players/{handle}">;
    type Ratings = Answer<"GET", "/players/{handle}/ratings">;
    type ExpectedSide = Schemas["ExpectedSide"];
    type RatingChange = Schemas["RatingChange"];

    type AskedClock = Partial<Schemas["MatchClock"]>;
    type Clock = Pick<Schemas["MatchClock"], "per_decision_seconds" | "bank_seconds" | "increment_seconds">;
    type Tournament = {game: string, options: Record<string, unknown>,
      deciding_options: Record<string, unknown> | null} & Schemas["Tournament"];
    type ListedTournament = Schemas["ListedTournament"];
    type Round = Schemas["Round"];
    type RoundTable = Schemas["RoundTable"];
    type Bye = Round["byes"][number];
    type TournamentEvent = Pick<Schemas["TournamentEvents"]["items"][number], "seq" | "type" | "at" | "data">;
    type Pod = Schemas["Pod"];
    type Standings = Schemas["Standings"];
    type Entrants = Schemas["EntrantList"];
  }
}
