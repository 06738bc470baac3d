// The sample service beside the product's: all that a service may give is installed, run and checked, and no other file names it.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import { Writable } from "node:stream";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { readConfig } from "../../src/main/config.ts";
import { generateOpenApi } from "../../src/main/generate-openapi.ts";
import { createLogger } from "../../src/main/log.ts";
import { prepareDatabase } from "../../src/main/prepare-database.ts";
import { runCli } from "../../src/main/run-cli.ts";
import { expectedCatalog } from "../../src/postgres/migrate/catalog-dump.ts";
import { reencrypt } from "../../src/services/platform/keys/reencrypt.ts";
import { sealedColumnsOf } from "../../src/services/platform/keys/sealed-columns.ts";
import { services } from "../../src/services/services.ts";
import { examplesOf } from "../../src/surfaces/openapi/examples.ts";
import { apiV1 } from "../../src/surfaces/rest/api-v1.ts";
import { schedule, startWorker } from "../../workers/main.ts";
import { columnEdit } from "../support/column-edit.ts";
import { createDatabaseOf } from "../support/database.ts";
import { Editor } from "../support/editor.ts";
import { parseExposition } from "../support/exposition.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../support/gateway.ts";
import { TEST_MASTER_KEY } from "../support/global-setup.ts";
import { answered, graphql } from "../support/graphql-client.ts";
import { byLane } from "../support/lane.ts";
import { startMailServer } from "../support/mail-servers.ts";
import { masterKeys } from "../support/master-keys.ts";
import { call, countRows, expectError, filePart, multipartBody } from "../support/rest-client.ts";
import { type Edit, whileTampered } from "../support/tamper.ts";
import { verifyAll } from "../support/verify-all.ts";
import { startTestWorker } from "../support/worker.ts";
import { notes } from "./sample-service/service.ts";
import { issueKey, keySurface } from "./sample-service/surface.ts";

/** Columns whose edits are not found, and what one would do. */
const gapOf = (table: string, columns: readonly string[], how: string) =>
  Object.fromEntries(columns.map((column) => [`${table}.${column}`, how]));

const METRICS_TOKEN = "whoever-scrapes-knows-it";
const MOST = 20;
const MOST_BYTES = 1_000;
const PER_MINUTE = 20;
const all = [...services, notes];

describe("at work", () => {
  let selo: TestGateway;
  let mails: Awaited<ReturnType<typeof startMailServer>>;
  let organization: TestOrganization;
  beforeAll(async () => {
    mails = await startMailServer();
    const environment = {
      METRICS_TOKEN,
      NOTES_MOST: String(MOST),
      NOTES_MAX_FILE_BYTES: String(MOST_BYTES),
      SMTP_URL: mails.url,
      PUBLIC_REQUESTS_PER_MINUTE: String(PER_MINUTE),
      TRUST_PROXY: "1",
    };
    selo = await startTestGateway(environment, { services: all });
    organization = await selo.newOrganization({ email: "ana@example.com" });
  });
  afterAll(async () => {
    await selo?.stop();
    await mails?.close();
  });

  const ask = (method: string, path: string, request: Parameters<typeof call>[3] = {}) =>
    call(selo, method, path, { token: organization.live, ...request });
  const create = async (body: object) => (await ask("POST", "/notes", { body })).body;
  const upload = (id: string, content: string, key?: string, kind: "file" | "recording" = "file") => {
    const { bytes, headers } = multipartBody([filePart(content)]);
    return ask("POST", `/notes/${id}/${kind}`, { body: bytes, headers, key });
  };
  /** What the command line prints, as whoever runs the deployment; what it says when it fails. */
  async function cli(...words: string[]): Promise<string> {
    vi.stubEnv("SELO_MASTER_KEY", TEST_MASTER_KEY);
    vi.stubEnv("DATABASE_URL", selo.database.adminUrl);
    const said: unknown[] = [];
    const spies = (["log", "error"] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation((line) => void said.push(line)),
    );
    try {
      await runCli(all, words);
      return said.join("\n");
    } finally {
      for (const spy of spies) spy.mockRestore();
      vi.unstubAllEnvs();
    }
  }
  const createKey = async (tenantId: string, environment: "live" | "test") =>
    JSON.parse(
      await cli("note", "key", "create", "--org", tenantId, "--env", environment, "--name", "Reader", "--json"),
    ) as { readonly id: string; readonly key: string };
  const faults = async (structure = expectedCatalog(all)) =>
    (await verifyAll(selo.operator, { services: all, structure })).faults.map(({ fault }) => fault);
  /** Where the service's own login connects. */
  function loginUrl(password: string): string {
    const url = new URL(selo.database.adminUrl);
    Object.assign(url, { username: "selo_notes", password });
    return url.href;
  }
  const scrape = async () => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    return parseExposition(await (await fetch(`${selo.baseUrl}/metrics`, { headers })).text());
  };

  test("REST makes a note, reads it and lists it; an event tells of it", async () => {
    const made = await ask("POST", "/notes", { body: { text: "Call Acme" }, key: "once" });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: expect.any(String),
      text: "Call Acme",
      file_sha256: null,
      has_words: false,
      remind_at: null,
      reminded_at: null,
      created_at: expect.any(String),
    });
    const again = await ask("POST", "/notes", { body: { text: "Call Acme" }, key: "once" });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.body).toEqual(made.body);
    expect((await ask("GET", `/notes/${made.body.id}`)).body).toEqual(made.body);
    expect((await ask("GET", "/notes")).body).toMatchObject({ items: [made.body], total: 1 });
    const [event] = (await ask("GET", "/events?type=note.created")).body.items;
    expect(event).toMatchObject({ resource_id: made.body.id, data: { text: "Call Acme" } });
  });

  test("REST refuses what is no note, and more notes than the setting says", async () => {
    expectError(await ask("POST", "/notes", { body: { text: "" } }), 422, "invalid_request", ["text"]);
    expectError(await ask("GET", "/notes/0197a0c0-0000-7000-8000-000000000000"), 404, "not_found");
    const full = await selo.newOrganization();
    const answers = [];
    for (let made = 0; made <= MOST; made++)
      answers.push(await ask("POST", "/notes", { token: full.live, body: { text: "x" } }));
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(MOST).fill(201), 409]);
  });

  test("a note is changed, in REST and GraphQL alike, and the audit trail says so", async () => {
    const { id } = await create({ text: "a" });
    expect((await ask("PATCH", `/notes/${id}`, { body: { text: "b" } })).body).toMatchObject({ id, text: "b" });
    const mutation = `mutation { changeNote(input: {id: "${id}", text: "c"}) { note { text } } }`;
    const changed = await graphql(selo, organization.live, mutation);
    expect(answered(changed, "changeNote")).toEqual({ note: { text: "c" } });
    expectError(await ask("PATCH", `/notes/${id}`, { body: { text: "" } }), 422, "invalid_request", ["text"]);
    const { rows } = await selo.database.admin.query(
      "select action, channel from platform.audit_events where subject_id = $1 order by seq",
      [id],
    );
    expect(rows).toEqual([
      { action: "note.created", channel: "rest" },
      { action: "note.changed", channel: "rest" },
      { action: "note.changed", channel: "graphql" },
    ]);
  });

  test("a reminder is cleared, in REST and GraphQL alike", async () => {
    for (const clear of [
      (id: string) => ask("POST", `/notes/${id}/clear-reminder`),
      (id: string) =>
        graphql(selo, organization.live, `mutation { clearReminder(input: {id: "${id}"}) { note { remindAt } } }`),
    ]) {
      const { id } = await create({ text: "later", remind_at: "2030-01-01T09:00:00Z" });
      expect((await clear(id)).status).toBe(200);
      expect((await ask("GET", `/notes/${id}`)).body).toMatchObject({ remind_at: null });
    }
  });

  test("GraphQL has notes and createNote from SQL alone", async () => {
    const made = await graphql(
      selo,
      organization.test,
      `mutation { createNote(input: {text: "by GraphQL"}) { note { id text hasWords } } }`,
    );
    const { note } = answered<{ note: { id: string } }>(made, "createNote");
    expect(note).toMatchObject({ text: "by GraphQL", hasWords: false });
    const read = await graphql(selo, organization.test, "{ notes { nodes { id } } }");
    expect(answered(read, "notes")).toEqual({ nodes: [{ id: note.id }] });
    const refused = await graphql(
      selo,
      organization.test,
      `mutation { createNote(input: {text: ""}) { note { id } } }`,
    );
    expect(refused.errors[0]?.extensions).toMatchObject({ code: "invalid_request", fields: [{ field: "text" }] });
  });

  test("a file is kept with its digest, and counted once; a file over the limit is refused", async () => {
    const { id } = await create({ text: "with a file" });
    const before = (await scrape()).value("selo_note_files_total");
    const attached = await upload(id, "A\n", "once-a-file");
    expect((await upload(id, "La\n", undefined, "recording")).status).toBe(201);
    await upload(id, "A\n", "once-a-file");
    expect(attached.body.file_sha256).toBe(createHash("sha256").update("A\n").digest("hex"));
    expect((await scrape()).value("selo_note_files_total")).toBe(before + 1);
    expectError(await upload(id, "A".repeat(MOST_BYTES + 1)), 413, "too_large");
    expectError(await ask("POST", `/notes/${id}/file`), 422, "invalid_request", ["file"]);
  });

  test("anyone may ask a query whose command asks no scope; it is counted for the address even with a token", async () => {
    const from = { "x-forwarded-for": "198.51.100.7" };
    const byToken = (query: string) => graphql(selo, organization.live, query, undefined, from);
    const times = (field: string, count: number) =>
      `{ ${Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(" ")} }`;
    const open = await graphql(selo, null, "{ noteLimit }", undefined, { "x-forwarded-for": "198.51.100.8" });
    expect(open.data).toEqual({ noteLimit: MOST });
    expect((await byToken(times("noteLimit", PER_MINUTE))).status).toBe(200);
    const refused = await byToken("{ noteLimit }");
    expect([refused.status, refused.errors[0]?.extensions.code]).toEqual([429, "rate_limited"]);
  });

  test("the isolation matrix counts its rows", async () => {
    const before = await countRows(selo);
    await create({ text: "counted" });
    const after = await countRows(selo);
    expect(after["notes.notes"]).toBe(Number(before["notes.notes"]) + 1);
    expect(Object.keys(after).filter((name) => name.startsWith("notes"))).toEqual([
      "notes.keys",
      "notes.notes",
      "notes.reminders",
      "notes_figures.counts",
    ]);
  });

  test("all notes are streamed, a line each, to whoever may read them", async () => {
    const { id } = await selo.newOrganization();
    const token = (await selo.operator.createToken(id, "live", "reader", ["notes:read"])).token;
    await selo.database.admin.query(
      `insert into notes.notes (tenant_id, environment, text) select $1, 'live', number::text from generate_series(1, 450) as number`,
      [id],
    );
    const answer = await ask("GET", "/notes/export", { token });
    expect(answer.headers.get("content-type")).toBe("application/x-ndjson");
    expect(answer.headers.get("transfer-encoding")).toBe("chunked");
    const texts = answer.text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).text);
    expect(texts.sort()).toEqual(Array.from({ length: 450 }, (_, number) => String(number + 1)).sort());
    await selo.database.admin.query("delete from notes.notes where tenant_id = $1", [id]);
    const other = (await selo.operator.createToken(id, "live", "writer", ["notes:write"])).token;
    expectError(await ask("GET", "/notes/export", { token: other }), 403, "missing_scope");
    expectError(await ask("GET", "/notes/export", { token: null }), 401, "unauthenticated");
  });

  test("keys read notes of their organization and environment on their own surface, until they are revoked", async () => {
    const { id, key } = await createKey(organization.id, "live");
    const stranger = await createKey((await selo.newOrganization()).id, "live");
    const sandbox = await createKey(organization.id, "test");
    const writer = { tenantId: organization.id, environment: "live", scopes: ["notes:write"] } as const;
    const without = await issueKey(selo.operator, writer, "Writer");
    const byKey = (path: string, own: string) =>
      call(selo, "GET", path, { prefix: keySurface.prefix, headers: { "x-note-key": own } });
    const note = await create({ text: "by key" });
    expect((await byKey(`/notes/${note.id}`, key)).body).toEqual(note);
    const list = await byKey("/notes?limit=1", key);
    expect(list.body).toEqual([note]);
    expect(Number(list.headers.get("x-total-count"))).toBeGreaterThan(1);
    for (const apart of [stranger, sandbox]) {
      const answer = await byKey(`/notes/${note.id}`, apart.key);
      const request_id = answer.headers.get("x-request-id");
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({ error: "not_found", message: "There is no such note.", request_id });
      expect((await byKey("/notes", apart.key)).text).not.toContain(note.id);
    }
    expect((await byKey("/notes", without.key)).body).toMatchObject({ error: "missing_scope" });
    // A key is no token, and a token no key.
    expectError(await ask("GET", "/notes", { token: key }), 401, "unauthenticated");
    expect((await byKey("/notes", organization.live)).status).toBe(401);
    // An identifier alone revokes nothing of another environment.
    const revoke = (environment: string) =>
      cli("note", "key", "revoke", id, "--org", organization.id, "--env", environment);
    expect(await revoke("test")).toContain("There is no such key.");
    expect(process.exitCode).toBe(1);
    process.exitCode = undefined;
    expect((await byKey("/notes", key)).status).toBe(200);
    expect(await revoke("live")).toBe("The key is refused from now on.");
    const refused = await byKey("/notes", key);
    expect(refused.headers.get("www-authenticate")).toBe("Key");
    expect(refused.body).toMatchObject({ error: "unauthenticated" });
    const { rows } = await selo.database.admin.query(
      "select action, channel from platform.audit_events where subject_id = $1 order by seq",
      [id],
    );
    expect(rows).toEqual([
      { action: "api_key.created", channel: "cli" },
      { action: "api_key.revoked", channel: "cli" },
    ]);
  });

  test("selo note key create shows the key once, and the database does not hold it", async () => {
    const printed = await cli("note", "key", "create", "--org", organization.id, "--env", "live", "--name", "Shown");
    const [, key = "", id = ""] =
      /^(note_\S+)\n\nThis is the only time the key is shown\. Its id is (\S+)\.$/.exec(printed) ?? [];
    const { rows } = await selo.database.admin.query(
      `select key.name, credential.digest, credential.scopes from notes.keys as key
       join platform.credentials as credential on credential.actor_id = key.id where key.id = $1`,
      [id],
    );
    const sha256 = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest();
    expect(rows).toEqual([{ name: "Shown", digest: sha256(sha256(key)), scopes: ["notes:read"] }]);
  });

  test("words are sealed in the database, opened by GraphQL, and sealed anew when the master key is replaced", async () => {
    const { id } = await create({ text: "with words" });
    const sealed = async () => {
      const { rows } = await selo.database.admin.query("select sealed_words from notes.notes where id = $1", [id]);
      return rows[0].sealed_words as Buffer;
    };
    expect((await ask("PUT", `/notes/${id}/words`, { body: { words: "between us" } })).body.has_words).toBe(true);
    const first = await sealed();
    expect(first.includes("between us")).toBe(false);
    await reencrypt(selo.operator, masterKeys, await sealedColumnsOf(all));
    const read = await graphql(selo, organization.live, `{ noteWords(id: "${id}") }`);
    expect(answered(read, "noteWords")).toBe("between us");
    // A query of GraphQL alone shows its example where there is no path that would.
    const described = await graphql(
      selo,
      organization.live,
      '{ __type(name: "Query") { fields { name description } } }',
    );
    const { fields } = answered<{ readonly fields: readonly { name: string; description: string }[] }>(
      described,
      "__type",
    );
    expect(fields.find(({ name }) => name === "noteWords")?.description).toMatch(
      /^The sealed words of a note; null without any\.\n\n```graphql\nquery \(\$id: ID!\) \{ noteWords\(id: \$id\) \}\n```\n\n```json\n/,
    );
    const columns = await sealedColumnsOf(all);
    expect(columns.map(({ table }) => table)).toContain("notes.notes");
  });

  test("the worker reminds of a note once, by mail, and its queue stands in /metrics", async () => {
    const worker = await startTestWorker(selo);
    try {
      const { id } = await create({ text: "due now", remind_at: "2026-01-01T00:00:00Z" });
      const reminders = async () =>
        (await mails.mails()).filter(({ subject }) => subject === "A note of Test Organization is due");
      await vi.waitFor(async () => expect(await reminders()).toHaveLength(1), 30_000);
      const [mail] = await reminders();
      expect(mail?.text).toContain("due now");
      expect((await ask("GET", `/notes/${id}`)).body.reminded_at).not.toBeNull();
      const { items } = (await ask("GET", "/reminders")).body;
      expect(items).toEqual([{ id: expect.any(String), note_id: id, sent_at: expect.any(String) }]);
      expect((await ask("GET", `/reminders/${items[0].id}`)).body).toEqual(items[0]);
      expect((await scrape()).has("selo_due_notes", { state: "waiting" })).toBe(true);
      const { rows } = await selo.database.admin.query("select gateway.queue_states() as states");
      expect(Object.keys(rows[0].states).sort()).toEqual([
        "due_notes",
        "jobs",
        "unverified_proofs",
        "unverified_records",
        "webhook_deliveries",
      ]);
    } finally {
      await worker.stop();
    }
  });

  test("a job over all tenants sends the reminders whose own jobs are lost", async () => {
    const others = await selo.newOrganization();
    const late = { text: "late", remind_at: "2026-01-01T00:00:00Z" };
    const made = [await create(late), (await ask("POST", "/notes", { body: late, token: others.test })).body];
    await selo.database.admin.query("delete from graphile_worker._private_jobs");
    await selo.database.admin.query("select graphile_worker.add_job('notes__catch_up')");
    const worker = await startTestWorker(selo);
    try {
      const reminded = "select id from notes.notes where text = 'late' and reminded_at is not null order by id";
      const read = async () => (await selo.database.admin.query(reminded)).rows;
      await vi.waitFor(async () => expect(await read()).toEqual(made.map(({ id }) => ({ id }))), 30_000);
    } finally {
      await worker.stop();
    }
    expect(schedule(all, selo.config).map(({ task }) => task)).toContain("notes__catch_up");
  });

  test("what runs beside the jobs sounds the alarm of late reminders once, and ends with the worker", async () => {
    const logged: string[] = [];
    const sink = new Writable({ write: (chunk, _encoding, done) => done(void logged.push(String(chunk))) });
    const { id } = await create({ text: "late", remind_at: new Date(Date.now() - 120_000).toISOString() });
    await selo.database.admin.query("delete from graphile_worker._private_jobs");
    const worker = await startWorker({
      services: all,
      config: selo.config,
      databaseUrl: selo.database.workerUrl,
      masterKeys,
      log: createLogger("error", sink),
    });
    const alarms = () => logged.filter((line) => line.includes('"alarm":"reminders_are_late"'));
    await vi.waitFor(() => expect(alarms()).toHaveLength(1), 30_000);
    await new Promise((later) => setTimeout(later, 2_500));
    await worker.stop();
    expect(alarms()).toHaveLength(1);
    await selo.database.admin.query("select jobs.call($1, 'live', 'remind', $2)", [organization.id, { id }]);
  });

  test("selo note count counts for whoever runs the deployment, and for the login of the service", async () => {
    const counts = JSON.parse(await cli("note", "count", "--json")) as { environment: string; notes: string }[];
    const { rows } = await selo.database.admin.query<{ environment: string; notes: string }>(
      "select environment, count(*)::text as notes from notes.notes group by 1 order by 1",
    );
    expect(counts.map((count) => ({ ...count, notes: String(count.notes) }))).toEqual(rows);
    // The password that the setting names is set when the database is prepared.
    const config = readConfig({ ...selo.config.environment, NOTES_DATABASE_URL: loginUrl("of the login") }, all);
    await prepareDatabase(config, { ...selo.database, description: "", close: async () => {} }, () => {}, all);
    const stranger = new pg.Client({ connectionString: loginUrl("another") });
    await expect(stranger.connect()).rejects.toMatchObject({ code: "28P01" });
    const login = new pg.Client({ connectionString: loginUrl("of the login") });
    await login.connect();
    try {
      const counted = await login.query("select environment, notes::text from notes_figures.counts order by 1");
      expect(counted.rows).toEqual(rows);
      const total = rows.reduce((sum, { notes }) => sum + Number(notes), 0);
      expect((await login.query("select gateway.note_figures()::integer as notes")).rows).toEqual([{ notes: total }]);
      for (const refused of [
        "select id from notes.notes",
        "select id from api.notes",
        "select notes.count_notes()",
        "select gateway.queue_states()",
      ])
        await expect(login.query(refused), refused).rejects.toMatchObject({ code: "42501" });
    } finally {
      await login.end();
    }
  });

  test("selo audit verify finds nothing amiss, and without the service what Selo does not make", async () => {
    expect(await faults()).toEqual([]);
    const { faults: outside } = await verifyAll(selo.operator, { services: all, structure: expectedCatalog() });
    expect(outside.map(({ fault }) => fault)).toContain("not made by Selo: create schema notes;");
  });

  test("selo audit verify finds an edit of each column that audit_coverage says it finds, and of the others none", async () => {
    const { admin } = selo.database;
    const { rows: columns } = await admin.query<{ table: string; column: string; type: string; required: boolean }>(
      `select relation.oid::regclass::text as table, attname::text as column, format_type(atttypid, null) as type, attnotnull as required
       from pg_class as relation join pg_attribute on attrelid = relation.oid and attnum > 0 and not attisdropped
       where relkind = 'r' and relnamespace in ('notes'::regnamespace, 'notes_figures'::regnamespace) order by 1, attnum`,
    );
    const { rows: coverage } = await admin.query<{ name: string; check: string | null; how: string }>(
      `select table_name || '.' || column_name as name, check_name as check, how from notes.audit_coverage()`,
    );
    expect(coverage.map(({ name }) => name).sort()).toEqual(
      columns.map(({ table, column }) => `${table}.${column}`).sort(),
    );
    const gaps = coverage.filter(({ check }) => check === null);
    expect(Object.fromEntries(gaps.map(({ name, how }) => [name, how]))).toEqual({
      ...gapOf(
        "notes.notes",
        ["sealed_words"],
        "other words of the note are shown, or none open: a new master key seals them anew",
      ),
      ...gapOf("notes.notes", ["reminded_at"], "the organization is reminded of a note again, or not at all"),
      ...gapOf(
        "notes.reminders",
        ["tenant_id", "id", "environment", "note_id", "sent_at"],
        "the list shows another reminder; what was sent, the event of the note says",
      ),
      ...gapOf(
        "notes_figures.counts",
        ["environment", "notes", "counted_at"],
        "a figure is wrong until it is counted anew",
      ),
    });
    const wrong: string[] = [];
    const editor = await Editor.open(selo.database);
    const unfound: Edit[] = [];
    for (const { table, column, type, required } of columns) {
      const name = `${table}.${column}`;
      const check = coverage.find((covered) => covered.name === name)?.check ?? null;
      for (const value of [columnEdit(column, type), ...(required || check === null ? [] : ["null"])]) {
        const one = `ctid = (select ctid from ${table} where ${column}::text not in ('', '\\x') order by ctid limit 1)`;
        const edit: Edit = [`update ${table} set ${column} = ${value} where ${one}`, []];
        if (check === null) unfound.push(edit);
        else if (!(await editor.foundBy(check, edit)).some(({ check_name }) => check_name === check))
          wrong.push(`${name} = ${value}`);
      }
    }
    editor.close();
    expect(wrong).toEqual([]);
    const tables = [...new Set(gaps.map(({ name }) => name.replace(/\.\w+$/, "")))];
    expect(await whileTampered(selo.database, tables, unfound, faults)).toEqual([]);
    await admin.query(
      "update platform.credentials set revoked_at = null where kind = 'api_key' and revoked_at is not null",
    );
    expect(await faults()).toEqual(["the api_key differs from what was recorded"]);
  });
});

/**
 * The product's services with the request of a stranger as the only example of each path. openapi.test.ts makes the requests of all examples,
 * and sample-service.full.test.ts makes them beside those of the sample.
 */
const withFewExamples = await Promise.all(
  services.map(async (service): Promise<(typeof services)[number]> => {
    const names = new Set((await examplesOf([service])).map(({ operation }) => operation));
    const few = [...names].map((operation) => ({
      operation,
      name: "stranger",
      summary: "By a stranger",
      caller: "anyone" as const,
    }));
    return {
      ...service,
      operations: (service.operations ?? []).map((operation) => ({ ...operation, examples: [] })),
      examples: async () => few,
    };
  }),
);

test("the OpenAPI document has its paths, with the answers that a gateway gave", async () => {
  const database = await createDatabaseOf(all);
  try {
    // The document is made with a master key of its own, which opens nothing of the copied database.
    await database.admin.query(
      "begin; set local session_replication_role = replica; delete from platform.platform_keys; delete from platform.seal_certificates; commit",
    );
    const databases = { ...database, description: "", close: async () => {} };
    const described = [...byLane({ lane: withFewExamples, full: services }), notes];
    const texts = await generateOpenApi(databases, "0.0.0-test", () => null, described);
    const document = JSON.parse(texts.get(apiV1.document.file) ?? "");
    const paths = Object.keys(document.paths).filter((path) => path.startsWith("/notes"));
    expect(paths.sort()).toEqual([
      "/notes",
      "/notes/{id}",
      "/notes/{id}/archive",
      "/notes/{id}/clear-reminder",
      "/notes/{id}/file",
      "/notes/{id}/recording",
      "/notes/{id}/words",
    ]);
    const { examples } = document.paths["/notes"].post.responses["201"].content["application/json"];
    expect(Object.values(examples)).toMatchObject([{ summary: "A note", value: { text: "Call Acme" } }]);
    const download = document.paths["/notes/{id}/file"].get.responses;
    expect(Object.keys(download["200"].content)).toEqual(["application/octet-stream"]);
    expect(download).toHaveProperty("416");
    const byKey = JSON.parse(texts.get(keySurface.document.file) ?? "");
    expect(Object.keys(byKey.paths)).toEqual(["/notes", "/notes/{id}"]);
    expect(byKey.components.securitySchemes).toHaveProperty("key");
    const form = document.paths["/notes/{id}/recording"].post.requestBody.content;
    expect(Object.keys(form)).toEqual(["multipart/form-data"]);
    const { properties, required } = document.components.schemas.KeepRecordingForm;
    expect(Object.keys(properties)).toEqual(["file", "title"]);
    expect([required, properties.file.format, properties.title.maxLength]).toEqual([["file"], "binary", 200]);
    expect(document.components.schemas.Reminder.properties).toHaveProperty("note_id");
    expect(document.components.schemas.Note.properties).toHaveProperty("has_words");
  } finally {
    await database.drop();
  }
});

test("its README names each of its files and folders, and none that is not there", () => {
  const folder = new URL("sample-service/", import.meta.url);
  const named = [...fs.readFileSync(new URL("README.md", folder), "utf8").matchAll(/^\| \d+ \| (.+?) \|/gm)].flatMap(
    ([, files = ""]) => [...files.matchAll(/`((?:[\w-]+[/.])+(?:\w+)?)`/g)].map(([, name]) => name),
  );
  const there = (directory: string) =>
    fs
      .readdirSync(new URL(directory, folder), { withFileTypes: true })
      .map((entry) => `${directory}${entry.name}${entry.isDirectory() ? "/" : ""}`);
  const files = [...there("").filter((name) => name !== "sql/" && name !== "README.md"), ...there("sql/")];
  expect([...new Set(named)].sort()).toEqual(files.sort());
});

test("no file of the product names it", async (context) => {
  const run = promisify(execFile);
  const root = new URL("../..", import.meta.url);
  const isCheckout = await run("git", ["rev-parse"], { cwd: root }).then(
    () => true,
    () => false,
  );
  if (!isCheckout) return context.skip("there is no git checkout here");
  const grep = run("git", ["grep", "-il", "notes", "--", "src", "sql", "workers", "test/support"], { cwd: root });
  // It ends with 1 where it finds nothing.
  await expect(grep).rejects.toMatchObject({ code: 1, stdout: "" });
});
