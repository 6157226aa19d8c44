/** Reads what a page shows as soon as it is there, and reads it again where that has failed. */

import {reads, repaint} from "./app.js";

const AGAIN_MS = 2_000;

/**
 * Read something and paint it. After a failure forget that it was asked for, so that the next painting asks again: not
 * at once, as the failure is painted too.
 * @param {() => Promise<void>} read
 * @param {() => void} forget
 */
export function readsPainted(read, forget) {
  void reads(async () => {
    try {
      await read();
      repaint();
    } catch (error) {
      setTimeout(() => { forget(); repaint(); }, AGAIN_MS);
      throw error;
    }
  });
}
