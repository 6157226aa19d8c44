// Builds the page, the documentation's scripts and the stand-alone verifier.
//
//     node build.mjs [--outDir FOLDER]
//
// `entries.json` names the files of the entries, for the HTML pages. Next to each script and style is a copy that is
// compressed with Brotli.

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { build } from "vite";

const at = process.argv.indexOf("--outDir");
const outDir = resolve(at < 0 ? "dist" : process.argv[at + 1]);
const entries = {};

rmSync(outDir, { recursive: true, force: true });
for (const mode of ["page", "docs", "embed", "verifier"]) {
  await build({ root: import.meta.dirname, mode, logLevel: "warn", build: { outDir } });
  if (mode !== "verifier") Object.assign(entries, takeEntries(join(outDir, "manifest.json")));
}
compressFiles(outDir);
writeFileSync(join(outDir, "entries.json"), JSON.stringify(entries, null, 2));

/** Take the files of the entries from Vite's manifest, whose other lines hold paths of this machine. */
function takeEntries(manifest) {
  const listed = Object.values(JSON.parse(readFileSync(manifest, "utf8"))).filter(({ isEntry }) => isEntry);
  rmSync(manifest);
  return Object.fromEntries(listed.map(({ src, file }) => [src.replace("static/", ""), file]));
}

/** Compress scripts and styles with Brotli, which takes too long to do for each request. */
function compressFiles(folder) {
  for (const name of readdirSync(folder).filter((one) => /\.(js|css)$/.test(one))) {
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(readFileSync(join(folder, name))));
  }
}
