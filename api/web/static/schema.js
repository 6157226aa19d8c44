/**
 * Reads an API description (OpenAPI 3.1): its operations, and its schemas in words. Draws nothing.
 * @typedef {Record<string, any>} Json a part of a description, of unknown content: any field with any value
 * @typedef {{id: string, method: string, path: string, tag: string, said: Json, parameters: Json[],
 *   isWebhook: boolean}}
 *   Operation One method of one path, or a request that the server sends.
 * @typedef {{name: string, schema: Json, required: boolean}} Field One field of an object.
 * @typedef {{by: string, kinds: {name: string, schema: Json}[]}} Union One of several kinds, distinguished by a field.
 */

const METHODS = ["get", "post", "put", "patch", "delete"];

/** Return the functions that read this description. @param {Json} api */
export function reader(api) {
  /** Follow references. Fields next to a reference override those of its target. @param {Json} given @returns {Json} */
  function resolve(given) {
    let schema = given;
    for (let steps = 0; schema?.$ref && steps < 20; steps++) {
      const {$ref, ...beside} = schema;
      schema = {...at($ref), ...beside};
    }
    return schema ?? {};
  }

  /** Return the target of a reference. @param {string} ref @returns {Json} */
  const at = (ref) => ref.slice(2).split("/")
    .reduce((part, key) => part?.[key.replace(/~1/g, "/").replace(/~0/g, "~")], api);

  /** Return a schema without null, and whether null is allowed. @param {Json} given */
  function withoutNull(given) {
    const schema = resolve(given);
    if (Array.isArray(schema.type) && schema.type.includes("null")) {
      const types = schema.type.filter((/** @type {string} */ type) => type !== "null");
      return {schema: {...schema, type: types.length === 1 ? types[0] : types}, isNullable: true, name: nameOf(given)};
    }
    for (const key of ["anyOf", "oneOf"]) {
      const kinds = schema[key]?.filter((/** @type {Json} */ kind) => kind.type !== "null");
      if (kinds && kinds.length < schema[key].length) {
        const {[key]: _, ...beside} = schema;
        const only = kinds.length === 1 ? {...resolve(kinds[0]), ...beside} : {...beside, [key]: kinds};
        return {schema: only, isNullable: true, name: kinds.length === 1 ? nameOf(kinds[0]) : nameOf(given)};
      }
    }
    return {schema, isNullable: false, name: nameOf(given)};
  }

  /** Return the name of the referenced schema, if any. @param {Json} schema @returns {string} */
  const nameOf = (schema) => schema?.$ref?.split("/").pop() ?? "";

  /** Describe the type of a value in words. @param {Json} given @returns {string} */
  function words(given) {
    const {schema, isNullable, name} = withoutNull(given);
    return plain(schema, name) + (isNullable ? " or null" : "");
  }

  /** @param {Json} schema @param {string} name @returns {string} */
  function plain(schema, name) {
    if (schema.type === "array") return schema.items ? `list of ${words(schema.items)}` : "list";
    if (schema.const !== undefined) return `always ${JSON.stringify(schema.const)}`;
    const types = [schema.type ?? []].flat().join(" or ");
    if (schema.properties || schema.allOf || schema.oneOf || schema.anyOf)
      return name || (types || "one of several kinds");
    const form = schema.format ? `${types}, ${schema.format}` : types || "anything";
    const values = typeof schema.additionalProperties === "object" ? `object of ${words(schema.additionalProperties)}`
      : form;
    return name ? `${name} (${values})` : values;
  }

  /**
   * Describe the limits of a value: in words, and as literal values.
   * @param {Json} given
   * @returns {Limit[]}
   */
  function limits(given) {
    const {schema} = withoutNull(given);
    const plainly = [
      between(schema.minimum, schema.maximum, ""),
      between(schema.minLength, schema.maxLength, "characters"),
      between(schema.minItems, schema.maxItems, "items"),
      between(schema.minProperties, schema.maxProperties, "fields"),
      schema.uniqueItems ? "no item twice" : "",
      schema.multipleOf ? `a multiple of ${schema.multipleOf}` : "",
      schema.not?.multipleOf ? `no multiple of ${schema.not.multipleOf}` : "",
      schema.not?.enum ? `none of ${schema.not.enum.join(", ")}` : "",
    ].filter(Boolean).map((said) => ({words: said, code: ""}));
    const pattern = schema.pattern ? [{words: "matches ", code: String(schema.pattern)}] : [];
    const byDefault = schema.default === undefined
      ? [] : [{words: "by default ", code: JSON.stringify(schema.default)}];
    return [...plainly, ...pattern, ...byDefault];
  }

  /** Return the possible values of a value, or of each item of a list. @param {Json} given @returns {unknown[]} */
  function choices(given) {
    const {schema} = withoutNull(given);
    if (schema.type === "array" && schema.items) return choices(schema.items);
    return (schema.enum ?? []).filter((/** @type {unknown} */ value) => value !== null);
  }

  /** Return the fields of an object, with those of all its parts. @param {Json} given @returns {Field[]} */
  function fields(given) {
    /** @type {Map<string, Field>} */
    const found = new Map();
    const {schema} = withoutNull(given);
    for (const part of schema.allOf ?? []) {
      for (const field of fields(part)) found.set(field.name, field);
    }
    for (const [name, of] of Object.entries(schema.properties ?? {})) {
      const before = found.get(name);
      found.set(name, {name, schema: {...before?.schema, ...of}, required: before?.required ?? false});
    }
    for (const name of schema.required ?? []) {
      const field = found.get(name);
      if (field) field.required = true;
    }
    if (typeof schema.additionalProperties === "object") {
      found.set("…", {name: "any name", schema: schema.additionalProperties, required: false});
    }
    return [...found.values()];
  }

  /** Return the kinds of a value; null if it has only one. @param {Json} given @returns {Union | null} */
  function union(given) {
    const {schema} = withoutNull(given);
    const kinds = /** @type {Json[] | undefined} */ (schema.oneOf ?? schema.anyOf);
    if (!kinds || kinds.length < 2) return null;
    const {propertyName, mapping = {}} = schema.discriminator ?? {};
    const named = new Map(Object.entries(mapping).map(([value, ref]) => [ref, value]));
    const listed = kinds.map((kind) => ({name: named.get(kind.$ref) ?? nameOf(kind) ?? "", schema: kind}));
    return {by: propertyName ?? "", kinds: listed.map((one) => ({...one, name: one.name || words(one.schema)}))};
  }

  /** Return the schema of the items of a list. @param {Json} given @returns {Json | null} */
  function items(given) {
    const {schema} = withoutNull(given);
    return schema.type === "array" && schema.items ? schema.items : null;
  }

  /** Return whether a value has content to unfold. @param {Json} given @returns {boolean} */
  function hasInside(given) {
    const inner = items(given);
    if (inner) return hasInside(inner);
    const {schema} = withoutNull(given);
    const open = schema.additionalProperties;
    return Boolean(union(given) || schema.allOf || schema.properties || (typeof open === "object" && hasInside(open)));
  }

  /** List all operations, and the requests that the server sends. @returns {Operation[]} */
  function operations() {
    const sent = Object.entries(api.webhooks ?? {}).map(([name, methods]) => ({path: name, methods, isWebhook: true}));
    const asked = Object.entries(api.paths).map(([path, methods]) => ({path, methods, isWebhook: false}));
    return [...asked, ...sent].flatMap(({path, methods, isWebhook}) =>
      METHODS.filter((method) => methods[method]).map((method) => {
        const said = methods[method];
        const parameters = [...(methods.parameters ?? []), ...(said.parameters ?? [])].map(resolve);
        const tag = isWebhook ? "webhooks" : said.tags?.[0] ?? "others";
        return {id: said.operationId ?? `webhook-${path}`, method, path, tag, said, parameters, isWebhook};
      }));
  }

  /**
   * Return the examples of some content, by their names.
   * @param {Json} content
   * @returns {{name: string, value: unknown}[]}
   */
  function examples(content) {
    const named = Object.entries(content.examples ?? {}).map(([key, given]) => {
      const said = resolve(/** @type {Json} */ (given));
      return {name: said.summary ?? key, value: said.value};
    });
    if (named.length) return named;
    const values = content.example === undefined ? resolve(content.schema).examples ?? [] : [content.example];
    return values.map((/** @type {unknown} */ value) => ({name: "example", value}));
  }

  return {api, resolve, words, limits, choices, fields, union, items, hasInside, nameOf, withoutNull, operations,
    examples};
}

/**
 * Describe a range in words.
 * @param {number | undefined} least @param {number | undefined} most @param {string} what
 */
function between(least, most, what) {
  const unit = what ? ` ${what}` : "";
  if (least !== undefined && least === most) return `exactly ${least}${unit}`;
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`;
  if (least !== undefined) return `at least ${least}${unit}`;
  return most === undefined ? "" : `at most ${most}${unit}`;
}

/** @typedef {{words: string, code: string}} Limit */
/** @typedef {ReturnType<typeof reader>} Reader */
