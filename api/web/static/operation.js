/** Draws one operation: its description, parameters, answers, and the form that tries it. */

import {coloured, copyButton, counted, element, folded, inline, paragraphs} from "./dom.js";
import {needsToken, takesToken} from "./request.js";
import {told, whole} from "./tree.js";
import {trial} from "./trial.js";

/**
 * @import {Json, Operation, Reader} from "./schema.js"
 * @import {Page} from "./trial.js"
 */

const WIDE = matchMedia("(min-width: 48rem)");

/** @param {Page} page @param {Operation} operation @returns {Node[]} */
export function article(page, operation) {
  const {read} = page;
  const {said, parameters, isWebhook} = operation;
  const body = read.resolve(said.requestBody);
  const replies = Object.entries(said.responses ?? {}).map(([status, reply]) => ({status, reply: read.resolve(reply)}));
  const problems = isWebhook ? [] : problemsOf(page, page.notes.operations[operation.id]?.problems ?? []);
  return [
    element("a", {class: "back", href: "#"}, "← All operations"),
    element("header", {},
      element("p", {class: "tag"}, operation.tag),
      element("h1", {tabindex: -1}, said.summary ?? operation.id),
      element("p", {class: "address"}, method(operation), element("code", {}, operation.path))),
    element("div", {class: "columns"},
      element("div", {class: "about-it"},
        ...paragraphs(said.description),
        isWebhook ? null : element("p", {class: "access"}, access(operation)),
        isWebhook ? null : element("p", {class: "jump"}, jump()),
        parameters.length ? section("Parameters", parameterList(read, parameters)) : null,
        body.content ? section(isWebhook ? "Delivery" : "Request body", ...contents(page, body)) : null,
        section(isWebhook ? "Your response" : "Responses",
          ...replies.filter(({status}) => isWebhook || status !== "default")
            .map((one, i) => reply(page, one, i === 0 && WIDE.matches))),
        problems.length ? section("Problems", problemList(page, problems)) : null),
      isWebhook ? null : trial(page, operation)),
  ].filter((node) => node !== null);
}

/** @param {Operation} operation */
export const method = ({method: verb, isWebhook}) =>
  element("span", {class: `method ${isWebhook ? "sent" : verb}`}, isWebhook ? "SENT" : verb.toUpperCase());

/** @param {Operation} operation */
function access(operation) {
  if (!takesToken(operation)) return "No token needed.";
  const scope = operation.said["x-scope"];
  const kind = scope === "main" ? "the main token" : `a token with the scope “${scope}”`;
  return needsToken(operation) ? `Needs ${kind}.` : `Takes ${kind}; optional.`;
}

function jump() {
  const button = element("button", {type: "button", class: "quiet"}, "Try it ↓");
  button.addEventListener("click", () => {
    const form = document.querySelector("form.trial");
    form?.scrollIntoView();
    /** @type {HTMLElement | null | undefined} */ (form?.querySelector("input, select, textarea, button"))
      ?.focus({preventScroll: true});
  });
  return button;
}

/** @param {string} title @param {(Node | null)[]} parts */
const section = (title, ...parts) => element("section", {}, element("h2", {}, title), ...parts);

/** @param {Reader} read @param {Json[]} parameters */
function parameterList(read, parameters) {
  return element("ul", {class: "fields"}, ...parameters.map((one) => element("li", {class: "field"},
    element("div", {class: "line"},
      element("code", {class: "name"}, one.name),
      element("span", {class: "type"}, `${read.words(one.schema ?? {})}, in the ${one.in}`),
      one.required ? element("span", {class: "required"}, "required") : null),
    one.description ? element("p", {class: "about"}, ...inline(one.description)) : null,
    ...told(read, one.schema ?? {}))));
}

/** Draw a body: the schema and the examples of each media type. @param {Page} page @param {Json} said */
function contents(page, said) {
  const all = Object.entries(said.content ?? {});
  return all.map(([type, of]) => {
    const parts = () => [...whole(page.read, of.schema ?? {}), exampleList(page.read, of)];
    if (all.length === 1) return element("div", {}, element("p", {class: "media"}, element("code", {}, type)),
      ...parts());
    return folded([element("code", {}, type)], parts, {open: all[0]?.[0] === type});
  });
}

/** Draw the examples of some content, one at a time. @param {Reader} read @param {Json} content */
function exampleList(read, content) {
  const all = read.examples(content);
  if (!all.length) return null;
  return folded([all.length === 1 ? "Example" : `${all.length} examples`], () => {
    const code = element("code");
    const show = (/** @type {number} */ i) => {
      const value = all[i]?.value;
      code.replaceChildren(...coloured(typeof value === "string" ? value : JSON.stringify(value, null, 2)));
    };
    const select = element("select", {}, ...all.map(({name}, i) => element("option", {value: i}, name)));
    select.addEventListener("change", () => show(Number(select.value)));
    show(0);
    return [
      element("div", {class: "head"},
        all.length > 1 ? element("label", {}, element("span", {}, "Example"), select) : element("span"),
        copyButton("the example", () => code.textContent ?? "")),
      element("pre", {tabindex: 0, "aria-label": "Example"}, code),
    ];
  });
}

/** @param {Page} page @param {{status: string, reply: Json}} answer @param {boolean} isOpen */
function reply(page, {status, reply: said}, isOpen) {
  const headers = Object.entries(said.headers ?? {}).map(([name, of]) => ({name, of: page.read.resolve(of)}));
  const summary = [element("span", {class: "status good"}, status),
    element("span", {}, ...inline(said.description ?? ""))];
  return folded(summary, () => [
    ...contents(page, said),
    said.content ? null : element("p", {class: "soft"}, "No body."),
    headers.length ? folded([counted(headers.length, "header")], () => [
      element("ul", {class: "fields"}, ...headers.map(({name, of}) => element("li", {class: "field"},
        element("div", {class: "line"}, element("code", {class: "name"}, name),
          element("span", {class: "type"}, page.read.words(of.schema ?? {})),
          of.required ? null : element("span", {class: "soft"}, "at times")),
        element("p", {class: "about"}, ...inline(of.description ?? ""))))),
    ]) : null,
  ], {open: isOpen, class: "fold reply"});
}

/**
 * Group the problem codes of an operation by status.
 * @param {Page} page
 * @param {string[]} own
 */
function problemsOf(page, own) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const code of own) {
    const status = String(page.notes.kinds[code]?.[0]);
    found.set(status, [...found.get(status) ?? [], code]);
  }
  return [...found].sort().map(([status, codes]) => ({status, codes}));
}

/**
 * List the problem codes of an operation.
 * @param {Page} page
 * @param {{status: string, codes: string[]}[]} problems
 */
function problemList(page, problems) {
  return element("ul", {class: "problems"}, ...problems.map(({status, codes}) => {
    const list = () => element("ul", {}, ...codes.map((code) => element("li", {},
      element("a", {href: `${page.root}/docs/problems#${code}`}, element("code", {}, code)),
      element("span", {}, page.notes.kinds[code]?.[1] ?? ""))));
    const summary = [element("span", {class: "status bad"}, status),
      element("span", {}, counted(codes.length, "code"))];
    return element("li", {}, codes.length > 4 ? folded(summary, () => [list()], {class: "fold reply"})
      : element("div", {class: "few"}, element("span", {class: "status bad"}, status), list()));
  }));
}
