/** Compares the fields of events, and of objects in them, with those of their types. */

import { get, has, isObject, same } from "./deals.mjs";
import { addedAfter } from "./versions.mjs";

type Event = import("./record.mjs").Event;

/** The fields of events and of objects in them (`deals.mjs`), and those added by later versions. */
export type Tables = Pick<import("./deals.mjs").Known, "events" | "records" | "added">;

interface Field { readonly name: string; readonly kind: string; readonly isLeftOut: boolean }

function fieldsIn(row: string): Field[] {
  return row.split(" ").filter(Boolean).map((one) => {
    const [name = "", kind = ""] = one.replace("?", "").split(":");
    return { name, kind, isLeftOut: one.endsWith("?") };
  });
}

/** Return whether an event has exactly its type's fields in its version. */
export function hasItsFields({ type, v, data, parts, seals }: Event, { events, records, added }: Tables): boolean {
  const later = addedAfter(added, type, v);
  const due = fieldsIn(get(events, type) ?? "").filter(({ name }) => !has(later, name));
  const values = (name: string) => (has(seals, name) ? Object.values(get(parts, name) ?? {}) : [data[name]]);
  return same([...new Set([...Object.keys(data), ...Object.keys(seals)])].sort(), due.map(({ name }) => name).sort())
    && due.every(({ name, kind }) => values(name).every((value) => isOfKind(value, kind, records)));
}

/** Return whether a value is an object of a kind, a list of them, or null; without a kind, any value passes. */
function isOfKind(value: unknown, kind: string, records: Tables["records"]): boolean {
  if (kind === "" || value === null) return true;
  if (Array.isArray(value)) return value.every((one) => isOfKind(one, kind, records));
  if (!isObject(value)) return false;
  const known = fieldsIn(get(records, kind) ?? "");
  return Object.keys(value).every((name) => known.some((field) => field.name === name))
    && known.every((field) => (has(value, field.name)
      ? !(field.isLeftOut && value[field.name] === null) && isOfKind(value[field.name], field.kind, records)
      : field.isLeftOut));
}
