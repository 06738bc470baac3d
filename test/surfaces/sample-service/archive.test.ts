// Prepare → act → record: archiveNote reads words, compresses them outside of any transaction, and records the file.
import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { answered, graphql } from "../../support/graphql-client.ts";
import { call, expectError } from "../../support/rest-client.ts";
import { brotli } from "./compress.ts";
import { withCompress } from "./with-compress.ts";

const UNKNOWN = "0197a0c0-0000-7000-8000-000000000000";

/** Acts that have begun, and what they wait for. */
let begun = 0;
let released = Promise.resolve();

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  const services = withCompress(async (text) => {
    begun += 1;
    await released;
    return brotli(text);
  });
  selo = await startTestGateway({}, { services });
  organization = await selo.newOrganization();
});
afterAll(() => selo?.stop());
beforeEach(() => {
  begun = 0;
  released = Promise.resolve();
});

const ask = (method: string, path: string, request: Parameters<typeof call>[3] = {}) =>
  call(selo, method, path, { token: organization.live, ...request });
const create = async (text: string): Promise<string> => (await ask("POST", "/notes", { body: { text } })).body.id;
const archivedText = async (id: string) =>
  brotliDecompressSync((await ask("GET", `/notes/${id}/file`)).bytes).toString("utf8");
/** How many events tell of a file of this note. */
const recorded = async (id: string) => {
  const { rows } = await selo.database.admin.query<{ count: number }>(
    "select count(*)::integer as count from platform.audit_events where subject_id = $1 and action = 'note.file_attached'",
    [id],
  );
  return rows[0]?.count;
};

/** Lets acts wait until what is returned is called. */
function hold(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  released = promise;
  return resolve;
}

/** Archives a note by either surface. */
const surfaces = {
  REST: async (id: string, key: string) => {
    const { status, headers, body } = await ask("POST", `/notes/${id}/archive`, { key });
    return { status, replayed: headers.get("idempotent-replayed"), id: body.id as string };
  },
  GraphQL: async (id: string, key: string) => {
    const mutation = `mutation { archiveNote(input: {id: "${id}"}) { note { id } } }`;
    const answer = await graphql(selo, organization.live, mutation, undefined, { "idempotency-key": key });
    const { note } = answered<{ readonly note: { readonly id: string } }>(answer, "archiveNote");
    return { status: answer.status, replayed: answer.headers.get("idempotent-replayed"), id: note.id };
  },
};

test("a note is archived: read, compressed and recorded, once for an Idempotency-Key", async () => {
  const id = await create("to be kept");
  const archive = (key: string) => ask("POST", `/notes/${id}/archive`, { key });
  const first = await archive("archive");
  expect(first).toMatchObject({ status: 200, body: { id, file_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } });
  expect(await archivedText(id)).toBe("to be kept");
  // The key is looked up before anything is done, whatever the note says by then.
  await ask("PATCH", `/notes/${id}`, { body: { text: "changed" } });
  const again = await archive("archive");
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(again.body).toEqual(first.body);
  expect(begun).toBe(1);
  expectError(await ask("POST", `/notes/${UNKNOWN}/archive`, { key: "archive" }), 409, "conflict");
  expect(await recorded(id)).toBe(1);
  const mutation = `mutation { archiveNote(input: {id: "${id}"}) { note { id text } } }`;
  expect(answered(await graphql(selo, organization.live, mutation), "archiveNote")).toEqual({
    note: { id, text: "changed" },
  });
  expect(await archivedText(id)).toBe("changed");
});

describe.each(Object.entries(surfaces))("by %s", (surface, archive) => {
  test("two archives at once with one Idempotency-Key record one", async () => {
    const id = await create("twice");
    const release = hold();
    const key = `${surface}-${id}`;
    const answers = Promise.all([archive(id, key), archive(id, key)]);
    // Both have looked for an answer under the key, and neither has recorded one.
    await expect.poll(() => begun).toBe(2);
    release();
    expect(await answers).toEqual(
      expect.arrayContaining([
        { status: 200, replayed: null, id },
        { status: 200, replayed: "true", id },
      ]),
    );
    expect(await recorded(id)).toBe(1);
    expect(await archivedText(id)).toBe("twice");
    // The next one finds the answer before it acts.
    expect(await archive(id, key)).toEqual({ status: 200, replayed: "true", id });
    expect(begun).toBe(2);
  });

  test("no connection of the gateway is in a transaction while TypeScript acts", async () => {
    const id = await create("slowly");
    const release = hold();
    const answer = archive(id, `slowly-${surface}`);
    await expect.poll(() => begun).toBe(1);
    const sessions = async () => {
      const { rows } = await selo.database.admin.query<{ state: string; inTransaction: boolean }>(
        `select state, xact_start is not null or state <> 'idle' as "inTransaction" from pg_stat_activity
         where datname = current_database() and usename = 'selo_app' and backend_type = 'client backend'`,
      );
      return rows;
    };
    try {
      // What held one while it acts would hold it for as long as the test does: a statement of something else ends meanwhile.
      await expect.poll(async () => (await sessions()).filter(({ inTransaction }) => inTransaction)).toEqual([]);
      expect((await sessions()).length).toBeGreaterThan(0);
    } finally {
      release();
    }
    expect(await answer).toEqual({ status: 200, replayed: null, id });
    expect(await recorded(id)).toBe(1);
  });
});
