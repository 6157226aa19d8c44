/** What a check has found. */
export type Check = { name: string; ok: boolean; skipped: boolean; excused: boolean; detail: string; seq: number | null };
export type Report = { ok: boolean; verdict: "verified" | "failed" | "unverifiable"; match: string; checks: Check[]; signed: { server: string; key: string } | null };
export class Unreadable extends Error {}
/** Read a record; throws Unreadable. */
export function read(bytes: Uint8Array): any;
export function verify(
  record: any,
  how: { partOf: (game: string) => Promise<((kit: any) => any) | null>; heads?: [number, string][]; keys?: {key: string, until: string | null}[] | null; told?: (check: Check) => Promise<void> },
): Promise<Report>;
