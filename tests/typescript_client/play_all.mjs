// Plays a match of every game, follows each by its stream, and verifies its record:
//     node play_all.mjs ADDRESS MATCHES WEBHOOK
import { createClient, Refused } from "dealt-client";
import { verifyRecord } from "dealt-client/verify";
import { NotGenuine, verifyWebhook } from "dealt-client/webhooks";

const [server, matches, webhook] = [process.argv[2], JSON.parse(process.argv[3]), JSON.parse(process.argv[4])];
const client = createClient(server);
client.token = (await client.createPlayer({ body: { name: "Ann" } })).token;
const played = await Promise.all(
  matches.map(async (body) => {
    const { id } = await client.createMatch({ body });
    for await (const turn of client.turns(id)) await turn.play(turn.moves[0].example);
    const { status, game } = await client.getMatch({ path: { match_id: id } });
    const answer = await client.send({ method: "GET", path: `/v1/matches/${id}/record` });
    const { items } = await client.listKeys();
    const report = await verifyRecord(await answer.text(), { keys: items });
    const ids = [];
    for await (const { id: at } of client.stream("listEvents", { path: { match_id: id } })) ids.push(Number(at));
    return { game, status, verdict: report.verdict, events: report.version, streamed: ids.length, last: ids.at(-1) };
  }),
);
const unknown = client.createMatch({ body: { game: "none" } });
const code = await unknown.catch((error) => error instanceof Refused && error.code);
const notice = await verifyWebhook(webhook.secret, webhook.headers, webhook.body, webhook.now);
const forged = await verifyWebhook(webhook.secret, webhook.headers, `${webhook.body} `, webhook.now).catch(
  (error) => error instanceof NotGenuine,
);
console.log(JSON.stringify({ played, code, notice, forged }));
