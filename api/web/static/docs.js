"use strict";

const api = JSON.parse(document.getElementById("description").textContent);
const token = document.getElementById("token");
const root = api.servers[0].url.replace(/\/$/, "");
const made = {};  // what the last answers gave, to fill in addresses: match_id

const resolve = (x) => x && x.$ref ? x.$ref.slice(2).split("/").reduce((at, key) => at[key], api) : x;

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name in node && typeof value !== "string") node[name] = value; else node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

/** Write the little Markdown that the description uses: `code` and **bold**. */
function text(tag, source, attributes = {}) {
  const node = element(tag, attributes);
  const lines = (source || "").trim().replace(/([^\n])\n(?=[^\n])/g, "$1 ");
  for (const part of lines.split(/(`[^`]+`|\*\*[^*]+\*\*)/)) {
    if (part.startsWith("`")) node.append(element("code", {}, part.slice(1, -1)));
    else if (part.startsWith("**")) node.append(element("b", {}, part.slice(2, -2)));
    else node.append(part);
  }
  return node;
}

function field(parameter) {
  const schema = resolve(parameter.schema) || {};
  const input = schema.enum
    ? element("select", {}, element("option", {value: ""}, ""), ...schema.enum.map((x) => element("option", {}, String(x))))
    : element("input", {placeholder: String(schema.default ?? parameter.example ?? "")});
  input.dataset.in = parameter.in;
  input.dataset.name = parameter.name;
  const label = text("span", parameter.description || "");
  label.prepend(element("code", {}, parameter.name + (parameter.required ? " * " : " ")));
  return element("label", {}, label, input);
}

function bodyOf(operation) {
  const content = resolve(operation.requestBody)?.content?.["application/json"];
  if (!content) return null;
  const examples = content.examples ? Object.values(content.examples).map((x) => x.value) : [content.example ?? {}];
  return element("textarea", {spellcheck: false, "aria-label": "Body"}, JSON.stringify(examples[0], null, 2));
}

function request(path, method, form) {
  const query = new URLSearchParams();
  const headers = {};
  for (const input of form.querySelectorAll("[data-in]")) {
    const {in: where, name} = input.dataset;
    if (where === "path") path = path.replace(`{${name}}`, encodeURIComponent(input.value));
    else if (input.value && where === "query") query.append(name, input.value);
    else if (input.value && where === "header") headers[name] = input.value;
  }
  const body = form.querySelector("textarea")?.value.trim();
  if (body) headers["Content-Type"] = "application/json";
  if (token.value) headers.Authorization = `Bearer ${token.value}`;
  return [root + path + (query.size ? `?${query}` : ""), {method: method.toUpperCase(), headers, body: body || undefined}];
}

const LONGEST = 100_000;

async function send(address, options, output) {
  output.replaceChildren("…");
  try {
    const response = await fetch(address, options);
    const said = (await response.text()).slice(0, LONGEST);
    const json = /json/.test(response.headers.get("Content-Type") || "") && !/ndjson/.test(response.headers.get("Content-Type"));
    const told = ["ETag", "Location", "RateLimit", "Retry-After"].filter((name) => response.headers.get(name))
      .map((name) => `${name}: ${response.headers.get(name)}\n`);
    const status = element("span", {class: response.ok ? "status" : "status bad"}, String(response.status));
    output.replaceChildren(`${options.method} ${address} `, status, "\n", ...told, "\n", json && said ? pretty(said) : said);
    if (json && response.ok && said) return JSON.parse(said);
  } catch (error) {
    output.replaceChildren(element("span", {class: "bad"}, String(error)));
  }
  return null;
}

function pretty(json) {
  try { return JSON.stringify(JSON.parse(json), null, 2); } catch { return json; }
}

/** Use what an answer gave: a token, and the id of a match in every address that wants one. */
function remember(operation, answer) {
  if (answer?.token) token.value = answer.token;
  if (operation.operationId === "createMatch" && answer?.id) made.match_id = answer.id;
  for (const input of document.querySelectorAll("[data-in=path]")) {
    if (made[input.dataset.name]) input.value = made[input.dataset.name];
  }
}

function card(path, method, operation, shared) {
  const output = element("pre", {hidden: true});
  const form = element("form", {}, ...[...shared, ...(operation.parameters || [])].map(resolve).map(field));
  const body = bodyOf(operation);
  if (body) form.append(body);
  form.append(element("button", {}, "Send"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    output.hidden = false;
    const answer = await send(...request(path, method, form), output);
    remember(operation, answer);
    suggest(operation, answer);
  });
  const statuses = element("table", {}, ...Object.entries(operation.responses).map(([status, response]) => element("tr", {},
    element("td", {}, element("span", {class: "status"}, status)), text("td", resolve(response).description))));
  return element("details", {id: operation.operationId},
    element("summary", {}, element("span", {class: `method ${method}`}, method.toUpperCase()), element("code", {}, path),
      element("span", {class: "what"}, operation.summary)),
    element("div", {class: "inside"}, operation.description ? text("p", operation.description) : null, form, output, statuses));
}

/** Offer the first legal move as the body of the next one. */
function suggest(operation, answer) {
  const area = document.querySelector("#makeMove textarea");
  if (operation.operationId === "listMoves" && answer?.moves?.length && area) {
    area.value = JSON.stringify(answer.moves[0].example, null, 2);
  }
}

function build() {
  const main = document.querySelector("main");
  const nav = document.querySelector("nav");
  main.append(text("div", api.info.description, {class: "intro"}));
  for (const tag of api.tags) {
    nav.append(element("h3", {}, tag.name));
    main.append(element("h2", {}, tag.name), text("p", tag.description));
    for (const [path, methods] of Object.entries(api.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        if (!operation.tags?.includes(tag.name)) continue;
        main.append(card(path, method, operation, methods.parameters || []));
        nav.append(element("a", {href: `#${operation.operationId}`}, operation.summary));
      }
    }
  }
}

function open() {
  const chosen = document.getElementById(location.hash.slice(1));
  if (chosen?.tagName === "DETAILS") chosen.open = true;
}

document.getElementById("who").addEventListener("submit", async (event) => {
  event.preventDefault();
  const name = document.getElementById("name").value.trim();
  const response = await fetch(`${root}/v1/players`, {
    method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({name}),
  });
  const answer = await response.json();
  token.value = answer.token || "";
  token.placeholder = answer.token ? "token" : (answer.errors?.name?.[0] || answer.title);
});

build();
addEventListener("hashchange", open);
open();
