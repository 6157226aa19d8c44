import type { components } from "./api.js";

/** Seconds by which a timestamp may be off. */
const TOLERANCE = 300;

/** A webhook was not signed with this secret, or not lately. */
export class NotGenuine extends Error {}

/**
 * Returns the notification in the raw body of a webhook. Throws NotGenuine if the server did not just send it.
 *
 * A notification can arrive twice: remember the `webhook-id` of those that you handled.
 */
export async function verifyWebhook(
  secret: string,
  headers: Headers | Record<string, string | string[] | undefined>,
  body: string,
  now: number = Date.now() / 1000,
): Promise<components["schemas"]["SentNotice"]> {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const found = new Map(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
  const [id, sent, signatures] = ["id", "timestamp", "signature"].map((name) => found.get(`webhook-${name}`));
  if (!id || !signatures || !/^\d+$/.test(sent ?? "")) throw new NotGenuine("A header is missing or malformed.");
  const signed = new TextEncoder().encode(`${id}.${sent}.${body}`);
  const key = await keyOf(secret);
  const fits = await Promise.all(
    signatures.split(" ").map(async (one) => {
      const [version, digest] = one.split(",");
      const bytes = bytesOf(digest ?? "");
      return version === "v1" && bytes !== undefined && crypto.subtle.verify("HMAC", key, bytes, signed);
    }),
  );
  if (!fits.includes(true)) throw new NotGenuine("No signature fits the secret.");
  if (Math.abs(now - Number(sent)) > TOLERANCE) {
    throw new NotGenuine(`The timestamp is more than ${TOLERANCE} seconds off.`);
  }
  return JSON.parse(body);
}

function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ""));
  if (bytes === undefined) throw new NotGenuine("The secret is malformed.");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}
