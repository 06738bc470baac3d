/**
 * `npm run generate` writes the files generated from a freshly migrated database: `src/postgres/generated/`, `schema/`, parts of the guides.
 * Before, it writes which characters the fonts of PDFs have: `sql/platform/functions/texts/drawable_characters.sql` and `src/web/generated/drawable-characters.ts`.
 * From the tokens of the pages' design it writes the colours and sizes of mail and PDF: `src/adapters/generated/`.
 * With `--check` it only compares, and fails if a file differs.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { packageRoot } from "../adapters/programs/package-root.ts";
import { urlsOf } from "../postgres/databases.ts";
import { startEmbeddedPostgres } from "../postgres/embedded/embedded.ts";
import { createDatabase } from "../postgres/embedded/embedded-url.ts";
import { readApiCatalog } from "../postgres/migrate/api-catalog.ts";
import { generateFiles } from "../postgres/migrate/generated-files.ts";
import { migrate } from "../postgres/migrate/migrate.ts";
import { designTokens } from "./design-tokens.ts";
import { drawableCharacters, drawableCharactersModule, drawableCharactersSql } from "./drawable-characters.ts";
import { graphqlTypes } from "./graphql-types.ts";

const checkOnly = process.argv.includes("--check");
// The database is made from the first.
const drawable = await drawableCharacters();
writeOrCompare("sql/platform/functions/texts/drawable_characters.sql", drawableCharactersSql(drawable));
writeOrCompare("src/web/generated/drawable-characters.ts", drawableCharactersModule(drawable));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-generate-"));
const postgres = await startEmbeddedPostgres({
  dataDir: folder,
  env: process.env,
  settings: { fsync: "off", synchronous_commit: "off", full_page_writes: "off" },
});
try {
  await createDatabase(postgres, "selo");
  const databases = { ...urlsOf(postgres, postgres.password), description: "generate", close: async () => {} };
  const { adminUrl } = databases;
  await migrate({ adminUrl, serviceUrls: [] });
  for (const [file, text] of await generateFiles(adminUrl)) writeOrCompare(file, text);
  const document = (file: string) => fs.readFileSync(path.join(packageRoot(), file), "utf8");
  writeOrCompare("src/adapters/generated/design-tokens.ts", designTokens(document("src/web/design/tokens.css")));
  // Imported only now, because the services read files that were just written.
  const { services } = await import("../services/services.ts");
  const { withCoverage, withErrors, withMetrics, withSettings } = await import("./generated-tables.ts");
  const guides = {
    "audit-coverage": (guide: string) => withCoverage(guide, adminUrl),
    configuration: (guide: string) => withSettings(guide, services),
    monitoring: (guide: string) => withMetrics(guide, services),
    errors: async (guide: string) => withErrors(guide, services, (await readApiCatalog(adminUrl)).errorCodes),
  };
  for (const [name, generated] of Object.entries(guides)) {
    const file = `src/web/guides/${name}.md`;
    writeOrCompare(file, await generated(document(file)));
  }
  const { printGatewaySchema } = await import("../surfaces/graphql/print-schema.ts");
  const schema = await printGatewaySchema(services, adminUrl);
  writeOrCompare("schema/schema.graphql", schema);
  writeOrCompare("src/web/generated/graphql-env.d.ts", graphqlTypes(schema));
  const { generateOpenApi } = await import("./generate-openapi.ts");
  const existing = (file: string) => readIfThere(path.join(packageRoot(), file));
  for (const [file, text] of await generateOpenApi(databases, packageVersion(), existing)) writeOrCompare(file, text);
} finally {
  await postgres.stop();
  fs.rmSync(folder, { recursive: true, force: true });
}

function writeOrCompare(file: string, text: string): void {
  const place = path.join(packageRoot(), file);
  if (readIfThere(place) === text) return;
  if (checkOnly) {
    console.error(`${file} differs from what the sources generate: run npm run generate`);
    process.exitCode = 1;
    return;
  }
  fs.mkdirSync(path.dirname(place), { recursive: true });
  fs.writeFileSync(place, text);
  console.log(`wrote ${file}`);
}

function packageVersion(): string {
  const text = fs.readFileSync(path.join(packageRoot(), "package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

function readIfThere(file: string): string | null {
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : null;
}
