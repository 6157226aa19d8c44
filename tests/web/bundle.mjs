// Bundles the module on standard input with what it imports of the page, and prints it as one script.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

const WEB = new URL("../../api/web/", import.meta.url);
const { build } = await import(pathToFileURL(createRequire(new URL("package.json", WEB)).resolve("vite")).href);

const ENTRY = "\0entry.js";
const code = readFileSync(0, "utf8");
const entry = { name: "entry", enforce: "pre", resolveId: (id) => (id === ENTRY ? id : null),
  load: (id) => (id === ENTRY ? code : null) };

const { output } = await build({
  configFile: false,
  root: fileURLToPath(WEB),
  logLevel: "warn",
  plugins: [entry],
  resolve: { alias: { "#page": fileURLToPath(new URL("static", WEB)) } },
  build: { write: false, minify: false, modulePreload: false, target: "es2022",
    rolldownOptions: { input: ENTRY, external: [/^node:/], output: { format: "es", codeSplitting: false } } },
});
console.log(output.find(({ type }) => type === "chunk").code);
