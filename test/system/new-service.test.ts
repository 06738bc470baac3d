// A new service costs its own folders and one line: the sample service is added to a copy of the product, whose programs migrate and run it.
// All that is generated of it, its page, and the checks of the copy: new-service.full.test.ts. What else a service may have: test/surfaces/sample-service.test.ts.
import fs from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateFiles } from "../../src/postgres/migrate/generated-files.ts";
import { migrate } from "../../src/postgres/migrate/migrate.ts";
import { readSqlSource } from "../../src/postgres/migrate/sql-source.ts";
import { sourcesHash, webAppFolder } from "../../src/surfaces/web/build.ts";
import { createTestDatabase } from "../support/database.ts";
import { parseExposition } from "../support/exposition.ts";
import { endPrograms, freePort, preparedDataFolder, selo, seloJson } from "../support/selo-process.ts";
import { type Added, addService, FOLDERS, SERVICES } from "./new-service-stage.ts";

const PATIENCE = 400_000;
let added: Added;
beforeAll(async () => {
  added = addService();
  await generateFromCatalog(added.root);
}, PATIENCE);
afterAll(() => added?.remove());

test("no file is edited but the list of services, and what is generated; none comes but in its folders, and migrations", () => {
  const { added: there, ...edited } = added.changes();
  expect(edited).toEqual({
    changed: ["schema/database.sql", "src/postgres/generated/commands.ts", "src/postgres/generated/views.ts", SERVICES],
    removed: [],
  });
  const outside = there.filter((file) => !FOLDERS.some((folder) => file.startsWith(folder)));
  expect(outside.filter((file) => !/^sql\/migrations\/\d{4}-notes-[a-z]+\.sql$/.test(file))).toEqual([]);
});

test("the line in the list of services is an entry with its import", () => {
  const { added: there, removed } = added.lines(SERVICES);
  expect(removed).toEqual([expect.stringMatching(/^export const services: .* = \[\w+(, \w+)*\];$/)]);
  expect(there).toEqual(['import { notes } from "./notes/service.ts";', removed[0]?.replace("= [", "= [notes, ")]);
});

/** A row, or a page of them. */
interface Answer {
  readonly id: string;
  readonly items: readonly object[];
}

describe("at work", () => {
  const METRICS_TOKEN = "whoever-scrapes-knows-it";
  const MOST = 7;
  const data = preparedDataFolder();
  let environment: Readonly<Record<string, string>>;
  let base: string;
  let organization: { readonly id: string };
  let token: string;
  /** The note that the tests share, which is due when it is made. */
  let note: Answer;
  beforeAll(async () => {
    keepPages(added.root);
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    environment = { SELO_DATA_DIR: data.path, PORT: String(port), METRICS_TOKEN, NOTES_MOST: String(MOST) };
    await selo(["start"], environment, added.root).until("Ctrl-C stops everything.");
    const demo = JSON.parse(fs.readFileSync(path.join(data.path, "demo.json"), "utf8"));
    organization = demo.organization;
    token = demo.tokens.live;
    note = await rest("POST", "/notes", { text: "Call Acme", remind_at: "2026-01-01T00:00:00Z" });
  }, PATIENCE);
  afterAll(async () => {
    await endPrograms();
    data.remove();
  });

  async function rest(method: string, url: string, body?: object): Promise<Answer> {
    const response = await fetch(`${base}/api/v1${url}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { "content-type": "application/json" } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    expect(response.ok, `${method} ${url}: ${response.status}`).toBe(true);
    return (await response.json()) as Answer;
  }
  async function graphql(query: string): Promise<unknown> {
    const response = await fetch(`${base}/graphql`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ query }),
    });
    return response.json();
  }

  test("its table holds the note, and five operations answer in REST and GraphQL", async () => {
    expect(await rest("GET", `/notes/${note.id}`)).toMatchObject({ id: note.id, text: "Call Acme" });
    expect(await rest("PATCH", `/notes/${note.id}`, { text: "Write to Acme" })).toMatchObject({ id: note.id });
    expect(await rest("GET", "/notes")).toMatchObject({ items: [{ id: note.id, text: "Write to Acme" }] });
    expect(await rest("POST", `/notes/${note.id}/archive`)).toMatchObject({ id: note.id });
    const change = `mutation { changeNote(input: {id: "${note.id}", text: "Call again"}) { note { text } } }`;
    expect(await graphql(change)).toEqual({ data: { changeNote: { note: { text: "Call again" } } } });
    expect(await graphql("{ notes { nodes { id text } } }")).toEqual({
      data: { notes: { nodes: [{ id: note.id, text: "Call again" }] } },
    });
  });

  test("its kind of event is reported", async () => {
    const { items } = await rest("GET", "/events?type=note.created");
    expect(items).toMatchObject([{ resource_id: note.id, data: { text: "Call Acme" } }]);
  });

  test("its job runs, and its mail is sent", async () => {
    const reminders = async () => (await rest("GET", "/reminders")).items;
    await expect.poll(reminders).toMatchObject([{ note_id: note.id }]);
    const inbox = async () => (await fetch(`${base}/dev/inbox`)).text();
    await expect.poll(inbox).toContain("A note of Demo Organization is due");
  });

  test("its setting is read", async () => {
    expect(await graphql("{ noteLimit }")).toEqual({ data: { noteLimit: MOST } });
  });

  test("its metric counts", async () => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const files = async () =>
      parseExposition(await (await fetch(`${base}/metrics`, { headers })).text()).value("selo_note_files_total");
    const before = await files();
    const form = new FormData();
    form.set("file", new Blob(["kept"]), "kept.txt");
    const kept = await fetch(`${base}/api/v1/notes/${note.id}/file`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    expect(kept.status).toBe(200);
    expect(await files()).toBe(before + 1);
  });

  test("an analyst reads its view", async () => {
    const create = ["analyst", "create", "--org", organization.id, "--env", "live"];
    const { url } = await seloJson<{ readonly url: string }>(create, environment, added.root);
    const analyst = new pg.Client({ connectionString: url });
    await analyst.connect();
    const { rows } = await analyst.query("select notes::integer, reminded::integer from notes_per_day");
    await analyst.end();
    expect(rows).toEqual([{ notes: 1, reminded: 1 }]);
  });

  test("its command runs", async () => {
    const counts = await seloJson(["note", "count"], environment, added.root);
    expect(counts).toEqual([
      { environment: "live", notes: 1 },
      { environment: "test", notes: 0 },
    ]);
  });
});

/** Lets the copy have the pages of this checkout for its own: their build takes as long as all else here. */
function keepPages(root: string): void {
  fs.cpSync(webAppFolder(), webAppFolder(root), { recursive: true });
  fs.writeFileSync(path.join(webAppFolder(root), "stamp"), sourcesHash(root));
}

/** The files that the programs need of what `npm run generate` writes. */
async function generateFromCatalog(root: string): Promise<void> {
  const database = await createTestDatabase();
  try {
    const source = readSqlSource(undefined, path.join(root, "sql"));
    await migrate({ adminUrl: database.adminUrl, serviceUrls: [], source });
    for (const [file, text] of await generateFiles(database.adminUrl)) fs.writeFileSync(path.join(root, file), text);
  } finally {
    await database.drop();
  }
}
