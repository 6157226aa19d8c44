import { defineConfig } from "vitest/config";

/** Modules that run without a browser are tested in Node. */
export default defineConfig({
  resolve: { alias: { vitest: new URL("node_modules/vitest", import.meta.url).pathname } },
  server: { fs: { allow: ["../.."] } },
  test: { dir: "../../tests/web", include: ["**/*.test.{mjs,ts}"] },
});
