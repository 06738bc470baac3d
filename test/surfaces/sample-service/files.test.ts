// The file of a note: uploaded by REST and by GraphQL, downloaded whole or in part.
import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { services } from "../../../src/services/services.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { answered, post } from "../../support/graphql-client.ts";
import { call, expectError, filePart, multipartBody } from "../../support/rest-client.ts";
import { uploadForm } from "./isolation.ts";
import { notes } from "./service.ts";

/** More than the system's buffers of a connection hold. */
const MOST_BYTES = 12_000_000;
let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway({ NOTES_MAX_FILE_BYTES: String(MOST_BYTES) }, { services: [...services, notes] });
  organization = await selo.newOrganization();
});
afterAll(() => selo?.stop());

const ask = (method: string, path: string, request: Parameters<typeof call>[3] = {}) =>
  call(selo, method, path, { token: organization.live, ...request });
const create = async (body: object) => (await ask("POST", "/notes", { body })).body;
const upload = (id: string, content: string | Uint8Array, key?: string) => {
  const { bytes, headers } = multipartBody([filePart(content)]);
  return ask("POST", `/notes/${id}/file`, { body: bytes, headers, key });
};
const download = (id: string, headers: Record<string, string> = {}, method = "GET") =>
  ask(method, `/notes/${id}/file`, { headers });
const uploadByGraphql = (id: string, content: string | Buffer<ArrayBuffer>, headers: Record<string, string> = {}) =>
  post(selo, organization.live, uploadForm(id, new Blob([content])), headers);

test("REST takes a file once for an Idempotency-Key, up to the limit", async () => {
  const { id } = await create({ text: "with a file by REST" });
  for (const replayed of [null, "true"]) {
    const answer = await upload(id, "by REST", "a-file");
    expect(answer.body.file_sha256).toBe(createHash("sha256").update("by REST").digest("hex"));
    expect(answer.headers.get("idempotent-replayed")).toBe(replayed);
  }
  expectError(await upload(id, "another", "a-file"), 409, "conflict");
  expectError(await upload(id, Buffer.alloc(MOST_BYTES + 1)), 413, "too_large");
  expect((await download(id)).text).toBe("by REST");
});

test("a file is downloaded whole or in part, with its length and its digest as ETag", async () => {
  const { id } = await create({ text: "with a file to download" });
  expectError(await download(id), 404, "not_found");
  const file = randomBytes(600_000);
  await upload(id, file);
  const etag = `"${createHash("sha256").update(file).digest("hex")}"`;
  const whole = await download(id);
  expect(whole.status).toBe(200);
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    "content-type": "application/octet-stream",
    "content-length": "600000",
    "content-disposition": `inline; filename="note-${id}.bin"`,
    "accept-ranges": "bytes",
    etag,
  });
  expect(whole.bytes.equals(file)).toBe(true);
  for (const [range, start, end] of [
    // Across pieces that are read one after the other.
    ["bytes=262140-262150", 262_140, 262_150],
    ["bytes=0-0", 0, 0],
    ["bytes=599999-", 599_999, 599_999],
    ["bytes=-300000", 300_000, 599_999],
  ] as const) {
    const part = await download(id, { range, "if-range": etag });
    expect(part.status).toBe(206);
    expect(part.headers.get("content-range")).toBe(`bytes ${start}-${end}/600000`);
    expect(part.headers.get("content-length")).toBe(String(end - start + 1));
    expect(part.bytes.equals(file.subarray(start, end + 1)), range).toBe(true);
  }
  const beyond = await download(id, { range: "bytes=600000-" });
  expectError(beyond, 416, "range_not_satisfiable");
  expect(beyond.headers.get("content-range")).toBe("bytes */600000");
  const head = await download(id, {}, "HEAD");
  expect([head.headers.get("content-length"), head.headers.get("etag"), head.text]).toEqual(["600000", etag, ""]);
  expect((await download(id, { "if-none-match": etag })).status).toBe(304);
  await upload(id, "");
  const other = await download(id, { range: "bytes=0-9", "if-range": etag });
  expect([other.status, other.headers.get("content-length"), other.text]).toEqual([200, "0", ""]);
});

test("a download breaks off when the file is replaced meanwhile: parts of two files are never one answer", async () => {
  const { id } = await create({ text: "with a large file" });
  await upload(id, Buffer.alloc(MOST_BYTES, "A"));
  const headers = { authorization: `Bearer ${organization.live}` };
  const response = await fetch(`${selo.baseUrl}/api/v1/notes/${id}/file`, { headers });
  expect(response.headers.get("content-length")).toBe(String(MOST_BYTES));
  await upload(id, "small");
  const ended = response.arrayBuffer().then(
    () => "whole",
    ({ message }: Error) => message,
  );
  expect(await ended).toBe("terminated");
  expect(selo.logs.join("")).toContain("the file was replaced while it was read");
  expect((await download(id)).text).toBe("small");
});

test("GraphQL takes a file, too, once for an Idempotency-Key, up to the limit", async () => {
  const { id, text } = await create({ text: "with a file by GraphQL" });
  const fileSha256 = createHash("sha256").update("by GraphQL").digest("hex");
  for (const replayed of [null, "true"]) {
    const answer = await uploadByGraphql(id, "by GraphQL", { "idempotency-key": "a-file-by-graphql" });
    expect(answered(answer, "uploadNoteFile")).toEqual({ note: { id, text, fileSha256 } });
    expect(answer.headers.get("idempotent-replayed")).toBe(replayed);
  }
  expect((await download(id)).text).toBe("by GraphQL");
  const other = await uploadByGraphql(id, "another", { "idempotency-key": "a-file-by-graphql" });
  expect(other.errors[0]?.extensions.code).toBe("conflict");
  const large = await uploadByGraphql(id, Buffer.alloc(MOST_BYTES + 1));
  expect([large.status, large.errors[0]?.extensions.code]).toEqual([413, "too_large"]);
  const unasked = await uploadByGraphql("no id", "x");
  expect(unasked.errors[0]?.extensions).toMatchObject({ code: "invalid_request", fields: [{ field: "id" }] });
});
