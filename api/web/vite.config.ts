/**
 * How the page is built. Each kind of program is built separately, so that the page starts with one script: chunks
 * shared with the documentation would be separate files.
 */

import { defineConfig, type UserConfig } from "vite";

const path = (name: string) => new URL(name, import.meta.url).pathname;

const named = { entryFileNames: "[name]-[hash].js", chunkFileNames: "[name]-[hash].js" };

/** The entries that HTML pages name. The server finds their files in `entries.json`. */
const entries = {
  page: ["static/table/page.js", "static/table/table.css"],
  docs: ["static/docs.js", "static/docs.css"],
  embed: ["static/embed/embed.ts", "static/embed/embed.css"],
};

const forBrowsers = (kind: keyof typeof entries): UserConfig => ({
  base: "./", // the server may be below a path of another site
  build: {
    assetsDir: "",
    assetsInlineLimit: 0,
    emptyOutDir: false,
    license: kind === "page" && { fileName: "licences.md" },
    manifest: "manifest.json",
    modulePreload: false,
    rolldownOptions: {
      input: entries[kind].map(path),
      preserveEntrySignatures: "allow-extension", // scripts that are loaded later import from that of the page
      output: { ...named, assetFileNames: "[name]-[hash][extname]" },
    },
    sourcemap: true,
    target: "es2022",
  },
});

/** One file without dependencies, which runs in Node. */
const verifier: UserConfig = {
  build: {
    emptyOutDir: false,
    minify: false,
    rolldownOptions: {
      input: path("../../tests/proof/verify.mjs"),
      output: { codeSplitting: false, entryFileNames: "verify.mjs" },
    },
    sourcemap: true,
    ssr: true,
    target: "node20",
  },
  ssr: { noExternal: true },
};

export default defineConfig(({ mode }) => (mode === "verifier" ? verifier : forBrowsers(mode as keyof typeof entries)));
