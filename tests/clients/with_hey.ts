// Plays a match of every game with the client that @hey-api/openapi-ts generates: `node with_hey.js ADDRESS`.
import { client } from "./api/hey/client.gen";
import { createMatch, createPlayer, getMatch, listEvents, listMoves, makeMove } from "./api/hey/sdk.gen";
import type { HoldemMatch, Match, Move, MatchRequest } from "./api/hey/types.gen";
import { HEYED } from "./matches";

client.setConfig({ baseUrl: process.argv[2] ?? "http://127.0.0.1:8000", throwOnError: true });

/** Bets the pot, where a bet is asked: a table of poker is read by its type. */
function bold(match: HoldemMatch, offer: Move): Move {
  if (offer.name !== "bet" || !match.table) return offer;
  return { name: "bet", args: { to: Math.max(offer.args.to, match.table.pot) } };
}

/** Chooses a move by its type. */
function chosen(match: Match, offers: Move[]): Move | undefined {
  const swap = offers.find((offer) => offer.name === "swap_cards");
  if (swap) return { name: "swap_cards", args: { cards: swap.args.cards.slice(0, 1) } };
  const lay = offers.find((offer) => offer.name === "play_card");
  if (lay && "declared_suit" in lay.args) return lay;
  if (lay) return { name: "play_card", args: { card: lay.args.card } };
  const first = offers[0];
  return first && match.game === "holdem" ? bold(match, first) : first;
}

async function play(body: MatchRequest): Promise<void> {
  let { data: match } = await createMatch({ body, throwOnError: true });
  const path = { match_id: match.id };
  let moves = 0;
  while (match.status === "playing" || match.status === "lobby") {
    const offered = await listMoves({ path, throwOnError: true });
    const move = chosen(match, offered.data.moves.map((offer) => offer.example));
    if (move && match.to_act.includes(match.your_seat ?? -1)) {
      const made = await makeMove({ path, body: move, throwOnError: true });
      if (made.data.game !== match.game) throw new Error("the answer is of another game");
      moves += 1;
    } else {
      await listEvents({ path, query: { after: match.version, wait: 5 }, throwOnError: true });
    }
    match = (await getMatch({ path, throwOnError: true })).data;
  }
  const { data: page } = await listEvents({ path, query: { after: match.version - 1 }, throwOnError: true });
  if (!page) throw new Error("a page is JSON");
  const end = page.items.at(-1);
  if (end?.type !== "MatchEnded") throw new Error("the match has not ended");
  console.log(JSON.stringify({ game: match.game, status: match.status, reason: end.data.reason, moves }));
}

async function main(): Promise<void> {
  const { data: player } = await createPlayer({ body: { name: "Ben" }, throwOnError: true });
  client.setConfig({ auth: () => player.token });
  for (const body of HEYED) await play(body);
}

main();
