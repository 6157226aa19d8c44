/** Draws the form to try an operation: its parameters and body, the curl command, and the answer. */

import {coloured, copyButton, counted, element, folded} from "./dom.js";
import {asCurl, asRequest, needsToken, parametersOf, send, takesToken} from "./request.js";

/**
 * @import {Json, Operation, Reader} from "./schema.js"
 * @import {OperationNotes} from "./finding.js"
 * @import {Token} from "./token.js"
 * @typedef {{read: Reader, operations: Operation[], root: string, token: Token, known: Known, notes: Notes}} Page
 * @typedef {{operations: OperationNotes, kinds: Record<string, [status: number, title: string]>}} Notes
 *   The server's notes in the page: on each operation, and on each problem code.
 * @typedef {{values: Map<string, string>, offered: Map<string, {name: string, value: unknown}[]>}} Known
 *   What earlier answers contained: values of path parameters, and bodies that can be sent to a path.
 */

const HEADERS = ["X-Request-Id", "Location", "Retry-After", "ETag", "RateLimit", "Idempotency-Replayed",
  "Preference-Applied", "Content-Type"];
const LONGEST = 200_000;
const PAUSE = 200;  // milliseconds between redraws of a streaming answer

/** @param {Page} page @param {Operation} operation */
export function trial(page, operation) {
  const {read, token} = page;
  const shown = operation.parameters.filter((one) => one.in === "path" || one.required);
  const others = operation.parameters.filter((one) => !shown.includes(one));
  const fields = operation.parameters.map((one) => ({of: one, ...input(page, one)}));
  const labels = (/** @type {Json[]} */ of) => fields.filter((one) => of.includes(one.of)).map((one) => one.label);
  const accepts = chosen("Response type", successes(read, operation));
  const body = bodyOf(page, operation);
  const curl = element("code");
  const outcome = element("p", {class: "outcome", role: "status"});
  const output = element("div", {class: "answer"});
  const stop = element("button", {type: "button", class: "quiet", hidden: true}, "Stop");
  const button = element("button", {type: "submit", class: "main"}, "Send");
  const hint = element("p", {class: "hint", role: "status"});

  const request = () => asRequest(page.root, operation,
    fields.map(({of, field}) => ({name: of.name, place: of.in, value: field.value.trim()})),
    {accept: accepts.isAsked() ? accepts.value() : "", type: body.type(), body: body.text(),
      hasToken: Boolean(token.value)});
  const update = () => {
    curl.textContent = asCurl(request());
    hint.textContent = needsToken(operation) && !token.value ? "This call needs a token. Enter one above."
      : body.fault();
  };

  const form = element("form", {class: "trial", novalidate: true},
    element("h2", {}, "Try it"),
    ...labels(shown),
    others.length ? folded([counted(others.length, "optional parameter")], () => labels(others)) : null,
    ...body.parts, accepts.part,
    hint,
    element("div", {class: "buttons"}, button, stop,
      element("span", {class: "soft"}, takesToken(operation) ? "" : "This call is sent without a token.")),
    outcome, output,
    element("section", {class: "curl"},
      element("div", {class: "head"}, element("h3", {}, "With curl"),
        copyButton("the line for a shell", () => curl.textContent ?? "")),
      element("pre", {tabindex: 0, "aria-label": "The request as a curl command"}, curl)));

  form.addEventListener("input", update);
  form.addEventListener("change", update);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const missing = fields.find(({of, field}) => of.in === "path" && !field.value.trim());
    if (missing) {
      hint.textContent = `Fill in ${missing.of.name}.`;
      return missing.field.focus();
    }
    const controller = new AbortController();
    stop.onclick = () => controller.abort();
    stop.hidden = false;
    button.disabled = true;
    const began = performance.now();
    let drawn = 0;
    outcome.replaceChildren("Waiting for the response …");
    output.replaceChildren();
    try {
      await send(request(), token.value, controller.signal, (answer, text, isWhole) => {
        if (!isWhole && performance.now() - drawn < PAUSE) return;
        drawn = performance.now();
        outcome.replaceChildren(...result(page, answer, text, drawn - began));
        output.replaceChildren(...answered(page, answer, text));
        if (isWhole && answer.ok) learn(page, operation, answer, text);
      });
    } catch (error) {
      const said = controller.signal.aborted ? "Stopped."
        : `No response: ${error instanceof Error ? error.message : error}`;
      outcome.append(element("span", {class: "bad"}, said));
    }
    stop.hidden = true;
    button.disabled = false;
  });
  token.onChange(() => { if (form.isConnected) update(); });
  update();
  return form;
}

/** Create a parameter's field. @param {Page} page @param {Json} parameter */
function input({read, known}, parameter) {
  const {schema} = read.withoutNull(parameter.schema ?? {});
  const choices = schema.type === "boolean" ? [true, false] : read.choices(schema);
  const isNumber = [schema.type].flat().includes("integer");
  const field = choices.length
    ? element("select", {}, element("option", {value: ""}, ""),
      ...choices.map((one) => element("option", {}, String(one))))
    : element("input", {
      placeholder: parameter.example ?? schema.default ?? "", inputmode: isNumber ? "numeric" : undefined,
      autocomplete: "off", autocapitalize: "off", spellcheck: "false",
    });
  if (parameter.in === "path") {
    const name = parameter.name;
    field.value = known.values.get(name) ?? "";
    field.addEventListener("change", () => known.values.set(name, field.value.trim()));
  }
  field.dataset.parameter = parameter.name;
  const where = parameter.in === "path" ? "" : `, ${parameter.in}`;
  return {field, label: element("label", {}, element("span", {}, element("code", {}, parameter.name),
    element("span", {class: "soft"}, where)), field)};
}

/**
 * Draw a select field; nothing if there is only one word.
 * @param {string} label
 * @param {string[]} words
 */
function chosen(label, words) {
  const select = element("select", {}, ...words.map((word) => element("option", {}, word)));
  const part = words.length > 1 ? element("label", {}, element("span", {}, label), select) : null;
  return {part, value: () => select.value, isAsked: () => words.length > 1 && select.selectedIndex > 0};
}

/** Return the media types of an operation's answers. @param {Reader} read @param {Operation} operation */
function successes(read, operation) {
  const replies = Object.entries(operation.said.responses).filter(([status]) => status.startsWith("2"));
  return [...new Set(replies.flatMap(([, reply]) => Object.keys(read.resolve(reply).content ?? {})))];
}

/** Make the field of the body; examples fill it. @param {Page} page @param {Operation} operation */
function bodyOf({read, known}, operation) {
  const content = read.resolve(operation.said.requestBody).content ?? {};
  const types = chosen("Body type", Object.keys(content));
  if (!Object.keys(content).length) return {parts: [], type: () => "", text: () => "", fault: () => ""};
  const area = element("textarea", {spellcheck: "false", autocapitalize: "off", "aria-label": "Body", rows: 8});
  const all = [...known.offered.get(operation.path) ?? [], ...read.examples(Object.values(content)[0])];
  const fill = (/** @type {number} */ i) => {
    area.value = JSON.stringify(all[i]?.value ?? {}, null, 2);
    area.rows = Math.min(Math.max(area.value.split("\n").length, 4), 18);
  };
  const picker = element("select", {class: "examples"}, ...all.map(({name}, i) => element("option", {value: i}, name)));
  picker.addEventListener("change", () => { fill(Number(picker.value)); });
  fill(0);
  const parts = [
    all.length > 1 ? element("label", {}, element("span", {}, "Example"), picker) : null,
    element("label", {class: "body"}, element("span", {}, "Body"), area),
    types.part,
  ];
  const fault = () => {
    try { JSON.parse(area.value || "null"); return ""; } catch (error) {
      return `The body is not JSON: ${error instanceof Error ? error.message : error}`;
    }
  };
  return {parts, type: types.value, text: () => area.value.trim(), fault};
}

/** Describe the outcome. @param {Page} page @param {Response} answer @param {string} text @param {number} took */
function result({root}, answer, text, took) {
  const code = answer.ok ? "" : String(parsed(text)?.code ?? "");
  return [
    element("strong", {class: `status ${answer.ok ? "good" : "bad"}`}, `${answer.status} ${answer.statusText}`.trim()),
    element("span", {class: "soft"}, `${Math.round(took)} ms`),
    ...code ? [element("a", {href: `${root}/docs/problems#${code}`, target: "_blank"}, code)] : [],
  ];
}

/** Draw an answer. @param {Page} page @param {Response} answer @param {string} text */
function answered(page, answer, text) {
  const headers = HEADERS.filter((name) => answer.headers.get(name));
  const isJson = /\bjson\b|\+json/.test(answer.headers.get("Content-Type") ?? "");
  const value = isJson ? parsed(text) : undefined;
  const fresh = typeof value?.token === "string" ? value.token : "";
  const pretty = value === undefined ? text : JSON.stringify(value, null, 2);
  const pre = element("pre", {tabindex: 0, "aria-label": "Response body"});
  const write = (/** @type {boolean} */ isHidden) => {
    const said = hidden(pretty, [isHidden ? fresh : "",
        page.token.value === fresh && !isHidden ? "" : page.token.value]);
    const cut = said.length > LONGEST ? `${said.slice(0, LONGEST)}\n…` : said;
    pre.replaceChildren(...isJson ? coloured(cut) : [cut]);
  };
  write(true);
  return [
    element("dl", {class: "headers"}, ...headers.flatMap((name) =>
      [element("dt", {}, name), element("dd", {}, hidden(answer.headers.get(name) ?? "", [page.token.value]))])),
    fresh ? fresher(page.token, fresh, write) : null,
    text ? pre : element("p", {class: "soft"}, "No body."),
  ].filter((node) => node !== null);
}

/**
 * Offer to use the token in an answer.
 * @param {Token} token
 * @param {string} fresh
 * @param {(isHidden: boolean) => void} write
 */
function fresher(token, fresh, write) {
  const use = element("button", {type: "button", class: "main"}, "Use this token");
  use.addEventListener("click", () => { token.use(fresh); use.textContent = "In use"; use.disabled = true; });
  const show = element("button", {type: "button", class: "quiet", "aria-pressed": "false"}, "Show");
  show.addEventListener("click", () => {
    const isHidden = show.getAttribute("aria-pressed") === "true";
    show.setAttribute("aria-pressed", String(!isHidden));
    show.textContent = isHidden ? "Show" : "Hide";
    write(isHidden);
  });
  return element("div", {class: "fresh"}, element("p", {}, "The response contains a token, shown only once."),
    use, show);
}

/** Replace secrets by dots. @param {string} text @param {string[]} secrets */
const hidden = (text, secrets) => secrets.filter((one) => one.length > 7)
  .reduce((said, one) => said.replaceAll(one, "••••••••••••"), text);

/** @param {string} text @returns {Record<string, unknown> | null | undefined} undefined if not JSON */
function parsed(text) {
  try { return JSON.parse(text); } catch { return undefined; }
}

/**
 * Remember what an answer shows: the ids in its `Location`, and bodies that can be sent to the same path.
 * @param {Page} page @param {Operation} operation @param {Response} answer @param {string} text
 */
function learn({known, operations, root}, operation, answer, text) {
  const location = answer.headers.get("Location");
  const told = location ? parametersOf(location, root, operations) : {};
  for (const [name, value] of Object.entries(told)) known.values.set(name, value);
  const lists = Object.values(parsed(text) ?? {}).filter(Array.isArray).flat();
  const offers = lists.filter((one) => one && typeof one === "object" && "example" in one)
    .map((one) => ({name: `from the last answer: ${one.name ?? "one"}`, value: one.example}));
  if (operation.method === "get" && offers.length) known.offered.set(operation.path, offers);
}
