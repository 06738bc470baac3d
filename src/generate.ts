/**
 * `npm run generate`: writes what is generated from a freshly migrated database — `src/db/generated/`, `schema/` —
 * and with `--check` only compares, failing when a file differs.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { readConfig } from "./config.ts";
import { urlsOf } from "./db/databases.ts";
import { startEmbeddedPostgres } from "./db/embedded.ts";
import { createDatabase } from "./db/embedded-url.ts";
import { generateFiles } from "./db/generated-files.ts";
import { migrate } from "./db/migrate.ts";
import { printGatewaySchema } from "./graphql/print-schema.ts";
import { packageRoot } from "./package-root.ts";
import { generateOpenApi } from "./rest/openapi/generate.ts";

const OPENAPI = "schema/openapi.json";

const checkOnly = process.argv.includes("--check");
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-generate-"));
const postgres = await startEmbeddedPostgres({
  dataDir: folder,
  env: readConfig().environment,
  settings: { fsync: "off", synchronous_commit: "off", full_page_writes: "off" },
});
try {
  await createDatabase(postgres, "selo");
  const databases = { ...urlsOf(postgres, postgres.password), description: "generate", close: async () => {} };
  const { adminUrl } = databases;
  await migrate({ adminUrl, serviceUrls: [] });
  const files = await generateFiles(adminUrl);
  files.set("schema/schema.graphql", await printGatewaySchema(adminUrl));
  const described = readIfThere(path.join(packageRoot(), OPENAPI));
  files.set(OPENAPI, await generateOpenApi(databases, packageVersion(), described));
  const drifted = [...files].filter(([file, text]) => readIfThere(path.join(packageRoot(), file)) !== text);
  for (const [file, text] of drifted) {
    if (checkOnly) {
      console.error(`${file} is not what the sources make: run npm run generate`);
      process.exitCode = 1;
    } else {
      fs.mkdirSync(path.dirname(path.join(packageRoot(), file)), { recursive: true });
      fs.writeFileSync(path.join(packageRoot(), file), text);
      console.log(`wrote ${file}`);
    }
  }
} finally {
  await postgres.stop();
  fs.rmSync(folder, { recursive: true, force: true });
}

function packageVersion(): string {
  const text = fs.readFileSync(path.join(packageRoot(), "package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

function readIfThere(file: string): string | null {
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : null;
}
