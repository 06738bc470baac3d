import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { type GraphqlAnswer, graphql, post } from "../../support/graphql-client.ts";

const LIMIT = 300_000;
const UPLOAD =
  "mutation($input: UploadProofInput!) { uploadProof(input: $input) { created proof { sha256 label fileName fileSize } } }";

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway({ PROOF_MAX_FILE_BYTES: String(LIMIT) });
  organization = await selo.newOrganization();
});
afterAll(() => selo.stop());

/** A GraphQL multipart request as its specification has it. */
function form(
  file: Uint8Array<ArrayBuffer> | null,
  { name = "contract.pdf", label, query = UPLOAD }: { name?: string; label?: string; query?: string } = {},
): FormData {
  const parts = new FormData();
  parts.set("operations", JSON.stringify({ query, variables: { input: { file: null, label } } }));
  parts.set("map", JSON.stringify({ 0: ["variables.input.file"] }));
  if (file !== null) parts.set("0", new Blob([file]), name);
  return parts;
}
const upload = (file: Uint8Array<ArrayBuffer> | null, options = {}, headers: Record<string, string> = {}) =>
  post(selo, organization.live, form(file, options), headers);
const codes = ({ status, errors }: GraphqlAnswer) => [status, ...errors.map(({ extensions }) => extensions.code)];
const bytes = (length: number) => new Uint8Array(randomBytes(length));
const digestOf = (file: Uint8Array) => createHash("sha256").update(file).digest("hex");

test("a file is hashed, its name and size kept, and nothing else of it", async () => {
  const file = bytes(70_000);
  const answer = await upload(file, { name: "ação 🎉.pdf", label: "uploaded" });
  expect(codes(answer)).toEqual([200]);
  expect(answer.data).toEqual({
    uploadProof: {
      created: true,
      proof: { sha256: digestOf(file), label: "uploaded", fileName: "ação 🎉.pdf", fileSize: "70000" },
    },
  });
  expect((await upload(file)).data).toMatchObject({ uploadProof: { created: false } });
});

test("the name of a file is read as in a form of REST", async () => {
  const named = async (name: string) => (await upload(bytes(9), { name })).data;
  expect(await named('the "final" 100%25.pdf')).toMatchObject({
    uploadProof: { proof: { fileName: 'the "final" 100%25.pdf' } },
  });
  expect((await upload(bytes(9), { name: "a\nb.pdf" })).errors[0]?.extensions).toMatchObject({
    code: "invalid_request",
    fields: [{ field: "file", message: "its name must be in one line" }],
  });
});

test("an empty file is a file", async () => {
  expect((await upload(new Uint8Array())).data).toMatchObject({
    uploadProof: { proof: { sha256: digestOf(new Uint8Array()), fileSize: "0" } },
  });
});

test("a file at PROOF_MAX_FILE_BYTES is taken, one byte more is 413, and so is very much more", async () => {
  expect((await upload(bytes(LIMIT - 1))).data).toMatchObject({
    uploadProof: { proof: { fileSize: String(LIMIT - 1) } },
  });
  expect((await upload(bytes(LIMIT))).data).toMatchObject({ uploadProof: { proof: { fileSize: String(LIMIT) } } });
  expect(codes(await upload(bytes(LIMIT + 1)))).toEqual([413, "too_large"]);
  expect(codes(await upload(bytes(LIMIT * 5)))).toEqual([413, "too_large"]);
  expect(codes(await upload(bytes(LIMIT * 20)))).toEqual([413, "too_large"]);
});

test("a truncated message is 400, wherever it breaks off", async () => {
  const request = new Request(selo.baseUrl, { method: "POST", body: form(bytes(100_000)) });
  const whole = new Uint8Array(await request.arrayBuffer());
  const headers = { "content-type": request.headers.get("content-type") ?? "" };
  for (const length of [0, 10, 200, 400, 600, 50_000, whole.length - 20]) {
    const answer = await post(selo, organization.live, whole.slice(0, length), headers);
    expect(codes(answer), String(length)).toEqual([400, "malformed_request"]);
  }
});

test("multipart that does not follow the specification is 400", async () => {
  const send = async (parts: Record<string, string>) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(parts)) body.set(name, value);
    return codes(await post(selo, organization.live, body));
  };
  const operations = JSON.stringify({ query: UPLOAD, variables: { input: { file: null } } });
  expect(await send({})).toEqual([400, "malformed_request"]);
  expect(await send({ operations })).toEqual([400, "malformed_request"]);
  expect(await send({ operations: "{", map: "{}" })).toEqual([400, "malformed_request"]);
  expect(await send({ map: "{}", operations })).toEqual([400, "malformed_request"]);
  expect(await send({ operations: `[${operations}]`, map: "{}" })).toEqual([400, "invalid_request"]);
  expect(await send({ operations: `{"query":"{ __typename }","more":1}`, map: "{}" })).toEqual([
    400,
    "invalid_request",
  ]);
  expect(await send({ operations, map: "{}" })).toEqual([400, "invalid_request"]); // file is null
  expect(codes(await upload(null))).toEqual([400, "malformed_request"]); // mapped, but not sent
  expect(codes(await post(selo, organization.live, form(bytes(1)), { "content-type": "multipart/form-data" }))).toEqual(
    [400, "malformed_request"],
  );
});

test("more than one file is refused", async () => {
  const parts = form(bytes(10));
  parts.set("map", JSON.stringify({ 0: ["variables.input.file"], 1: ["variables.input.label"] }));
  parts.set("1", new Blob([bytes(10)]), "second.pdf");
  expect(codes(await post(selo, organization.live, parts))).toEqual([413, "too_large"]);
});

test("no header is asked for that makes browsers send a preflight request", async () => {
  expect(codes(await post(selo, organization.live, form(bytes(10))))).toEqual([200]);
});

test("the message alone says what of a form cannot be read", async () => {
  const missing = new FormData();
  missing.set("map", "{}");
  const two = form(bytes(10));
  two.set("map", JSON.stringify({ 0: ["variables.input.file"], 1: ["variables.input.label"] }));
  const long = form(bytes(10), { label: "x".repeat(8_192) });
  const answers = [];
  for (const parts of [missing, two, long]) answers.push(await post(selo, organization.live, parts));
  expect(answers.map(codes)).toEqual([
    [400, "malformed_request"],
    [413, "too_large"],
    [413, "too_large"],
  ]);
  const [noOperations, , tooLong] = answers.map(({ errors }) => errors[0]?.message);
  expect(noOperations).toContain("operations");
  expect(tooLong).toContain("8192");
  expect(new Set(answers.map(({ errors }) => errors[0]?.message)).size).toBe(3);
});

test("a token that may not register sends no file: 401 and 403 come before the body is read", async () => {
  const reader = await organization.token("live", ["proofs:read"]);
  expect(codes(await post(selo, reader, form(bytes(10))))).toEqual([403, "missing_scope"]);
  expect(codes(await post(selo, null, form(bytes(10))))).toEqual([401, "unauthenticated"]);
  // Also with a body that never ends: nobody waits for it.
  const endless = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(1_000)) });
  const response = await fetch(`${selo.baseUrl}/graphql`, {
    method: "POST",
    headers: { authorization: `Bearer ${reader}`, "content-type": "multipart/form-data; boundary=x" },
    body: endless,
    duplex: "half",
  } as RequestInit);
  expect(response.status).toBe(403);
});

test("limits of label and file name: 422 naming them", async () => {
  const fields = ({ errors }: GraphqlAnswer) => errors[0]?.extensions.fields?.map(({ field }) => field);
  expect(fields(await upload(bytes(10), { label: "x".repeat(201) }))).toEqual(["label"]);
  expect(fields(await upload(bytes(10), { label: "a\0b" }))).toEqual(["variables.input.label"]);
  // As in a form of REST: what is wrong with its name is wrong with the file.
  expect(fields(await upload(bytes(10), { name: "x".repeat(256) }))).toEqual(["file"]);
  expect(codes(await upload(bytes(10), { name: "x".repeat(255) }))).toEqual([200]);
});

test("a file elsewhere than in an upload argument is refused", async () => {
  const text = await graphql(selo, organization.live, UPLOAD, { input: { file: "text" } });
  expect(codes(text)).toEqual([400, "invalid_request"]);
  const asLabel = form(bytes(10), { query: "query($input: String!) { proofs(search: $input) { nodes { id } } }" });
  asLabel.set(
    "operations",
    JSON.stringify({
      query: "query($input: String!) { proofs(search: $input) { nodes { id } } }",
      variables: { input: null },
    }),
  );
  asLabel.set("map", JSON.stringify({ 0: ["variables.input"] }));
  expect(codes(await post(selo, organization.live, asLabel))).toEqual([400, "invalid_request"]);
});

test("Idempotency-Key covers the file by its digest", async () => {
  const key = { "idempotency-key": randomBytes(8).toString("hex") };
  const file = bytes(1_000);
  const first = await upload(file, {}, key);
  const again = await upload(file, {}, key);
  expect([again.data, again.headers.get("idempotent-replayed")]).toEqual([first.data, "true"]);
  expect(codes(await upload(bytes(1_000), {}, key))).toEqual([409, "conflict"]);
  expect(codes(await upload(file, { name: "other.pdf" }, key))).toEqual([409, "conflict"]);
  expect(codes(await upload(file, { label: "other" }, key))).toEqual([409, "conflict"]);
});

test("nothing stays in the temporary folder", async () => {
  // Other processes use that of the machine.
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-uploads-"));
  vi.stubEnv("TMPDIR", folder);
  try {
    let changes = 0;
    const watcher = fs.watch(folder, () => changes++);
    await upload(bytes(200_000));
    await upload(bytes(LIMIT + 1));
    await expect.poll(() => changes).toBeGreaterThan(0);
    watcher.close();
    await expect.poll(() => fs.readdirSync(folder)).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
    fs.rmSync(folder, { recursive: true });
  }
});
