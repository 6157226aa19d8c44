/** Reads documents other than JSON answers, and says why one cannot be read. */

import {Refused, saidOf} from "../table/api.js";
import {api} from "../table/app.js";
import {says} from "../words/table.js";

const CLOSED = [403, 404];

/**
 * Read a document. Raises `Refused` with the server's text, except for documents that the reader may not see.
 * @param {string} path
 * @param {string} isClosed the message for those
 * @param {string} [accept]
 * @returns {Promise<ArrayBuffer>}
 */
export async function read(path, isClosed, accept) {
  const {answer: {ok, status}, bytes} = await api.document(path, accept);
  if (ok) return bytes;
  const problem = inWords(bytes);
  throw new Refused(CLOSED.includes(status) ? isClosed : saidOf(problem) || says.answers(status), status,
    problem?.code ?? "");
}

/** @param {ArrayBuffer} bytes @returns {{title?: string, detail?: string, code?: string} | null} */
function inWords(bytes) {
  try { return JSON.parse(new TextDecoder().decode(bytes)); } catch { return null; }
}
