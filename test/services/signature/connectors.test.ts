// Connectors: issue "Templates, bulk send, labels, connectors" §5. Deliveries: package-deliveries.test.ts.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { answered, graphql } from "../../support/graphql-client.ts";
import { call, expectError } from "../../support/rest-client.ts";
import { ConnectorStage, connectorBody, of, SECRET } from "./connector-stage.ts";
import { ask, type EnvelopeStage } from "./envelope-stage.ts";
import { chain } from "./sending-stage.ts";

let connectors: ConnectorStage;
let stage: EnvelopeStage;
beforeAll(async () => {
  connectors = await ConnectorStage.open();
});
afterAll(() => connectors.close());
beforeEach(async () => {
  stage = await connectors.organization();
  connectors.storage.answer(200);
  connectors.storage.clear();
});

const create = (more: object = {}) =>
  ask(stage, "POST", "/integrations/connectors", connectorBody("https://s3.example.com", more));

describe("POST /integrations/connectors", () => {
  test("answers the connector, without its secret", async () => {
    const { status, body, text } = await create({ endpoint: "https://s3.example.com/base/", prefix: "selo/año" });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String),
        name: "Archive",
        kind: "s3",
        status: "active",
        content: "documents",
        endpoint: "https://s3.example.com/base",
        region: "us-east-1",
        bucket: "contracts",
        prefix: "selo/año",
        access_key_id: "AKIAIOSFODNN7EXAMPLE",
        disabled_reason: null,
        created_at: expect.stringMatching(/Z$/),
      },
    ]);
    expect(text).not.toContain("secret");
    const address = ["endpoint", "region", "bucket", "prefix", "access_key_id"];
    const order = ["id", "name", "kind", "status", "content", ...address, "disabled_reason", "created_at"];
    expect(Object.keys(body)).toEqual(order);
    expect((await of(stage, "GET", body.id)).body).toEqual(body);
    expect((await ask(stage, "GET", "/integrations/connectors")).body.items).toEqual([body]);
  });

  test.each<[string, object, string]>([
    ["an address inside a network", { endpoint: "https://10.0.0.1" }, "endpoint"],
    ["the metadata of a cloud", { endpoint: "https://169.254.169.254" }, "endpoint"],
    ["http://", { endpoint: "http://s3.example.com" }, "endpoint"],
    ["credentials in the address", { endpoint: "https://u:p@s3.example.com" }, "endpoint"],
    ["a query in the address", { endpoint: "https://s3.example.com/?list" }, "endpoint"],
    ["an address that is none", { endpoint: "s3" }, "endpoint"],
    ["an address without https://", { endpoint: "s3.example.com" }, "endpoint"],
    ["the address of the bucket", { endpoint: "https://contracts.s3.sa-east-1.amazonaws.com" }, "endpoint"],
    ["the address of the bucket, with points", { endpoint: "https://a.b.s3-x.example.com", bucket: "a.b" }, "endpoint"],
    ["the bucket at the end of the address", { endpoint: "https://s3.example.com/contracts/" }, "endpoint"],
    ["a bucket of two characters", { bucket: "ab" }, "bucket"],
    ["a bucket of 64 characters", { bucket: "a".repeat(64) }, "bucket"],
    ["a slash in the bucket", { bucket: "a/b" }, "bucket"],
    ["a bucket that leads up", { bucket: "..." }, "bucket"],
    ["a prefix that leads up", { prefix: "a/../b" }, "prefix"],
    ["a prefix that is a point", { prefix: "./a" }, "prefix"],
    ["a prefix that begins with a slash", { prefix: "/a" }, "prefix"],
    ["a prefix that ends with a slash", { prefix: "a/" }, "prefix"],
    ["a prefix with two slashes", { prefix: "a//b" }, "prefix"],
    ["a line break in the prefix", { prefix: "a\r\nb" }, "prefix"],
    ["a prefix that turns the direction of writing", { prefix: "a\u202eb" }, "prefix"],
    ["a prefix of 201 characters", { prefix: "a".repeat(201) }, "prefix"],
    ["a line break in the name", { name: "a\r\nb" }, "name"],
    ["a name that turns the direction of writing", { name: "a\u202eb" }, "name"],
    ["no name", { name: "" }, "name"],
    ["a slash in the access key", { access_key_id: "a/b" }, "access_key_id"],
    ["a comma in the access key", { access_key_id: "a,b" }, "access_key_id"],
    ["a line break in the secret", { secret: "a\nb" }, "secret"],
    ["no secret", { secret: "" }, "secret"],
    ["a space in the region", { region: "us east" }, "region"],
    ["another kind", { kind: "gcs" }, "kind"],
    ["another content", { content: "report" }, "content"],
  ])("%s is 422", async (_name, more, field) => {
    expectError(await create(more), 422, "invalid_request", [field]);
  });

  test("an address of this machine is taken in test alone", async () => {
    const live = { ...stage, token: (await connectors.selo.newOrganization()).live };
    const body = connectorBody(connectors.storage.url);
    expectError(await ask(live, "POST", "/integrations/connectors", body), 422, "invalid_request", ["endpoint"]);
    expect((await ask(stage, "POST", "/integrations/connectors", body)).status).toBe(201);
  });

  test("names of objects stay below 1,024 bytes", () => {
    const name = `${"\u{1f4c1}".repeat(200)}/2026/11/${"0".repeat(36)}/10-${"0".repeat(36)}.pdf`;
    expect(Buffer.byteLength(name)).toBeLessThan(1_024);
  });

  test("the eleventh of an environment is 409, also of many at once", async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => create()));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    for (const answer of answers.filter(({ status }) => status !== 201)) expectError(answer, 409, "conflict");
    const { items } = (await ask(stage, "GET", "/integrations/connectors")).body;
    expect((await of(stage, "DELETE", items[0].id)).status).toBe(204);
    expect((await create()).status).toBe(201);
  });
});

test("PATCH changes the given members alone, and what the trail says names no value", async () => {
  const { body: made } = await create();
  const more = { name: "Vault <b>", prefix: "x", bucket: "Other_Bucket.1", region: "r", access_key_id: "k" };
  const { body } = await of(stage, "PATCH", made.id, "", {
    ...more,
    secret: "another",
    endpoint: "https://h.example.com",
  });
  expect(body).toEqual({ ...made, ...more, endpoint: "https://h.example.com" });
  expect((await of(stage, "PATCH", made.id, "", { prefix: "" })).body).toEqual({ ...body, prefix: "" });
  expect((await of(stage, "PATCH", made.id, "", {})).body).toEqual({ ...body, prefix: "" });
  expect(await chain(connectors, made.id)).toEqual(["connector.created", "connector.changed", "connector.changed"]);
  const { rows } = await connectors.selo.database.admin.query(
    "select details::jsonb -> 'members' as members from platform.audit_events where subject_id = $1 and action = 'connector.changed' order by seq",
    [made.id],
  );
  expect(rows[0].members).toEqual(["name", "endpoint", "region", "bucket", "access_key_id", "secret", "prefix"]);
  expect((await of(stage, "PATCH", made.id, "", { content: "dossier" })).body.content).toBe("dossier");
  const ofBucket = { endpoint: "https://other_bucket.1.s3.example.com" };
  for (const wrong of [ofBucket, { prefix: "../a" }, { content: "report" }, { endpoint: "https://127.0.0.1" }])
    expectError(await of(stage, "PATCH", made.id, "", wrong), 422, "invalid_request", Object.keys(wrong));
});

describe("POST …/test", () => {
  const test_ = (id: string) => of(stage, "POST", id, "/test");

  test("writes one object below the prefix, also while the connector is disabled", async () => {
    const id = await connectors.connector(stage, { prefix: "selo" });
    await of(stage, "POST", id, "/disable");
    const { status, body } = await test_(id);
    expect([status, body]).toEqual([200, { ok: true, error: null }]);
    expect(connectors.storage.puts).toMatchObject([{ path: "/contracts/selo/selo-test.txt" }]);
    const { authorization } = connectors.storage.puts[0]?.headers ?? {};
    expect(authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE\/\d{8}\/us-east-1\/s3\/aws4_request, /,
    );
    expect(await chain(connectors, id)).toContain("connector.tested");
  });

  test("says why it failed, and changes nothing", async () => {
    const id = await connectors.connector(stage);
    connectors.storage.answer(403);
    expect((await test_(id)).body).toEqual({ ok: false, error: { status: 403, code: "http_status" } });
    connectors.storage.answer({ status: 403, word: "SignatureDoesNotMatch" });
    const error = { status: 403, code: "SignatureDoesNotMatch" };
    expect((await test_(id)).body).toEqual({ ok: false, error });
    expect((await of(stage, "GET", id)).body.status).toBe("active");
    await of(stage, "PATCH", id, "", { endpoint: "http://127.0.0.1:1" });
    expect((await test_(id)).body).toEqual({ ok: false, error: { status: null, code: "connection_failed" } });
  });

  test("repeated with its Idempotency-Key, is answered the same and makes no request", async () => {
    const id = await connectors.connector(stage);
    const again = () =>
      call(connectors.selo, "POST", `/integrations/connectors/${id}/test`, {
        token: stage.token,
        headers: { "idempotency-key": "one" },
      });
    const first = await again();
    expect((await again()).body).toEqual(first.body);
    expect(connectors.storage.puts).toHaveLength(1);
  });
});

test("GraphQL has all of it", async () => {
  const ofGraphql = async (document: string, field: string) =>
    answered<Record<string, never>>(await graphql(connectors.selo, stage.token, document), field);
  const input = `name: "a", endpoint: "${connectors.storage.url}", region: "r", bucket: "abc", accessKeyId: "k", secret: "s"`;
  const { connector } = await ofGraphql(
    `mutation { createConnector(input: {${input}}) { connector { id kind status content prefix } } }`,
    "createConnector",
  );
  expect(connector).toMatchObject({ kind: "S3", status: "ACTIVE", content: "DOCUMENTS", prefix: "" });
  const { id } = connector as unknown as { readonly id: string };
  const tested = () =>
    ofGraphql(`mutation { testConnector(input: {id: "${id}"}) { ok error { status code } } }`, "testConnector");
  expect(await tested()).toEqual({ ok: true, error: null });
  const { id: envelopeId } = await connectors.completed(stage);
  const delivered = async () => {
    const members = "envelopeId status attempts error { status code }";
    const { deliveries } = await ofGraphql(
      `{ connector(id: "${id}") { deliveries(first: 5) { nodes { ${members} } } } }`,
      "connector",
    );
    return deliveries;
  };
  expect(await delivered()).toEqual({ nodes: [{ envelopeId, status: "PENDING", attempts: 0, error: null }] });
  connectors.storage.answer(503);
  const error = { status: 503, code: "http_status" };
  expect(await tested()).toEqual({ ok: false, error });
  await connectors.deliver(stage, (await connectors.delivery(stage, id)).id);
  expect(await delivered()).toEqual({ nodes: [{ envelopeId, status: "PENDING", attempts: 1, error }] });
});

test("the secret is in no answer, no log, no job and no event, and is sealed in its row", async () => {
  const id = await connectors.connector(stage);
  const texts = [
    await of(stage, "GET", id),
    await of(stage, "PATCH", id, "", { secret: `${SECRET}2` }),
    await of(stage, "POST", id, "/test"),
    await of(stage, "POST", id, "/disable"),
    await of(stage, "POST", id, "/enable"),
    await ask(stage, "GET", `/audit?subject_id=${id}`),
  ].map(({ text }) => text);
  await connectors.completed(stage);
  const { admin } = connectors.selo.database;
  const { rows } = await admin.query(
    `select (select json_agg(job) from graphile_worker._private_jobs as job)::text as jobs,
       (select json_agg(event) from platform.audit_events as event where subject_id = $1)::text as events,
       (select json_agg(kept) from platform.idempotency_keys as kept)::text as kept, (select sealed_secret from signature.connectors where id = $1) as sealed`,
    [id],
  );
  const [{ jobs, events, kept, sealed }] = rows;
  expect(jobs).toContain("deliver_package");
  for (const text of [...texts, jobs, events, kept ?? "", connectors.selo.logs.join("")])
    expect(text).not.toContain(SECRET);
  expect(Buffer.from(sealed).includes(SECRET)).toBe(false);
});
