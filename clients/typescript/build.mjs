// Builds the package into `dist`: `node build.mjs`.
//
// The types and the table of operations come from openapi.json, the verifier of records from the page and the games.
// The programs are those of tests/clients and api/web.

import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const PROGRAMS = path("../../tests/clients/node_modules/.bin/");
const GAMES = path("../../domain/games/");
const description = JSON.parse(readFileSync(path("../../openapi.json"), "utf8"));
const { version } = JSON.parse(readFileSync(path("package.json"), "utf8"));

if (version !== description.info.version)
  throw new Error(`package.json: the version must be ${description.info.version}`);
rmSync(path("dist"), { recursive: true, force: true });
mkdirSync(path("dist"));
execFileSync(`${PROGRAMS}openapi-typescript`, [path("../../openapi.json"), "-o", path("src/api.d.ts")], {
  stdio: "ignore",
});
writeFileSync(path("src/operations.ts"), operations());
execFileSync(`${PROGRAMS}tsc`, ["-p", path("tsconfig.json")], { stdio: "inherit" });
for (const name of ["api.d.ts", "verify.d.ts"]) copyFileSync(path(`src/${name}`), path(`dist/${name}`));
await bundleVerifier();

/** Returns the table of operations: method, path, and two properties. */
function operations() {
  const rows = Object.entries(description.paths).flatMap(([address, { parameters: shared = [], ...methods }]) =>
    Object.entries(methods).map(([method, operation]) => {
      const names = [...shared, ...(operation.parameters ?? [])].map((one) => resolved(one).name);
      const once = method === "post" && !names.includes("Idempotency-Key") ? " once" : "";
      return `  ${operation.operationId}: "${method.toUpperCase()} ${address}${once}",\n`;
    }),
  );
  return `// Written by build.mjs from the description of the API: change that instead.

/** The version of the API, and of this package. */
export const VERSION = "${version}";

/** The method and path of each operation; \`once\` if a repeat is not safe. */
export const OPERATIONS = {
${rows.join("")}} as const;
`;
}

function resolved(part) {
  return part.$ref
    ? part.$ref
        .slice(2)
        .split("/")
        .reduce((there, key) => there[key], description)
    : part;
}

/** Bundles the page's verifier. The part of a game is loaded with the first record of that game. */
async function bundleVerifier() {
  const require = createRequire(path("../../api/web/package.json"));
  const { rolldown } = await import(pathToFileURL(createRequire(require.resolve("vite")).resolve("rolldown")).href);
  const loaders = (file) =>
    readdirSync(GAMES)
      .filter((game) => existsSync(`${GAMES}${game}/${file}`))
      .map((game) => `  ${game}: () => import(${JSON.stringify(`${GAMES}${game}/${file}`)}),\n`)
      .join("");
  const tables = { parts: loaders("verify.mjs"), referees: loaders("referee.ts") };
  const games = Object.entries(tables).map(([name, rows]) => `export const ${name} = {\n${rows}};\n`).join("");
  const bundle = await rolldown({
    input: { verify: path("src/verify.mjs") },
    plugins: [
      {
        name: "games",
        resolveId: (name) => (name === "games" ? "\0games" : null),
        load: (name) => (name === "\0games" ? games : null),
      },
    ],
  });
  await bundle.write({ dir: path("dist"), chunkFileNames: "verify-[name].js", minify: true });
  await bundle.close();
}
