// A suite that asks something of every service names none: it reads `test/services/<service>/facts.ts`, so that a new service changes its own
// folders alone.
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { readSqlSource } from "../../src/postgres/migrate/sql-source.ts";
import { services } from "../../src/services/services.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const read = (file: string) => fs.readFileSync(path.join(ROOT, file), "utf8");

/** Suites that name no service, whether or not they read facts themselves. All other files that read facts are added below. */
const SUITES = [
  ...fs.readdirSync(path.join(ROOT, "test/system/screens")).map((name) => `test/system/screens/${name}`),
  "test/main/config.test.ts",
  "test/postgres/isolation.test.ts",
  "test/services/platform/audit-coverage.test.ts",
  "test/services/platform/audit-stage.ts",
  "test/support/isolation/graphql.ts",
  "test/support/isolation/isolation.ts",
  "test/support/isolation/keys.ts",
  "test/support/isolation/rest.ts",
  "test/support/limits.ts",
  "test/support/sample-mails.ts",
  "test/support/service-facts.ts",
  "test/surfaces/graphql/isolation.test.ts",
  "test/surfaces/graphql/schema.test.ts",
  "test/surfaces/limits.full.test.ts",
  "test/surfaces/limits.test.ts",
  "test/surfaces/openapi/openapi.test.ts",
  "test/surfaces/product-limits.ts",
  "test/surfaces/rest/isolation.test.ts",
  "test/surfaces/rest/key-isolation.test.ts",
  "test/surfaces/rest/malformed-bodies.ts",
  "test/surfaces/rest/malformed-requests.ts",
  "test/surfaces/rest/malformed-stage.ts",
  "test/surfaces/rest/malformed.full.test.ts",
  "test/surfaces/rest/malformed.test.ts",
  "test/surfaces/rest/second-surface.ts",
  "test/surfaces/rest/surfaces.test.ts",
];

/** Every service stands on the platform, which suites may name. */
const others = services.filter(({ name }) => name !== "platform");
const own = others.flatMap((service) => {
  const { kept, derived } = readSqlSource([service]).serviceSchemas;
  return [service.name, ...kept, ...derived];
});
/** A folder, schema or word of a service; `document.webhooks` is a member of OpenAPI. */
const WORDS = new RegExp(`(?<!\\b(?:document|description)\\.)\\b(?:${[...new Set(own)].join("|")})\\b`);

/** Files that read the facts of services, but for those of one service. */
function readersOfFacts(): string[] {
  const files = fs.readdirSync(path.join(ROOT, "test"), { recursive: true, withFileTypes: true });
  return files
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !entry.parentPath.includes("node_modules"))
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)))
    .filter((file) => !others.some(({ name }) => file.startsWith(`test/services/${name}/`)))
    .filter((file) => /from "[./\w-]+\/service-facts\.ts"/.test(read(file)));
}

const suites = [...new Set([...SUITES, ...readersOfFacts()])].sort();

test.each(suites)("%s names no service", (file) => {
  const lines = read(file).split("\n");
  const found = lines.flatMap((line, place) => (WORDS.test(line) ? [`${file}:${place + 1}: ${line.trim()}`] : []));
  expect(found).toEqual([]);
});

const withPages = await Promise.all(
  services.map(async ({ name, pages }) => (((await pages?.())?.list.length ?? 0) > 0 ? [name] : [])),
);
test.each(withPages.flat())("%s takes pictures of its pages", (name) => {
  const folder = path.join(ROOT, "test/system", name, "screens");
  expect(fs.existsSync(folder) ? fs.readdirSync(folder) : []).toContainEqual(expect.stringMatching(/\.test\.ts$/));
});

test("what would be found is in the facts of each service", () => {
  for (const { name } of others) expect(read(`test/services/${name}/facts.ts`)).toMatch(WORDS);
});
