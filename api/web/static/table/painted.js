/** Reads data that a page shows as soon as it arrives, and reads it again after a failure. */

import {reread, repaint} from "./app.js";

const AGAIN_MS = 2_000;

/**
 * Read something, and paint it. After a failure, forget the request, so that the next painting repeats it: later, as
 * the failure itself is painted too.
 * @param {() => Promise<void>} read
 * @param {() => void} forget
 */
export function readsPainted(read, forget) {
  void reread(async () => {
    try {
      await read();
      repaint();
    } catch (error) {
      setTimeout(() => { forget(); repaint(); }, AGAIN_MS);
      throw error;
    }
  });
}
