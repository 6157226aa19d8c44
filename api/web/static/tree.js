/**
 * Draws a schema as a tree of fields. The content of a field is made when it is opened, so a schema may refer to
 * itself.
 */

import {counted, element, folded, inline} from "./dom.js";

/** @import {Json, Reader} from "./schema.js" */

const MOST_CHOICES = 12;

/**
 * Draw the content of a value: its fields, its kinds, or those of its items.
 * @param {Reader} read @param {Json} schema @param {string[]} [above] the names of the schemas around it
 * @returns {HTMLElement[]}
 */
export function tree(read, schema, above = []) {
  const items = read.items(schema);
  if (items) return tree(read, items, above);
  const {name} = read.withoutNull(schema);
  const within = name ? [...above, name] : above;
  const union = read.union(schema);
  const own = read.fields(schema);
  return [
    ...(own.length ? [element("ul", {class: "fields"}, ...own.map((field) => row(read, field, within)))] : []),
    ...(union ? [kinds(read, union, within)] : []),
  ];
}

/**
 * Draw a single value, such as a body: its type and content.
 * @param {Reader} read
 * @param {Json} schema
 */
export function whole(read, schema) {
  return [
    element("p", {class: "type"}, sentence(read.words(schema))),
    ...told(read, schema),
    ...tree(read, schema),
  ];
}

/** @param {string} text */
const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Draw a field: its name, type, whether it is required, its description, limits and contents.
 * @param {Reader} read @param {import("./schema.js").Field} field @param {string[]} above
 */
function row(read, field, above) {
  return element("li", {class: "field"},
    element("div", {class: "line"},
      element(field.name === "any name" ? "em" : "code", {class: "name"}, field.name),
      element("span", {class: "type"}, read.words(field.schema)),
      field.required ? element("span", {class: "required"}, "required") : null),
    ...told(read, field.schema),
    inside(read, field.schema, above));
}

/** Write the description, limits and choices of a schema. @param {Reader} read @param {Json} schema */
export function told(read, schema) {
  const about = read.resolve(schema).description;
  const limits = read.limits(schema);
  const choices = read.choices(schema);
  const chips = choices.map((value) => element("li", {}, element("code", {}, JSON.stringify(value))));
  const list = () => element("ul", {class: "choices"}, ...chips);
  return [
    about ? element("p", {class: "about"}, ...inline(about.trim().replace(/\s*\n\s*/g, " "))) : null,
    limits.length ? element("p", {class: "limits"}, ...limits.flatMap(limited)) : null,
    choices.length > MOST_CHOICES ? folded([`One of ${choices.length} values`], () => [list()]) : null,
    choices.length && choices.length <= MOST_CHOICES ? element("div", {class: "oneof"}, "one of", list()) : null,
  ].filter((node) => node !== null);
}

/** Draw a limit, separated from earlier ones. @param {import("./schema.js").Limit} limit @param {number} at */
const limited = ({words, code}, at) => [at ? " · " : "", words, code && element("code", {}, code)];

/**
 * Fold the content of a value; nothing if there is none.
 * @param {Reader} read
 * @param {Json} schema
 * @param {string[]} above
 */
function inside(read, schema, above) {
  if (!read.hasInside(schema)) return null;
  let inner = schema;
  for (let items = read.items(inner); items; items = read.items(inner)) inner = items;
  const {name} = read.withoutNull(inner);
  const union = read.union(inner);
  const what = union ? counted(union.kinds.length, "kind") : counted(read.fields(inner).length, "field");
  const each = inner === schema ? "" : " of each item";
  const again = above.includes(name) ? ", as above" : "";
  return folded([element("span", {}, `${what}${each}`), element("span", {class: "soft"}, `${name}${again}`)],
    () => tree(read, schema, above));
}

/**
 * Let the reader choose one of several kinds, and draw it.
 * @param {Reader} read @param {import("./schema.js").Union} union @param {string[]} above
 */
function kinds(read, union, above) {
  const shown = element("div", {class: "kind"});
  const options = union.kinds.map(({name}, i) => element("option", {value: i}, name));
  const select = element("select", {}, ...options);
  const show = () => {
    const chosen = union.kinds[Number(select.value)];
    if (!chosen) return;
    const parts = tree(read, chosen.schema, above);
    const plain = element("p", {class: "type"}, sentence(read.words(chosen.schema)));
    shown.replaceChildren(...told(read, chosen.schema), ...(parts.length ? parts : [plain]));
  };
  select.addEventListener("change", show);
  show();
  const label = union.by ? ["Kinds, distinguished by ", element("code", {}, union.by)] : ["One of several kinds"];
  return element("div", {class: "union"}, element("label", {}, element("span", {}, ...label), select), shown);
}
