/** Checks keys and signatures (Ed25519, RFC 8032) with the Web Crypto of the browser or Node. */

import { bytesOf, hex, isHex64, unhex } from "./bytes.mjs";
import { isText } from "./deals.mjs";

const P = 2n ** 255n - 19n;

/** @param {bigint} base @param {bigint} exponent */
function power(base, exponent) {
  let result = 1n;
  for (let b = base % P, e = exponent; e; e >>= 1n, b = (b * b) % P) if (e & 1n) result = (result * b) % P;
  return result;
}

/** @param {bigint} x */
const mod = (x) => ((x % P) + P) % P;
const D = mod(-121665n * power(121666n, P - 2n));

/**
 * Return whether this is the hex encoding of a curve point that is not of small order.
 * @param {unknown} key
 * @returns {key is string}
 */
export function isPlayerKey(key) {
  if (!isHex64(key)) return false;
  const y = BigInt(`0x${hex(unhex(key).reverse())}`) & (2n ** 255n - 1n);
  if (y >= P) return false;
  const square = (y * y) % P;
  const small = mod(y * (square - 1n) * (D * square * square + 2n * square - 1n)) === 0n;
  return !small && power(mod((square - 1n) * (D * square + 1n)), (P - 1n) / 2n) === 1n;
}

/** This verifier cannot judge it. */
export class Unjudged extends Error {}

/** It cannot be judged until more parts of the match are disclosed. */
export class Shut extends Unjudged {}

/** @param {string} key @param {string} message @param {unknown} signature */
export async function isSignature(key, message, signature) {
  if (!isText(signature) || !/^[0-9a-f]{128}$/.test(signature)) return false;
  const { subtle } = globalThis.crypto;
  if (!subtle) throw new Unjudged("This browser checks signatures only on pages that use https.");
  let known;
  try {
    known = await subtle.importKey("raw", unhex(key), { name: "Ed25519" }, false, ["verify"]);
  } catch (error) {
    if (error instanceof Error && error.name === "NotSupportedError")
      throw new Unjudged("This browser does not support Ed25519 signatures.");
    return false;
  }
  return subtle.verify("Ed25519", known, unhex(signature), bytesOf(message)).catch(() => false);
}
