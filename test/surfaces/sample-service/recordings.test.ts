// A file that is stored while it arrives: what is kept of it, and that nothing is when the request fails.
import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs/promises";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { FolderStore } from "../../../src/adapters/storage/folder-store.ts";
import { StorageError } from "../../../src/adapters/storage/object-store.ts";
import { services } from "../../../src/services/services.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { type GraphqlAnswer, post } from "../../support/graphql-client.ts";
import { call, expectError, filePart, multipartBody, type RestResponse, textPart } from "../../support/rest-client.ts";
import { KEEP_RECORDING, uploadForm } from "./isolation.ts";
import { notes } from "./service.ts";

const MOST_BYTES = 3_000_000;
const digestOf = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex");
const faults: Readonly<Record<string, Error>> = {
  full: new StorageError("full", "the storage is full (ENOSPC)"),
  away: new StorageError("away", "the storage cannot be used (EIO)"),
};

let folder: string;
let store: FolderStore;
/** How often somebody began to write. */
let begun = 0;
/** What writing fails with once the content has arrived; null: nothing. */
let fault: Error | null = null;
let selo: TestGateway;
let organization: TestOrganization;
let id: string;

beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), "selo-recordings-"));
  store = await FolderStore.prepare(folder);
  const { write } = FolderStore.prototype;
  vi.spyOn(FolderStore.prototype, "write").mockImplementation(function (this: FolderStore, object, content) {
    begun += 1;
    return write.call(this, object, failing(content));
  });
  const settings = { NOTES_MAX_FILE_BYTES: String(MOST_BYTES), STORAGE_FOLDER: folder };
  selo = await startTestGateway(settings, { services: [...services, notes] });
  organization = await selo.newOrganization();
});
afterAll(async () => {
  await selo?.stop();
  vi.restoreAllMocks();
  await fs.rm(folder, { recursive: true });
});
beforeEach(async () => {
  fault = null;
  id = await newNote();
  for await (const object of store.list()) await store.remove(object.id);
  begun = 0;
});

async function* failing(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* content;
  if (fault !== null) throw fault;
}

const ask = (method: string, path: string, request: Parameters<typeof call>[3] = {}) =>
  call(selo, method, path, { token: organization.live, ...request });
const newNote = async (): Promise<string> => (await ask("POST", "/notes", { body: { text: "recorded" } })).body.id;
type Part = Parameters<typeof multipartBody>[0][number];
const send = (parts: readonly Part[], { key, token, cut }: { key?: string; token?: string; cut?: number } = {}) => {
  const { bytes, headers } = multipartBody(parts);
  const body = cut === undefined ? bytes : bytes.subarray(0, -cut);
  return ask("POST", `/notes/${id}/recording`, { body, headers, key, token: token ?? organization.live });
};
const sendByGraphql = (
  content: string | Uint8Array<ArrayBuffer>,
  { key, token }: { key?: string; token?: string } = {},
) =>
  post(
    selo,
    token ?? organization.live,
    uploadForm(id, new Blob([content]), KEEP_RECORDING),
    key === undefined ? {} : { "idempotency-key": key },
  );

/** Every file of the storage, those that are being written too. */
async function files(): Promise<string[]> {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}
/** The recording that the note names. */
async function named(): Promise<{ readonly id: string | null; readonly sha256: string | null }> {
  const { rows } = await selo.database.admin.query(
    "select recording_object_id as id, encode(recording_sha256, 'hex') as sha256 from notes.notes where id = $1",
    [id],
  );
  return rows[0];
}
/** The storage has this one recording, which the note names. */
async function expectKept(content: string | Uint8Array): Promise<void> {
  const recording = await named();
  expect(recording.sha256).toBe(digestOf(content));
  expect(await files()).toEqual([recording.id]);
}
async function expectNothing(): Promise<void> {
  expect(await named()).toEqual({ id: null, sha256: null });
  expect(await files()).toEqual([]);
}

/** By either surface: the status, the code of the error, whether it was replayed. */
const outcome = (answer: RestResponse | GraphqlAnswer) => ({
  status: answer.status,
  code: "errors" in answer ? answer.errors[0]?.extensions.code : answer.body?.detail?.code,
  replayed: answer.headers.get("idempotent-replayed") === "true",
});
const good = (status: number, replayed = false) => ({ status, code: undefined, replayed });
const bad = (status: number, code: string) => ({ status, code, replayed: false });

describe.each([
  ["REST", 201, (content: Uint8Array<ArrayBuffer>, options = {}) => send([filePart(content)], options)],
  ["GraphQL", 200, sendByGraphql],
] as const)(
  "by %s",
  (surface, success, upload: (
    content: Uint8Array<ArrayBuffer>,
    options?: { key?: string; token?: string },
  ) => Promise<RestResponse | GraphqlAnswer>) => {
    const content = new Uint8Array(randomBytes(400_000));

    test("content is stored as it arrives, and named", async () => {
      expect(outcome(await upload(content))).toEqual(good(success));
      await expectKept(content);
    });

    test("content without bytes, and of exactly the largest size, is stored", async () => {
      expect(outcome(await upload(new Uint8Array()))).toEqual(good(success));
      await expectKept("");
      id = await newNote();
      expect(outcome(await upload(new Uint8Array(MOST_BYTES)))).toEqual(good(success));
      expect((await named()).sha256).toBe(digestOf(new Uint8Array(MOST_BYTES)));
    });

    test("a file too large is 413, and nothing is kept", async () => {
      expect(outcome(await upload(new Uint8Array(MOST_BYTES + 1)))).toEqual(bad(413, "too_large"));
      expect(outcome(await upload(new Uint8Array(MOST_BYTES * 2)))).toEqual(bad(413, "too_large"));
      await expectNothing();
    });

    test("repeated with its Idempotency-Key, it is answered once and stored once: the repeated content is discarded", async () => {
      const key = `recording-${surface}`;
      expect(outcome(await upload(content, { key }))).toEqual(good(success));
      expect(outcome(await upload(content, { key }))).toEqual(good(success, true));
      expect(begun).toBe(2);
      await expectKept(content);
      expect(outcome(await upload(new Uint8Array(5), { key }))).toEqual(bad(409, "conflict"));
      await expectKept(content);
    });

    test("what the operation refuses is removed again", async () => {
      expect(outcome(await upload(content))).toEqual(good(success));
      expect(outcome(await upload(new Uint8Array(9)))).toEqual(bad(409, "conflict"));
      expect(begun).toBe(2);
      await expectKept(content);
    });

    test.each(["full", "away"])("a storage that is %s is 503 unavailable, and nothing is kept", async (reason) => {
      fault = faults[reason] ?? null;
      const answer = await upload(content);
      expect(outcome(answer)).toEqual(bad(503, "unavailable"));
      expect(JSON.stringify("errors" in answer ? answer.errors : answer.body)).not.toMatch(
        /ENOSPC|EIO|selo-recordings/,
      );
      expect(begun).toBe(1);
      await expectNothing();
      fault = null;
      expect(outcome(await upload(content))).toEqual(good(success));
    });

    test("a fault of ours is 500, and nothing is kept", async () => {
      fault = new TypeError("a fault of ours");
      expect(outcome(await upload(content))).toEqual(bad(500, "internal_error"));
      await expectNothing();
    });

    test("a caller without the right is 403 before anything is stored", async () => {
      const token = await organization.token("live", ["notes:read"]);
      expect(outcome(await upload(content, { token }))).toEqual(bad(403, "missing_scope"));
      expect(begun).toBe(0);
    });

    test("after a failure that may hide a commit, the content stays: only a refusal removes it", async () => {
      await selo.database.admin.query(
        "create function notes.lose() returns trigger language plpgsql as $$ begin raise exception 'lost' using errcode = '57P01'; end $$; create trigger lose before update on notes.notes for each row execute function notes.lose()",
      );
      try {
        expect((await upload(content)).status).toBeGreaterThanOrEqual(500);
      } finally {
        await selo.database.admin.query("drop trigger lose on notes.notes; drop function notes.lose()");
      }
      expect(await files()).toHaveLength(1);
    });
  },
);

describe("a form of REST", () => {
  const content = randomBytes(200_000);

  test("with members beside the file, before it or after it", async () => {
    expect((await send([textPart("title", "named"), filePart(content)])).body.text).toBe("named");
    id = await newNote();
    expect((await send([filePart(content), textPart("title", "after")])).body.text).toBe("after");
  });

  test.each<[string, readonly Part[]]>([
    ["a member that it does not take, behind the file", [filePart(content), textPart("color", "red")]],
    ["a member beyond its limit, behind the file", [filePart(content), textPart("title", "x".repeat(201))]],
    ["a second file", [filePart(content), filePart("second")]],
    ["a second file that is larger", [filePart("first"), filePart(content)]],
    ["a file of another name behind the file", [filePart(content), filePart("other", "other.txt", "other")]],
    ["no file", [textPart("title", "alone")]],
  ])("with %s is 422, and nothing is kept", async (_, parts) => {
    expectError(await send(parts), 422, "invalid_request");
    await expectNothing();
    expect(begun).toBeLessThanOrEqual(1);
  });

  test("a name that is not UTF-8 is 400, and nothing is stored", async () => {
    const part = { headers: ['Content-Disposition: form-data; name="file"; filename="\xff.pdf"'], content };
    expectError(await send([part]), 400, "malformed_request");
    expect(begun).toBe(0);
  });

  test.each([5, 20, 100_000])("that ends %i bytes early is 400, and nothing is kept", async (cut) => {
    expectError(await send([filePart(content)], { cut }), 400, "malformed_request");
    await expectNothing();
  });

  test("JSON cannot stand for the content", async () => {
    expectError(await ask("POST", `/notes/${id}/recording`, { body: { title: "x" } }), 422, "invalid_request");
    expect(begun).toBe(0);
  });
});

test.each(["REST", "GraphQL"])("a request by %s that is aborted midway leaves nothing", async (surface) => {
  const request =
    surface === "REST"
      ? { path: `/api/v1/notes/${id}/recording`, ...multipartBody([filePart(randomBytes(1_000_000))]) }
      : await (async () => {
          const form = new Request(selo.baseUrl, {
            method: "POST",
            body: uploadForm(id, new Blob([new Uint8Array(1_000_000)]), KEEP_RECORDING),
          });
          return {
            path: "/graphql",
            bytes: Buffer.from(await form.arrayBuffer()),
            headers: { "content-type": form.headers.get("content-type") ?? "" },
          };
        })();
  const { hostname, port } = new URL(selo.baseUrl);
  const socket = net.connect({ host: hostname, port: Number(port) });
  socket.on("error", () => {});
  const head = [
    `POST ${request.path} HTTP/1.1`,
    `host: ${hostname}`,
    `authorization: Bearer ${organization.live}`,
    `content-type: ${request.headers["content-type"]}`,
    `content-length: ${request.bytes.length}`,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  socket.write(request.bytes.subarray(0, 700_000));
  // What has arrived is being written: beside other files, under its own name.
  await expect.poll(files).toEqual([expect.stringMatching(/\.partial$/)]);
  socket.resetAndDestroy();
  await expect.poll(files).toEqual([]);
  await expectNothing();
});
