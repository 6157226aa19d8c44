// Builds the page, the documentation's scripts and the stand-alone verifier.
//
//     node build.mjs [--outDir FOLDER]
//
// `entries.json` names the files of the entries, for the HTML pages.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "vite";

const at = process.argv.indexOf("--outDir");
const outDir = resolve(at < 0 ? "dist" : process.argv[at + 1]);
const entries = {};

rmSync(outDir, { recursive: true, force: true });
for (const mode of ["page", "docs", "verifier"]) {
  await build({ root: import.meta.dirname, mode, logLevel: "warn", build: { outDir } });
  if (mode !== "verifier") Object.assign(entries, takeEntries(join(outDir, "manifest.json")));
}
writeFileSync(join(outDir, "entries.json"), JSON.stringify(entries, null, 2));

/** Take the files of the entries from Vite's manifest, whose other lines hold paths of this machine. */
function takeEntries(manifest) {
  const listed = Object.values(JSON.parse(readFileSync(manifest, "utf8"))).filter(({ isEntry }) => isEntry);
  rmSync(manifest);
  return Object.fromEntries(listed.map(({ src, file }) => [src.replace("static/", ""), file]));
}
