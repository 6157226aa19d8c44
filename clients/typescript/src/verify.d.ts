/** A check of a record. */
export interface Check {
  name: string;
  ok: boolean;
  skipped: boolean;
  detail: string;
  seq: number | null;
}

/** The result of a verification. */
export interface Report {
  verdict: "verified" | "failed" | "unverifiable";
  match: string;
  game: string | null;
  version: number;
  head: string;
  checks: Check[];
}

/** What you have besides the record. */
export interface Evidence {
  /** The keys of the server that you trust, as `listKeys` returns them. Without keys, no signature counts. */
  keys?: readonly { key: string }[];
  /** Heads that you kept: version and digest. */
  heads?: readonly (readonly [version: number, digest: string])[];
}

/** The text is not a record. */
export class Unreadable extends Error {}

/** Verifies the record of a match on this machine. Throws Unreadable if it is none. */
export function verifyRecord(record: string | Uint8Array, evidence?: Evidence): Promise<Report>;
