/**
 * Hashes bytes: SHA-256 (FIPS 180-4) and HMAC (RFC 2104). Browsers' own versions need a secure context and are
 * asynchronous, thousands of times per match (decision 28).
 */

const K = new Int32Array(64), START = new Int32Array(8);
for (let n = 2, found = 0; found < 64; n++) {
  let isPrime = true;
  for (let d = 2; d * d <= n; d++) if (n % d === 0) isPrime = false;
  if (!isPrime) continue;
  /** @param {number} root */
  const fraction = (root) => ((root - Math.floor(root)) * 2 ** 32) | 0;
  K[found] = fraction(Math.cbrt(n));
  if (found < 8) START[found] = fraction(Math.sqrt(n));
  found += 1;
}

const text = new TextEncoder();
/** @typedef {Uint8Array<ArrayBuffer>} Bytes */

/** @param {string | Bytes} message @returns {Bytes} */
export const bytesOf = (message) => (typeof message === "string" ? text.encode(message) : message);

/** @param {(string | Bytes)[]} parts */
function join(parts) {
  const all = parts.map(bytesOf), whole = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
  all.reduce((at, part) => (whole.set(part, at), at + part.length), 0);
  return whole;
}

const w = new Int32Array(64);

/**
 * Mix a block into the state. The `?? 0` only satisfies the compiler: all indexes are in range.
 * @param {Int32Array} state @param {DataView} view @param {number} at
 */
function mix(state, view, at) {
  for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + 4 * i);
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15] ?? 0, y = w[i - 2] ?? 0;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[i] = ((w[i - 16] ?? 0) + s0 + (w[i - 7] ?? 0) + s1) | 0;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const one = (h + s1 + ((e & f) ^ (~e & g)) + (K[i] ?? 0) + (w[i] ?? 0)) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g; g = f; f = e; e = (d + one) | 0; d = c; c = b; b = a; a = (one + two) | 0;
  }
  const after = [a, b, c, d, e, f, g, h];
  after.forEach((word, i) => { state[i] = ((state[i] ?? 0) + word) | 0; });
}

/** Hash the concatenated parts, with texts in UTF-8. @param {...(string | Bytes)} parts */
export function sha256(...parts) {
  const said = join(parts), { length } = said;
  const padded = new Uint8Array((Math.floor((length + 8) / 64) + 1) * 64);
  padded.set(said);
  padded[length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(length / 2 ** 29));
  view.setUint32(padded.length - 4, (length * 8) >>> 0);
  const state = START.slice();
  for (let at = 0; at < padded.length; at += 64) mix(state, view, at);
  const digest = new Uint8Array(32), out = new DataView(digest.buffer);
  state.forEach((word, i) => out.setInt32(4 * i, word));
  return digest;
}

/** @param {Bytes} key @param {string | Bytes} message */
export function hmac(key, message) {
  const short = key.length > 64 ? sha256(key) : key;
  /** @param {number} mask */
  const block = (mask) => Uint8Array.from({ length: 64 }, (_, i) => (short[i] ?? 0) ^ mask);
  return sha256(block(0x5c), sha256(block(0x36), message));
}

const DIGITS = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, "0"));
/** @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (one) => DIGITS[one]).join("");
/** @param {string} said @returns {Bytes} */
export const unhex = (said) => Uint8Array.from({ length: said.length / 2 },
  (_, i) => Number.parseInt(said.slice(2 * i, 2 * i + 2), 16));
/** @param {unknown} x @returns {x is string} */
export const isHex64 = (x) => typeof x === "string" && /^[0-9a-f]{64}$/.test(x);
