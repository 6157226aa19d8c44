// Trades, plays a sealed match and drafts with the client that @hey-api/openapi-ts generates: `node with_cards.js
// ADDRESS HANDLE TOKEN HANDLE TOKEN`. Either player has a booster beside the six of the starter.
import { client } from "./api/hey/client.gen";
import {
  acceptTrade, beginCollection, createMatch, getMatch, listEvents, listMoves, makeMove, offerTrade,
  openBooster,
  takeSeat,
} from "./api/hey/sdk.gen";
import type { CardCount, MatchRequest } from "./api/hey/types.gen";

client.setConfig({ baseUrl: process.argv[2] ?? "http://127.0.0.1:8000", throwOnError: true });

interface Player {
  handle: string;
  headers: { Authorization: string };
}

const playerOf = (handle = "", token = ""): Player => ({ handle, headers: { Authorization: `Bearer ${token}` } });

const isCard = (id: string): id is CardCount["card"] => /^fw1-\d{3}$/.test(id);

/** Opens the boosters of the starter and the one beside them, whose cards it gives. */
async function opened({ headers }: Player): Promise<CardCount["card"][]> {
  await beginCollection({ headers, throwOnError: true });
  const nonce = "5d41402abc4b2a76";
  let cards: CardCount["card"][] = [];
  for (let i = 0; i < 7; i++) {
    const { data } = await openBooster({ headers, body: { set: "fw1", nonce }, throwOnError: true });
    cards = data.cards.map(({ id }) => id).filter(isCard);
  }
  return cards;
}

/** Trades one card for another, both of a prize, after a card of the starter was refused. */
async function trade(one: Player, two: Player): Promise<{ refused: string | undefined; traded: number }> {
  const [ours, theirs] = [await opened(one), await opened(two)];
  const [card] = ours;
  const other = theirs.find((id) => id !== card);
  if (!card || !other) throw new Error("a pack is empty");
  const bound: CardCount[] = [{ card: "fw1-001", count: 20 }];
  const { error } = await offerTrade({ headers: one.headers, body: { to: two.handle, give: bound, want: [] },
      throwOnError: false });
  const give: CardCount[] = [{ card, count: 1 }];
  const want: CardCount[] = [{ card: other, count: 1 }];
  const made = await offerTrade({ headers: one.headers, body: { to: two.handle, give, want }, throwOnError: true });
  const path = { trade_id: made.data.id };
  const { data: traded } = await acceptTrade({ headers: two.headers, path, throwOnError: true });
  return { refused: error?.code, traded: ours.length + (traded.got[0]?.count ?? 0) };
}

/** Plays a match with the first move that is offered to each; gives how many decks were submitted. */
async function play(body: MatchRequest, players: Player[]): Promise<{ id: string; status: string; decks: number }> {
  const [creator, ...others] = players;
  if (!creator) throw new Error("nobody plays");
  let { data: match } = await createMatch({ headers: creator.headers, body, throwOnError: true });
  const path = { match_id: match.id };
  for (const [i, { headers }] of others.entries()) {
    await takeSeat({ headers, path: { ...path, seat: i + 1 }, throwOnError: true });
  }
  let decks = 0;
  do {
    let moved = false;
    for (const { headers } of players) {
      const { data } = await listMoves({ headers, path, throwOnError: true });
      const move = data.moves[0]?.example;
      if (!move) continue;
      await makeMove({ headers, path, body: move, throwOnError: true });
      decks += Number(move.name === "submit_deck");
      moved = true;
    }
    if (!moved) await listEvents({ headers: creator.headers, path, query: { after: match.version, wait: 5 },
        throwOnError: true });
    match = (await getMatch({ headers: creator.headers, path, throwOnError: true })).data;
  } while (match.status === "playing");
  return { id: match.id, status: match.status, decks };
}

async function main(): Promise<void> {
  const [ada, ben] = [playerOf(...process.argv.slice(3, 5)), playerOf(...process.argv.slice(5, 7))];
  const { refused, traded } = await trade(ada, ben);
  const sealed = await play(
    {
      game: "fivewells", options: { format: "sealed", max_turns: 2 }, series: { best_of: 1 },
      seats: [{ kind: "me" }, { kind: "bot", level: "easy" }],
    },
    [ada],
  );
  const bots: MatchRequest["seats"] = Array.from({ length: 6 }, () => ({ kind: "bot" }));
  const draft = await play(
    { game: "fivewells_draft", options: { packs: ["fw1"] },
      seats: [{ kind: "me" }, { kind: "open" }, ...(bots ?? [])] },
    [ada, ben],
  );
  const duel = await play(
    {
      game: "fivewells", options: { format: "draft", pool: draft.id, max_turns: 2 }, series: { best_of: 1 },
      seats: [{ kind: "me" }, { kind: "bot", level: "easy" }],
    },
    [ada],
  );
  console.log(JSON.stringify({ refused, traded, sealed: sealed.status, decks: [sealed.decks, draft.decks],
        draft: draft.status, duel: duel.status }));
}

main();
