// A new service, added as in new-service.test.ts: all that is generated of it, its page, and the checks of the types and imports of the copy.
import fs from "node:fs";
import path from "node:path";
import fastify from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ensureWebApp, webAppFolder } from "../../src/surfaces/web/build.ts";
import { PAGES_FOLDER } from "../../src/surfaces/web/built-files.ts";
import { Pages } from "../../src/surfaces/web/pages.ts";
import { readWebApp, webAppPlugin } from "../../src/surfaces/web/serve.ts";
import { type Added, addService, SERVICES } from "./new-service-stage.ts";

const PATIENCE = 1_200_000;
let added: Added;
beforeAll(async () => {
  added = addService();
  await added.run("src/main/generate.ts");
}, PATIENCE);
afterAll(() => added?.remove());

test("`npm run generate` writes what it always writes, and the document of the service's own surface", () => {
  const { added: there, ...edited } = added.changes();
  expect(edited).toEqual({
    changed: [
      "schema/database.sql",
      "schema/openapi.json",
      "schema/schema.graphql",
      "src/postgres/generated/commands.ts",
      "src/postgres/generated/views.ts",
      SERVICES,
      "src/web/guides/audit-coverage.md",
      "src/web/guides/configuration.md",
      "src/web/guides/monitoring.md",
    ],
    removed: [],
  });
  expect(there.filter((file) => file.startsWith("schema/"))).toEqual(["schema/openapi-note-keys.json"]);
});

test("what is generated names its table, operations, kind of event, setting, metric and view", () => {
  const named = {
    "schema/database.sql": ["create table notes.notes (", "create view analytics.notes_per_day ("],
    "schema/openapi.json": ['"/notes/{id}": {', '"operationId": "createNote"', '"note.created"'],
    "schema/schema.graphql": ["  createNote(", "  notes("],
    "src/web/guides/configuration.md": ["| `NOTES_MOST` |"],
    "src/web/guides/monitoring.md": ["| `selo_note_files_total` |"],
    "src/web/guides/audit-coverage.md": ["| notes.notes |"],
  };
  const text = (file: string) => fs.readFileSync(path.join(added.root, file), "utf8");
  const missing = Object.entries(named).flatMap(([file, words]) => words.filter((word) => !text(file).includes(word)));
  expect(missing).toEqual([]);
});

test(
  "its page is built and served in each language, beside the product's",
  async () => {
    await ensureWebApp(added.root);
    const built = path.join(webAppFolder(added.root), PAGES_FOLDER);
    const own = path.join(webAppFolder(), PAGES_FOLDER);
    const names = (folder: string) => Pages.read(folder, {}).list.map(({ name }) => name);
    expect(names(built).sort()).toEqual([...names(own), "notes"].sort());
    const app = fastify();
    await app.register(webAppPlugin, {
      ...readWebApp(webAppFolder(added.root), {}),
      readiness: async () => ({ isReady: true, checks: {}, parts: {}, checkedAt: new Date() }),
      faults: async () => null,
      demo: null,
      sample: { refresh: async () => {} },
      ofServices: [],
    });
    expect((await app.inject("/notes")).body).toContain("<h1>Notes</h1>");
    expect((await app.inject("/notes?lang=pt-BR")).body).toContain("<h1>Notas</h1>");
    await app.close();
  },
  PATIENCE,
);

test.each([
  ["types", ["node_modules/typescript/bin/tsc", "--noEmit"]],
  ["types of pages", ["node_modules/typescript/bin/tsc", "-p", "src/web"]],
  // The copy's packages are links, which the rules know by their names in node_modules.
  ["imports", ["node_modules/dependency-cruiser/bin/dependency-cruiser.mjs", "--preserve-symlinks", "src", "workers"]],
])("the check of %s finds nothing", (_, words) => added.run(...words).then(() => {}), PATIENCE);
