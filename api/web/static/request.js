/**
 * Makes requests from the input of a form, and the same requests as a command line.
 *
 * @import {Operation} from "./schema.js"
 * @typedef {{name: string, place: string, value: string}} Given The input for one parameter.
 * @typedef {{method: string, address: string, headers: Record<string, string>, body: string | undefined,
 *   isMine: boolean}}
 *   Request `isMine`: the token is to be sent with it; the token itself is not in it.
 */

/** Return whether an operation accepts a token. @param {Operation} operation */
export const takesToken = (operation) => operation.said.security?.length !== 0;

/** Return whether an operation requires a token. @param {Operation} operation */
export const needsToken = (operation) =>
  takesToken(operation) && !operation.said.security?.some((/** @type {object} */ way) => Object.keys(way).length === 0);

/**
 * Build a request.
 * @param {string} root the server's base URL, without a trailing slash
 * @param {Operation} operation
 * @param {Given[]} given
 * @param {{accept: string, type: string, body: string, hasToken: boolean}} rest
 * @returns {Request}
 */
export function asRequest(root, operation, given, rest) {
  let path = operation.path;
  const query = new URLSearchParams();
  /** @type {Record<string, string>} */
  const headers = {};
  for (const {name, place, value} of given) {
    if (place === "path") path = path.replace(`{${name}}`, encodeURIComponent(value) || `{${name}}`);
    else if (value !== "" && place === "query") query.append(name, value);
    else if (value !== "" && place === "header") headers[name] = value;
  }
  if (rest.accept) headers["Accept"] = rest.accept;
  if (rest.body) headers["Content-Type"] = rest.type;
  return {
    method: operation.method.toUpperCase(),
    address: root + path + (query.size ? `?${query}` : ""),
    headers,
    body: rest.body || undefined,
    isMine: rest.hasToken && takesToken(operation),
  };
}

/** Write a request as a command line, with the token as a variable. @param {Request} request */
export function asCurl({method, address, headers, body, isMine}) {
  const lines = [`curl -sS -i${method === "GET" ? "" : ` -X ${method}`} ${quoted(address)}`];
  if (isMine) lines.push('-H "Authorization: Bearer $TOKEN"');
  for (const [name, value] of Object.entries(headers)) lines.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (body !== undefined) lines.push(`--data-raw ${quoted(body)}`);
  return lines.join(" \\\n  ");
}

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * Send a request, and report the answer so far whenever more of it arrives.
 * @param {Request} request
 * @param {string} token
 * @param {AbortSignal} signal
 * @param {(answer: Response, text: string, isWhole: boolean) => void} tell
 */
export async function send(request, token, signal, tell) {
  const headers = {...request.headers, ...(request.isMine ? {Authorization: `Bearer ${token}`} : {})};
  const answer = await fetch(request.address, {
    method: request.method, headers, body: request.body ?? null, signal, cache: "no-store",
  });
  const parts = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let part = await parts?.read(); part && !part.done; part = await parts?.read()) {
    text += part.value;
    tell(answer, text, false);
  }
  tell(answer, text, true);
}

/**
 * Return the path parameters in an address: `/v1/matches/abc` has `match_id`.
 * @param {string} address @param {string} root @param {Operation[]} operations
 * @returns {Record<string, string>}
 */
export function parametersOf(address, root, operations) {
  // A server with several addresses names its public one first, whichever the page uses.
  const path = new URL(address, `${root}/`).pathname;
  for (const operation of operations.filter((one) => !one.isWebhook && one.path.includes("{"))) {
    const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map((found) => String(found[1]));
    const found = path.match(new RegExp(`${operation.path.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "([^/]+)")}$`));
    if (found) return Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(found[i + 1] ?? "")]));
  }
  return {};
}
