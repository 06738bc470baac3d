// Events: issue "Webhooks" §1, message-webhooks part A §2 and §6.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { type AnySchemaObject, Ajv2020 as Validator } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { answered, graphql } from "../../support/graphql-client.ts";
import { countRows, expectError } from "../../support/rest-client.ts";
import { eventKinds, productFacts } from "../../support/service-facts.ts";
import { claim, emit, type WebhookCaller, webhookCaller } from "../../support/webhook-caller.ts";
import { startWebhookReceiver } from "../../support/webhook-receiver.ts";
import { startTestWorker } from "../../support/worker.ts";
import { descriptionText } from "../../surfaces/openapi/openapi-document.ts";

let selo: TestGateway;
let organization: TestOrganization;
let webhooks: WebhookCaller;
beforeAll(async () => {
  selo = await startTestGateway({ WEBHOOK_ALLOW_LOOPBACK: "1" });
  organization = await selo.newOrganization();
  webhooks = webhookCaller(selo, organization.test);
});
afterAll(() => selo?.stop());

const named = (uuid: string) => `evt_${uuid.replaceAll("-", "")}`;
const ajv = () => {
  const validator = new Validator({ strict: true, allowUnionTypes: true, allErrors: true });
  addFormats.default(validator);
  return validator;
};

describe("the envelope", () => {
  test("has the specification's members in its order: evt_ and a uuidv7 without dashes, version 1, milliseconds", async () => {
    const resourceId = randomUUID();
    const uuid = await emit(selo, organization, {
      type: "message.delivered",
      resourceId,
      data: '{"b": 1,  "a": [true, null], "b": "Açaí 😀"}',
      occurredAt: "2026-11-20T12:34:56.789999+00:00",
    });
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    const { rows } = await selo.database.admin.query(
      "select id from platform.projects where tenant_id = $1 and environment = 'test'",
      [organization.id],
    );
    const { body } = await webhooks.ask("GET", `/events/${named(uuid)}`);
    expect(Object.entries(body)).toEqual([
      ["id", named(uuid)],
      ["type", "message.delivered"],
      ["version", "1"],
      ["occurred_at", "2026-11-20T12:34:56.789Z"],
      ["tenant_id", organization.id],
      ["project_id", rows[0].id],
      ["resource_id", resourceId],
      ["data", { a: [true, null], b: "Açaí 😀" }],
    ]);
  });

  test("is stored once, as the bytes that are delivered and that the log shows", async () => {
    await webhooks.register({ event_types: ["message.sent"] });
    const uuid = await emit(selo, organization, { type: "message.sent", data: '{"z":1, "a" : "\\u00e7😀", "z":2.50}' });
    const { rows } = await selo.database.admin.query("select body from webhooks.events where id = $1", [uuid]);
    expect(rows[0].body).toContain('{"z":1, "a" : "\\u00e7😀", "z":2.50}');
    expect((await webhooks.ask("GET", `/events/${named(uuid)}`)).text).toBe(rows[0].body);
    const leased = await claim(selo);
    expect(leased.map(({ body }) => body)).toEqual([rows[0].body]);
    expect((await webhooks.ask("GET", "/events?limit=1")).text).toContain(rows[0].body);
  });

  test("holds data of 256 KiB, and not one byte more: then nothing is written, nor the fact", async () => {
    const data = (bytes: number) => `{"a":"${"é".repeat(Math.floor((bytes - 8) / 2))}${"x".repeat(bytes % 2)}"}`;
    expect(Buffer.byteLength(data(262_144))).toBe(262_144);
    expect(Buffer.byteLength(data(262_145))).toBe(262_145);
    const uuid = await emit(selo, organization, { type: "message.sent", data: data(262_144) });
    expect((await webhooks.ask("GET", `/events/${named(uuid)}`)).body.data.a.length).toBe(131_068);
    const rows = await countRows(selo);
    await expect(emit(selo, organization, { type: "message.sent", data: data(262_145) })).rejects.toMatchObject({
      code: "PT413",
    });
    expect(await countRows(selo)).toEqual(rows);
  });
});

describe("an event is written in the transaction of its fact", () => {
  test("which, rolled back, leaves no event and no delivery", async () => {
    await webhooks.register();
    const rows = await countRows(selo);
    const uuid = await emit(selo, organization, { type: "message.sent", isRolledBack: true });
    expect(uuid).not.toBe("");
    expect(await countRows(selo)).toEqual(rows);
    expectError(await webhooks.ask("GET", `/events/${named(uuid)}`), 404, "not_found");
  });

  test("and a kind that there is not is refused there", async () => {
    const rows = await countRows(selo);
    for (const type of ["message.unheard", "message", "message.*", "*", ""])
      await expect(emit(selo, organization, { type })).rejects.toMatchObject({ code: "22023" });
    expect(await countRows(selo)).toEqual(rows);
  });

  test("PENDING for ACTIVE webhooks, SKIPPED for DISABLED ones", async () => {
    const own = webhookCaller(selo, organization.live);
    const [active, disabled, other] = [
      await own.register(),
      await own.register(),
      await own.register({ event_types: ["domain.*"] }),
    ];
    await own.ask("POST", `/webhooks/${disabled.id}/disable`);
    const uuid = await emit(selo, organization, { type: "message.sent", environment: "live" });
    const items = async (id: string) => (await own.ask("GET", `/webhooks/${id}/deliveries`)).body.items;
    expect(await items(active.id)).toMatchObject([{ event_id: named(uuid), status: "PENDING", attempt: 0 }]);
    expect(await items(disabled.id)).toMatchObject([{ event_id: named(uuid), status: "SKIPPED", attempt: 0 }]);
    expect(await items(other.id)).toEqual([]);
  });
});

test("an event goes to whoever asked for its kind, its group or all, in its organization and environment alone", async () => {
  const own = await selo.newOrganization();
  const caller = webhookCaller(selo, own.test);
  const subscriptions = [
    ["*"],
    ["message.*"],
    ["message.sent"],
    ["message.sent", "*", "message.*"],
    ["domain.verified", "message.opened"],
    ["webhook.*"],
    ["webhook.test"],
  ];
  const made: string[] = [];
  for (const event_types of subscriptions) made.push((await caller.register({ event_types })).id);
  await webhookCaller(selo, own.live).register();
  const got = async (type: string) => {
    const uuid = await emit(selo, own, { type });
    const { rows } = await selo.database.admin.query(
      "select endpoint_id as id from webhooks.deliveries where event_id = $1",
      [uuid],
    );
    return made.flatMap((id, place) => (rows.some((row) => row.id === id) ? [place] : [])).concat(rows.length);
  };
  expect(await got("message.sent")).toEqual([0, 1, 2, 3, 4]);
  expect(await got("message.opened")).toEqual([0, 1, 3, 4, 4]);
  expect(await got("domain.verified")).toEqual([0, 3, 4, 3]);
  expect(await got("proof.registered")).toEqual([0, 3, 2]);
  // Whatever is subscribed: only POST …/test sends it.
  expect(await got("webhook.test")).toEqual([0]);
});

describe("kinds of events", () => {
  interface Kind {
    readonly name: string;
    readonly description: string;
    readonly data_schema: AnySchemaObject;
  }
  let kinds: Kind[];
  beforeAll(async () => {
    const { rows } = await selo.database.admin.query<Kind>("select * from webhooks.event_kinds order by name");
    kinds = rows;
  });
  const dataOf: Readonly<Record<string, object>> = Object.assign({}, ...productFacts.map(({ events }) => events?.data));

  test("are the 19 of the specification and those that services send, each described", () => {
    expect(eventKinds.later.length).toBe(19);
    expect(kinds.map(({ name }) => name)).toEqual([...eventKinds.later, ...eventKinds.sent].sort());
    for (const { name, description } of kinds)
      expect({ name, description }).toEqual({ name, description: expect.stringMatching(/^\S.{5,}\.$/) });
  });

  test("each have a JSON Schema of their data that takes such data, describes every member and requires it", () => {
    for (const { name, data_schema: schema } of kinds) {
      const validate = ajv().compile(schema);
      const { required, properties } = schema as {
        required: string[];
        properties: Record<string, { description?: string }>;
      };
      expect({ name, required }).toEqual({ name, required: Object.keys(properties) });
      for (const { description } of Object.values(properties)) expect(description).toMatch(/./);
      const data = dataOf[name.split(".")[0] ?? ""];
      if (data !== undefined) expect([name, validate(data)]).toEqual([name, true]);
      expect([name, validate({})]).toEqual([name, false]);
    }
  });

  test("stand under webhooks in OpenAPI, with the headers of a delivery and an envelope that takes real events", async () => {
    const { webhooks: described, components } = JSON.parse(descriptionText);
    expect(Object.keys(described).sort()).toEqual(kinds.map(({ name }) => name));
    for (const { name, description, data_schema: schema } of kinds) {
      const { post } = described[name];
      expect(post.description).toBe(description);
      const headers = post.parameters.map(
        ({ $ref }: { $ref: string }) => components.parameters[$ref.split("/").at(-1) ?? ""].name,
      );
      expect(headers).toEqual([
        "User-Agent",
        "X-Webhook-Id",
        "X-Webhook-Attempt",
        "X-Webhook-Timestamp",
        "X-Webhook-Signature",
        "X-Webhook-Signature-Previous",
      ]);
      const envelope = post.requestBody.content["application/json"].schema;
      expect(envelope.properties.data).toEqual(schema);
      const data = dataOf[name.split(".")[0] ?? ""];
      if (data === undefined || name === "webhook.test") continue;
      const uuid = await emit(selo, organization, { type: name, data });
      const { body } = await webhooks.ask("GET", `/events/${named(uuid)}`);
      const validate = ajv().compile({ ...envelope, additionalProperties: false });
      expect([name, validate(body), validate.errors]).toEqual([name, true, null]);
      expect([name, validate({ ...body, type: "other" })]).toEqual([name, false]);
    }
  });
});

describe("proof.registered", () => {
  const events = async (caller = webhooks) =>
    (await caller.ask("GET", "/events?type=proof.registered&limit=200")).body.items;

  test("is written when a proof is created, with these data, and validated by its schema", async () => {
    const sha256 = randomBytes(32).toString("hex");
    const { body: proof } = await webhooks.ask("POST", "/proofs", { sha256, label: "Açaí", file_name: "secret.pdf" });
    const [event] = await events();
    expect(event).toMatchObject({ type: "proof.registered", resource_id: proof.id, tenant_id: organization.id });
    expect(Object.entries(event.data)).toEqual([
      ["proof_id", proof.id],
      ["sha256", sha256],
      ["label", "Açaí"],
      ["registered_at", proof.registered_at],
      ["verification_code", proof.verification_code],
      ["verify_url", proof.verify_url],
    ]);
    expect(event.occurred_at).toBe(proof.registered_at.replace(/\d{3}Z$/, "Z"));
    const { rows } = await selo.database.admin.query(
      "select data_schema from webhooks.event_kinds where name = 'proof.registered'",
    );
    const validate = ajv().compile({ ...rows[0].data_schema, additionalProperties: false });
    expect([validate(event.data), validate.errors]).toEqual([true, null]);
  });

  test("only then: not for a digest that was registered before, nor for a request that is repeated or refused", async () => {
    const sha256 = randomBytes(32).toString("hex");
    const key = randomUUID();
    expect((await webhooks.ask("POST", "/proofs", { sha256 }, { key })).status).toBe(201);
    const before = await events();
    expect((await webhooks.ask("POST", "/proofs", { sha256 }, { key })).status).toBe(201);
    expect((await webhooks.ask("POST", "/proofs", { sha256 })).status).toBe(200);
    expect((await webhooks.ask("POST", "/proofs", { sha256: "x" })).status).toBe(422);
    const poor = await selo.newOrganization({ credits: 0 });
    const refused = webhookCaller(selo, poor.live);
    expect((await refused.ask("POST", "/proofs", { sha256 })).status).toBe(402);
    expect(await events(refused)).toEqual([]);
    expect(await events()).toEqual(before);
  });

  test("by whichever way: a file, GraphQL, and many at once, one event each", async () => {
    const own = await selo.newOrganization();
    const caller = webhookCaller(selo, own.test);
    const file = new FormData();
    const content = randomBytes(100);
    file.append("file", new Blob([content]), "a.txt");
    const digests = Array.from({ length: 20 }, () => randomBytes(32).toString("hex"));
    const answers = await Promise.all([
      ...digests.flatMap((sha256) => [
        caller.ask("POST", "/proofs", { sha256 }),
        caller.ask("POST", "/proofs", { sha256 }),
      ]),
      caller.ask("POST", "/proofs", undefined, { body: file }),
    ]);
    for (const { status } of answers) expect([200, 201]).toContain(status);
    const byGraphql = randomBytes(32).toString("hex");
    answered(
      await graphql(selo, own.test, `mutation { registerProof(input: {sha256: "${byGraphql}"}) { created } }`),
      "registerProof",
    );
    const told = (await events(caller)).map(({ data }: { data: { sha256: string } }) => data.sha256);
    expect(told.sort()).toEqual([...digests, byGraphql, createHash("sha256").update(content).digest("hex")].sort());
  });
});

describe("GET /events", () => {
  let own: TestOrganization;
  let caller: WebhookCaller;
  const ids: string[] = [];
  const times: string[] = [];
  const listed = async (query: string) =>
    (await caller.ask("GET", `/events${query}`)).body.items.map(({ id }: { id: string }) => id);
  beforeAll(async () => {
    own = await selo.newOrganization();
    caller = webhookCaller(selo, own.test);
    for (const type of ["message.sent", "message.opened", "message.sent", "domain.verified"]) {
      // Times are told apart by the millisecond.
      await selo.database.admin.query("select pg_sleep(0.002)");
      const { rows } = await selo.database.admin.query("select to_json(clock_timestamp()) as now");
      times.push(rows[0].now);
      ids.push(named(await emit(selo, own, { type })));
    }
    await emit(selo, own, { type: "message.sent", environment: "live" });
  });

  test("lists the environment's events, newest first, whether or not a webhook wanted them", async () => {
    const { body } = await caller.ask("GET", "/events");
    expect(body).toMatchObject({ total: 4, limit: 50, offset: 0 });
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual(ids.toReversed());
  });

  test("by kind, by time, and by both", async () => {
    expect(await listed("?type=message.sent")).toEqual([ids[2], ids[0]]);
    expect(await listed("?type=proof.registered")).toEqual([]);
    expect(await listed("?type=nonsense")).toEqual([]);
    const at = (place: number) => encodeURIComponent(times[place] ?? "");
    expect(await listed(`?from=${at(1)}`)).toEqual([ids[3], ids[2], ids[1]]);
    expect(await listed(`?to=${at(2)}`)).toEqual([ids[1], ids[0]]);
    expect(await listed(`?from=${at(1)}&to=${at(3)}`)).toEqual([ids[2], ids[1]]);
    expect(await listed(`?from=${at(1)}&to=${at(3)}&type=message.sent`)).toEqual([ids[2]]);
    expect(await listed("?from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59Z")).toHaveLength(4);
    expect(await listed("?to=1969-12-31T23:59:59Z")).toEqual([]);
    expect(await listed("?from=9999-01-01T00:00:00Z")).toEqual([]);
  });

  test("in pages", async () => {
    const first = await caller.ask("GET", "/events?limit=3&offset=0");
    expect(first.body).toMatchObject({ total: 4, limit: 3, offset: 0 });
    expect(first.headers.get("link")).toMatch(/offset=3.*rel="next"/);
    expect(await listed("?limit=3&offset=3")).toEqual([ids[0]]);
    expect(await listed("?offset=4")).toEqual([]);
  });

  test("by id; what is no id, unknown, another's or the other environment's is 404", async () => {
    expect((await caller.ask("GET", `/events/${ids[0]}`)).body).toMatchObject({ id: ids[0], type: "message.sent" });
    for (const id of [
      "x",
      "evt_",
      `evt_${"0".repeat(32)}`,
      `evt_${"g".repeat(32)}`,
      ids[0]?.slice(4),
      ids[0]?.toUpperCase(),
      `${ids[0]}0`,
      `${ids[0]}%0A`,
      "%00",
    ])
      expectError(await caller.ask("GET", `/events/${id}`), 404, "not_found");
    const stranger = await selo.newOrganization();
    for (const token of [own.live, stranger.test, stranger.live])
      expectError(await caller.ask("GET", `/events/${ids[0]}`, undefined, { token }), 404, "not_found");
  });
});

test("what arrives is, on every attempt, byte for byte what the log has", async () => {
  const own = await selo.newOrganization();
  const caller = webhookCaller(selo, own.test);
  const receiver = await startWebhookReceiver();
  const worker = await startTestWorker(selo);
  try {
    const { id, secret } = await caller.register({ url: `${receiver.url}/hook`, event_types: ["message.sent"] });
    const uuid = await emit(selo, own, { type: "message.sent", data: '{"z" :1,  "a":"\\u00e7 ç 😀", "z":2.50}' });
    const settled = async () => (await caller.ask("GET", `/webhooks/${id}/deliveries?status=SUCCEEDED`)).body.items;
    await expect.poll(async () => (await settled()).length).toBe(1);
    const [{ delivery_id: deliveryId }] = await settled();
    expect((await caller.ask("POST", `/webhooks/deliveries/${deliveryId}/retry`)).status).toBe(202);
    await expect.poll(() => receiver.received.length).toBe(2);
    const { text } = await caller.ask("GET", `/events/${named(uuid)}`);
    for (const received of receiver.received) {
      expect(received.body).toBe(text);
      expect(await receiver.verify(received, secret)).toEqual({ valid: true });
      expect(received.headers).toMatchObject({
        "content-type": "application/json",
        "user-agent": "Selo-Webhooks/1",
        "x-webhook-id": named(uuid),
      });
    }
    expect(receiver.received.map(({ headers }) => headers["x-webhook-attempt"])).toEqual(["1", "2"]);
  } finally {
    await worker.stop();
    await receiver.close();
  }
});
