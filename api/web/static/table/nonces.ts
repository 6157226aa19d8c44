/** Makes nonces: random numbers of a player's own, which keep the server from choosing the deals (rules 1.6). */

const BYTES = 16;

/** Return bytes as hexadecimal digits. */
const hex = (bytes: Uint8Array): string => Array.from(bytes, (one) => one.toString(16).padStart(2, "0")).join("");

/** Return a new nonce: 32 hexadecimal digits. */
export const newNonce = (): string => hex(crypto.getRandomValues(new Uint8Array(BYTES)));

/** Return the SHA-256 of a nonce's text; null without HTTPS, where browsers offer no digests. */
export async function hashOfNonce(nonce: string): Promise<string | null> {
  if (!isSecureContext) return null;
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(nonce))));
}
