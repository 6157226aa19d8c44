// Plays a match of every game with the types of openapi-typescript: `node with_fetch.js ADDRESS`.
import createClient from "openapi-fetch";
import type { components, paths } from "./api/fetch";
import { FETCHED } from "./matches";

type Schemas = components["schemas"];
type Match = Schemas["Match"];
type Move = Schemas["Move"];

const server = process.argv[2] ?? "http://127.0.0.1:8000";

/** Chooses a move by its type: the one that is offered, written anew from its typed arguments. */
function chosen(offer: Move): Move {
  switch (offer.name) {
    case "pass_cards": {
      const [first, second, third, fourth] = offer.args.cards;
      if (first === undefined || second === undefined || third === undefined) throw new Error("three cards are passed");
      return { name: "pass_cards", args: { cards: fourth === undefined ? [first, second, third] : offer.args.cards } };
    }
    case "play_card":
      return "declared_suit" in offer.args && offer.args.declared_suit
        ? { name: "play_card", args: { card: offer.args.card, declared_suit: offer.args.declared_suit } }
        : { name: "play_card", args: { card: offer.args.card } };
    case "discard":
      return { name: "discard", args: { card: offer.args.card } };
    case "reveal_middle":
      return { name: "reveal_middle", args: { position: offer.args.position } };
    case "bet":
      return { name: "bet", args: offer.args };
    case "check":
      return { name: "check" };
    case "fold":
      return { name: "fold" };
    default:
      return offer;
  }
}

/** Reads what only one game has, by the type of its table. */
function counted(match: Match): number {
  switch (match.game) {
    case "hearts":
      return match.table?.tricks.length ?? 0;
    case "two_handed_hearts":
      return match.table?.waste_count ?? 0;
    case "crazy_eights":
      return match.table?.pile.length ?? 0;
    case "gin_rummy":
      return match.table?.tables.reduce((sum, hand) => sum + hand.discards.length, 0) ?? 0;
    case "trio":
      return match.table?.middle.filter((place) => place.state === "taken").length ?? 0;
    case "fivewells":
      return match.table?.battlefield.filter((permanent) => permanent.tapped).length ?? 0;
    case "five_card_draw":
    case "holdem":
      return (match.table?.pot ?? 0) + (match.table?.board.length ?? 0);
    default:
      return 0;
  }
}

/** Reads the event that a move has made, by its type. */
function told(made: Schemas["MoveMade"]): string {
  if (made.game === "hearts") {
    for (const event of made.events) {
      if (event.type === "CardPlayed") return `seat ${event.data.seat} plays ${event.data.card}`;
      if (event.type === "PassChosen") return `passes ${event.data.cards?.join(" ") ?? "cards"}`;
    }
  }
  if (made.game === "holdem") {
    for (const event of made.events) if (event.type === "PlayerRaised") return `raises to ${event.data.to}`;
  }
  return "";
}

function given<T>(answer: { data?: T; error?: unknown }): T {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

async function main(): Promise<void> {
  const anyone = createClient<paths>({ baseUrl: server });
  const { token } = given(await anyone.POST("/v1/players", { body: { name: "Ann" } }));
  const api = createClient<paths>({ baseUrl: server, headers: { Authorization: `Bearer ${token}` } });
  for (const body of FETCHED) {
    let match = given(await api.POST("/v1/matches", { body }));
    const path = { match_id: match.id };
    let moves = 0;
    let most = 0;
    let last = "";
    while (match.status === "playing" || match.status === "lobby") {
      const { moves: offers } = given(await api.GET("/v1/matches/{match_id}/moves", { params: { path } }));
      const offer = offers[0];
      if (offer && match.to_act.includes(match.your_seat ?? -1)) {
        last = told(given(await api.POST("/v1/matches/{match_id}/moves",
              { params: { path }, body: chosen(offer.example) }))) || last;
        moves += 1;
      } else {
        const news = await api.GET("/v1/matches/{match_id}/events", {
          params: { path, query: { after: match.version, wait: 5 } },
        });
        if (typeof given(news) === "string") throw new Error("a page is JSON");
      }
      match = given(await api.GET("/v1/matches/{match_id}", { params: { path } }));
      most = Math.max(most, counted(match));
    }
    const last_events = { params: { path, query: { after: match.version - 1 } } };
    const page = given(await api.GET("/v1/matches/{match_id}/events", last_events));
    if (typeof page === "string") throw new Error("a page is JSON");
    const end = page.items.at(-1);
    if (end?.type !== "MatchEnded" || page.game !== match.game) throw new Error("the match has not ended");
    console.log(JSON.stringify({ game: match.game, status: match.status, reason: end.data.reason, moves, most, last }));
  }
}

main();
