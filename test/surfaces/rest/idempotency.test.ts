// Idempotency-Key on every write (signature-service §5.6) and the races around it.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import {
  call,
  countRows,
  expectError,
  filePart,
  multipartBody,
  sendRaw,
  signatureCredits,
  textPart,
} from "../../support/rest-client.ts";

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
});
afterAll(() => selo.stop());
beforeEach(async () => {
  organization = await selo.newOrganization({ credits: 20 });
});

const digest = () => randomBytes(32).toString("hex");
const post = (key: string | undefined, body: object | string, token = organization.live) =>
  call(selo, "POST", "/proofs", { token, key, body });
const upload = (key: string, parts: Parameters<typeof multipartBody>[0], boundary?: string, path = "/proofs") => {
  const { bytes, headers } = multipartBody(parts, boundary);
  return call(selo, "POST", path, { token: organization.live, key, body: bytes, headers });
};
const times = <Result>(count: number, make: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

describe("the same key and the same payload", () => {
  test("answer the original 201 with its body and Idempotent-Replayed: true, and charge nothing", async () => {
    const body = { sha256: digest(), label: "ção 🏷 \u2028 </x>", file_size: 5 };
    const first = await post("key", body);
    expect(first.status).toBe(201);
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    const rows = await countRows(selo);
    for (let i = 0; i < 2; i++) {
      const replay = await post("key", body);
      expect(replay.status).toBe(201);
      expect(replay.headers.get("idempotent-replayed")).toBe("true");
      expect(replay.body).toEqual(first.body);
      expect(replay.body.created).toBe(true);
    }
    expect(await countRows(selo)).toEqual(rows);
    expect(await signatureCredits(selo, organization.id)).toBe(19);
  });

  test("answer the original 200 with created false", async () => {
    const sha256 = digest();
    await post(undefined, { sha256 });
    const first = await post("key", { sha256, label: "again" });
    expect(first.status).toBe(200);
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    const replay = await post("key", { sha256, label: "again" });
    expect(replay.status).toBe(200);
    expect(replay.headers.get("idempotent-replayed")).toBe("true");
    expect(replay.body).toEqual(first.body);
    expect(replay.body.created).toBe(false);
    // It is that request's key from now on.
    expectError(await post("key", { sha256: digest() }), 409, "conflict");
  });

  test("are recognized whatever the order of members and the whitespace of the JSON", async () => {
    const sha256 = digest();
    const first = await post("key", `{"sha256":"${sha256}","label":"a","file_name":"b","file_size":1}`);
    expect(first.status).toBe(201);
    for (const body of [
      `{"file_size":1,"file_name":"b","label":"a","sha256":"${sha256}"}`,
      ` {\n\t"label" : "a", "sha256":"${sha256}" ,"file_name":"\\u0062","file_size":1.0 }\r\n`,
    ]) {
      const replay = await post("key", body);
      expect(replay.status).toBe(201);
      expect(replay.headers.get("idempotent-replayed")).toBe("true");
      expect(replay.body).toEqual(first.body);
    }
  });

  test("hold for a file by its fields and digest, whatever the boundary and the order of parts", async () => {
    const file = randomBytes(50);
    const parts = [filePart(file, "a.pdf"), textPart("label", "x")];
    const first = await upload("key", parts);
    expect(first.status).toBe(201);
    const replay = await upload("key", [...parts].reverse(), "another-boundary");
    expect(replay.status).toBe(201);
    expect(replay.headers.get("idempotent-replayed")).toBe("true");
    expect(replay.body).toEqual(first.body);
    expect(await signatureCredits(selo, organization.id)).toBe(19);
  });

  test("hold across tokens of the same organization and environment", async () => {
    const body = { sha256: digest() };
    const first = await post("key", body);
    const replay = await post("key", body, await organization.token("live", ["proofs:write"]));
    expect(replay.status).toBe(201);
    expect(replay.body).toEqual(first.body);
  });
});

describe("the same key with a different payload is 409 conflict", () => {
  test.each<[string, (sha256: string) => object]>([
    ["another digest", () => ({ sha256: digest(), label: "a" })],
    ["another label", (sha256) => ({ sha256, label: "b" })],
    ["no label", (sha256) => ({ sha256 })],
    ["one member more", (sha256) => ({ sha256, label: "a", file_size: 0 })],
  ])("%s", async (_, different) => {
    const sha256 = digest();
    await post("key", { sha256, label: "a" });
    const rows = await countRows(selo);
    expectError(await post("key", different(sha256)), 409, "conflict");
    expect(await countRows(selo)).toEqual(rows);
  });

  test("another file, file name or label, or the same digest as JSON", async () => {
    const file = randomBytes(50);
    const { body } = await upload("key", [filePart(file, "a.pdf"), textPart("label", "x")]);
    expectError(await upload("key", [filePart(randomBytes(50), "a.pdf"), textPart("label", "x")]), 409, "conflict");
    expectError(await upload("key", [filePart(file, "b.pdf"), textPart("label", "x")]), 409, "conflict");
    expectError(await upload("key", [filePart(file, "a.pdf"), textPart("label", "y")]), 409, "conflict");
    expectError(await upload("key", [filePart(file, "a.pdf")]), 409, "conflict");
    const { sha256, label, file_name, file_size } = body;
    expectError(await post("key", { sha256, label, file_name, file_size }), 409, "conflict");
  });
});

describe("POST /proofs/files has its own keys", () => {
  const file = randomBytes(50);
  const parts = [filePart(file, "a.pdf"), textPart("label", "x")];
  const uploadThere = (key: string, of = parts, boundary?: string) => upload(key, of, boundary, "/proofs/files");

  test("which repeat, and conflict, as those of other paths do", async () => {
    const key = "k".repeat(255);
    const first = await uploadThere(key);
    expect(first.status).toBe(201);
    const replay = await uploadThere(key, [...parts].reverse(), "another-boundary");
    expect({ status: replay.status, replayed: replay.headers.get("idempotent-replayed") }).toEqual({
      status: 201,
      replayed: "true",
    });
    expect(replay.body).toEqual(first.body);
    expectError(await uploadThere(key, [filePart(randomBytes(50), "a.pdf")]), 409, "conflict");
    expectError(await uploadThere(key, [filePart(file, "a.pdf")]), 409, "conflict");
    expect(await signatureCredits(selo, organization.id)).toBe(19);
  });

  test.each([
    ["/proofs", upload, uploadThere],
    ["/proofs/files", uploadThere, upload],
  ])("one used on %s first says nothing of the other path: the file was registered before", async (_, one, other) => {
    const first = await one("key", parts);
    expect(first.status).toBe(201);
    const second = await other("key", parts);
    expect(second.status).toBe(200);
    expect(second.headers.get("idempotent-replayed")).toBeNull();
    expect(second.body).toEqual({ ...first.body, created: false });
    // Each goes on to answer for its own request.
    for (const [send, { status, body }] of [
      [one, first],
      [other, second],
    ] as const) {
      const replay = await send("key", parts);
      expect(replay.headers.get("idempotent-replayed")).toBe("true");
      expect({ status: replay.status, body: replay.body }).toEqual({ status, body });
    }
    expect(await signatureCredits(selo, organization.id)).toBe(19);
  });

  test("and another file under the key of a digest is no conflict", async () => {
    expect((await post("key", { sha256: digest() })).status).toBe(201);
    expect((await uploadThere("key", [filePart(randomBytes(50))])).status).toBe(201);
    expect(await signatureCredits(selo, organization.id)).toBe(18);
  });
});

describe("races", () => {
  test("12 at once with one key run once: 1 run, 11 replays, 1 credit", async () => {
    const body = { sha256: digest() };
    const answers = await times(12, () => post("key", body));
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(201));
    const replays = answers.filter(({ headers }) => headers.get("idempotent-replayed") === "true");
    expect(replays).toHaveLength(11);
    for (const answer of answers) expect(answer.body).toEqual(answers[0]?.body);
    expect(await signatureCredits(selo, organization.id)).toBe(19);
  });

  test("12 files at once with one key run once", async () => {
    const file = randomBytes(1000);
    const answers = await times(12, () => upload("key", [filePart(file)]));
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(201));
    expect(answers.filter(({ headers }) => headers.get("idempotent-replayed") === "true")).toHaveLength(11);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await signatureCredits(selo, organization.id)).toBe(19);
  });

  test("12 at once with one key and 12 payloads: 1 registers, 11 conflict, 1 credit", async () => {
    const answers = await times(12, () => post("key", { sha256: digest() }));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(11).fill(409)]);
    expect(await signatureCredits(selo, organization.id)).toBe(19);
  });

  test.each([
    ["without keys", () => undefined],
    ["each with its own key", (index: number) => `key-${index}`],
  ])("12 at once with one digest, %s: 1 created, 1 credit", async (_, keyOf) => {
    const sha256 = digest();
    const answers = await times(12, (index) => post(keyOf(index), { sha256, label: `call ${index}` }));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(11).fill(200), 201]);
    expect(answers.filter(({ body }) => body.created)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await signatureCredits(selo, organization.id)).toBe(19);
    // Each key answers for its own request afterwards.
    for (const [index, answer] of answers.entries()) {
      const key = keyOf(index);
      if (key === undefined) continue;
      const replay = await post(key, { sha256, label: `call ${index}` });
      expect(replay.headers.get("idempotent-replayed")).toBe("true");
      expect({ status: replay.status, body: replay.body }).toEqual({ status: answer.status, body: answer.body });
    }
  });

  test("12 at once with one digest from tokens of both environments and two organizations: 1 created in each", async () => {
    const other = await selo.newOrganization();
    const sha256 = digest();
    const tokens = [organization.live, organization.test, other.live, other.test];
    const answers = await times(12, (index) => post(undefined, { sha256 }, tokens[index % 4]));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(8).fill(200), ...Array(4).fill(201)]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(4);
    expect(await signatureCredits(selo, organization.id)).toBe(19);
  });

  test.each([false, true])(
    "30 calls on 5 credits: exactly 5 × 201 and 25 × 402, balance 0 (keys: %s)",
    async (keys) => {
      const poor = await selo.newOrganization({ credits: 5 });
      const more = await poor.token("live", ["proofs:write"]);
      const answers = await times(30, (index) =>
        post(keys ? `key-${index}` : undefined, { sha256: digest() }, index % 2 === 0 ? poor.live : more),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(201), ...Array(25).fill(402)]);
      expect(await signatureCredits(selo, poor.id)).toBe(0);
      const { body } = await call(selo, "GET", "/proofs", { token: poor.live });
      expect(body.total).toBe(5);
      const { rows } = await selo.database.admin.query<{ kept: number }>(
        "select count(*)::int as kept from platform.idempotency_keys where tenant_id = $1",
        [poor.id],
      );
      expect(rows[0]?.kept).toBe(keys ? 5 : 0);
    },
  );
});

test("the scope is asked before a replay", async () => {
  const body = { sha256: digest() };
  await post("key", body);
  const reader = await organization.token("live", ["proofs:read"]);
  expectError(await post("key", body, reader), 403, "missing_scope");
  expectError(await post("key", { sha256: digest() }, reader), 403, "missing_scope");
});

test("a key belongs to its organization and environment", async () => {
  const other = await selo.newOrganization();
  const tokens = [organization.live, organization.test, other.live, other.test];
  const ids = new Set<string>();
  for (const token of tokens) {
    const answer = await post("shared-key", { sha256: digest() }, token);
    expect(answer.status).toBe(201);
    expect(answer.headers.get("idempotent-replayed")).toBeNull();
    ids.add(answer.body.id);
  }
  expect(ids.size).toBe(4);
});

describe("a request that fails keeps no key", () => {
  test("402, then a grant, then the same key works", async () => {
    const poor = await selo.newOrganization({ credits: 0 });
    const body = { sha256: digest() };
    expectError(await post("key", body, poor.live), 402, "insufficient_credits");
    await selo.operator.grantCredits(poor.id, "signature", 1);
    const answer = await post("key", body, poor.live);
    expect(answer.status).toBe(201);
    expect(answer.headers.get("idempotent-replayed")).toBeNull();
    expect((await post("key", body, poor.live)).headers.get("idempotent-replayed")).toBe("true");
  });

  test("422, 400, 413 and 403, then another payload with the same key works", async () => {
    expectError(await post("key", { sha256: "x" }), 422, "invalid_request");
    expectError(await post("key", "{"), 400, "malformed_request");
    expectError(await post("key", `"${"a".repeat(1_100_000)}"`), 413, "too_large");
    const reader = await organization.token("live", ["proofs:read"]);
    expectError(await post("key", { sha256: digest() }, reader), 403, "missing_scope");
    expect((await post("key", { sha256: digest() })).status).toBe(201);
  });
});

describe("the key", () => {
  test.each([
    ["of 1 character", "k"],
    ["of 255 characters", "k".repeat(255)],
    ["of every visible character", String.fromCharCode(...Array.from({ length: 94 }, (_, i) => i + 33))],
    ["in another case is another key", "K"],
  ])("%s is taken", async (_, key) => {
    const body = { sha256: digest() };
    expect((await post(key, body)).status).toBe(201);
    expect((await post(key, body)).headers.get("idempotent-replayed")).toBe("true");
  });

  test.each([
    ["of 256 characters", "k".repeat(256)],
    ["that is empty", ""],
    ["of a space", " "],
    ["with a space inside", "a b"],
    ["with a tab inside", "a\tb"],
    ["that is not ASCII", "ch\u00e9"],
  ])("%s is 422", async (_, key) => {
    const rows = await countRows(selo);
    const body = JSON.stringify({ sha256: digest() });
    const head = [
      "POST /api/v1/proofs HTTP/1.1",
      "Host: selo.test",
      `Authorization: Bearer ${organization.live}`,
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
      `Idempotency-Key: ${key}`,
      "",
      body,
    ].join("\r\n");
    const response = await sendRaw(selo, Buffer.from(head, "latin1"));
    expectError(response, 422, "invalid_request", ["Idempotency-Key"]);
    expect(await countRows(selo)).toEqual(rows);
  });

  test("given twice is 422", async () => {
    const body = JSON.stringify({ sha256: digest() });
    const response = await sendRaw(
      selo,
      `POST /api/v1/proofs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${organization.live}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nIdempotency-Key: a\r\nIdempotency-Key: b\r\n\r\n${body}`,
    );
    expectError(response, 422, "invalid_request", ["Idempotency-Key"]);
  });

  test("means nothing to a read", async () => {
    expect((await call(selo, "GET", "/proofs", { token: organization.live, key: "key" })).status).toBe(200);
    const answer = await post("key", { sha256: digest() });
    expect(answer.status).toBe(201);
    const read = await call(selo, "GET", "/proofs", { token: organization.live, key: "key" });
    expect(read.headers.get("idempotent-replayed")).toBeNull();
    expect(read.body.total).toBe(1);
  });
});

test("what is kept under a key is no copy of the answer, and no secret", async () => {
  const { body } = await post("key", { sha256: digest(), label: "private label" });
  const { rows } = await selo.database.admin.query<{ text: string; status: number }>(
    "select kept::text as text, kept.status from platform.idempotency_keys as kept where kept.tenant_id = $1",
    [organization.id],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.status).toBe(201);
  expect(rows[0]?.text).toContain(body.id);
  expect(rows[0]?.text).not.toContain("private label");
  expect(rows[0]?.text).not.toContain(organization.live.slice(9));
});
