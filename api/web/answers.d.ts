/** The answers of the API that the page reads, as `openapi.yaml` describes them; tests generate `dealt-api` from it. */

import type {components} from "dealt-api";

type Schemas = components["schemas"];

declare global {
  namespace Api {
    /**
     * A match as far as the page asks for it (`SHOWN` of `table/api.js`). Before the start its scene is null, and the
     * page draws none.
     */
    type Match = {game: string, scene: Scene} & Pick<Schemas["MatchBase"],
      "id" | "status" | "version" | "seats" | "your_seat" | "your_seats" | "to_act" | "deadline" | "result"
      | "tournament" | "rated" | "annulled" | "invites">;
    /** The match at the reader's table of a tournament, as far as it is asked for there. */
    type MatchAtTable = Pick<Schemas["MatchBase"],
      "id" | "status" | "seats" | "your_seat" | "to_act" | "deadline" | "created_at">;
    type ListedMatch = {game: string} & Schemas["ListedMatchBase"];
    /** What the lists show of a match, and what the inbox has of one that is in no list. */
    type MatchOfList = Pick<ListedMatch, "id" | "game" | "status"> & Partial<ListedMatch> & {seats: ListedSeat[]};
    /** An event as far as the page asks for it. */
    type Event = Pick<Schemas["EventBase"], "seq" | "text"> & {type: string};
    type Seat = Schemas["Seat"];
    type ListedSeat = Schemas["RatedSeat"];

    type Scene = Schemas["Scene"];
    type SceneZone = Schemas["SceneZone"];
    type SceneSpot = Schemas["SceneSpot"];
    type SceneSeat = Schemas["SceneSeat"];

    /** What JSON can say. */
    type Json = null | boolean | number | string | Json[] | {[name: string]: Json};
    type Values = {[name: string]: Json};
    /** A schema of options or arguments: what the page reads of one is what JSON Schema and `docs/contract.md` say. */
    type Schema = {
      title?: string, description?: string, type?: string | string[], enum?: Json[], default?: Json, pattern?: string,
      minimum?: number, maximum?: number, minItems?: number, maxItems?: number, uniqueItems?: boolean,
      items?: Schema, properties?: Record<string, Schema>, required?: string[], anyOf?: Schema[],
      if?: Schema | true, then?: Schema | true, else?: Schema | true,
      "x-at"?: string | string[], "x-names"?: Record<string, string>, "x-proposals"?: Values[], "x-free"?: Json[],
      "x-useful"?: {title: string, value: number}[], "x-step"?: number,
    };
    type Game = {
      game: string,
      presets: Record<string, Record<string, unknown>>,
      options: {properties: Record<string, Schema>},
    } & Omit<Schemas["GameBase"], "options">;
    /** A game as far as lists show it. */
    type ListedGame = Pick<Game, "game" | "title" | "seats" | "minutes" | "summary">;
    type CollectibleCard = Schemas["CollectibleCard"];
    type RatingChange = Schemas["RatingChange"];

    type Clock = Pick<Schemas["MatchClock"], "per_decision_seconds" | "bank_seconds" | "increment_seconds">;
    type Tournament = {game: string, options: Record<string, unknown>,
      deciding_options: Record<string, unknown> | null} & Schemas["TournamentBase"];
    type ListedTournament = Schemas["ListedTournament"];
    type Round = Schemas["Round"];
    type RoundTable = Schemas["RoundTable"];
    type Bye = Round["byes"][number];
    type TournamentEvent = {seq: number, type: string, at: string, text: string, data: any};
    type Pod = Schemas["Pod"];
    type Standings = Schemas["Standings"];
    type Entrants = Schemas["EntrantList"];
  }
}
