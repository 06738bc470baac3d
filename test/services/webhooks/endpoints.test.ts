// Webhooks by REST: issue "Webhooks" §2, message-webhooks part A §4.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { masterKeysOf } from "../../../src/main/master-key.ts";
import { openWebhookSecret } from "../../../src/services/webhooks/endpoints/secret.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { expectError } from "../../support/rest-client.ts";
import { auditOf, emit, type WebhookCaller, webhookCaller } from "../../support/webhook-caller.ts";

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const SECRET = /^whsec_[A-Za-z0-9_-]{43}$/;

let selo: TestGateway;
let organization: TestOrganization;
let webhooks: WebhookCaller;
beforeAll(async () => {
  selo = await startTestGateway({ LOG_LEVEL: "trace" });
  organization = await selo.newOrganization();
  webhooks = webhookCaller(selo, organization.test);
});
afterAll(() => selo?.stop());

const INPUT = { url: "https://example.com/hook", event_types: ["message.*", "proof.registered"], description: "Ours" };

describe("POST /webhooks", () => {
  test("is 201 with the endpoint, member for member, and its secret", async () => {
    const { status, body, headers } = await webhooks.ask("POST", "/webhooks", INPUT);
    expect(status).toBe(201);
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(Object.entries(body)).toEqual([
      ["id", expect.stringMatching(UUID_V7)],
      ["url", INPUT.url],
      ["description", "Ours"],
      ["event_types", INPUT.event_types],
      ["status", "ACTIVE"],
      ["disabled_reason", null],
      ["consecutive_failures", 0],
      ["last_success_at", null],
      ["previous_secret_expires_at", null],
      ["created_at", expect.stringMatching(INSTANT)],
      ["secret", expect.stringMatching(SECRET)],
    ]);
  });

  test("makes a secret of whsec_ and 256 bits, another each time", async () => {
    const secrets = await Promise.all(Array.from({ length: 8 }, async () => (await webhooks.register()).secret));
    expect(new Set(secrets).size).toBe(8);
    for (const secret of secrets) {
      expect(secret).toMatch(SECRET);
      expect(Buffer.from(secret.slice(6), "base64url").length).toBe(32);
    }
  });

  test("shows the secret once: not in lists, not by id, not after a change", async () => {
    const { id, secret } = await webhooks.register();
    const answers = await Promise.all([
      webhooks.ask("GET", "/webhooks"),
      webhooks.ask("GET", `/webhooks/${id}`),
      webhooks.ask("PATCH", `/webhooks/${id}`, { description: "new" }),
      webhooks.ask("POST", `/webhooks/${id}/disable`),
      webhooks.ask("POST", `/webhooks/${id}/enable`),
    ]);
    for (const { status, text } of answers) {
      expect(status).toBe(200);
      expect(text).not.toContain(secret);
      expect(text).not.toContain('secret"');
    }
  });

  test("with an Idempotency-Key makes one webhook, and answers the repetition without the secret", async () => {
    const key = randomUUID();
    const first = await webhooks.ask("POST", "/webhooks", INPUT, { key });
    const again = await webhooks.ask("POST", "/webhooks", INPUT, { key });
    const { secret, ...rest } = first.body;
    expect(secret).toMatch(SECRET);
    expect({ status: again.status, body: again.body }).toEqual({ status: 201, body: rest });
    expect([first, again].map(({ headers }) => headers.get("idempotent-replayed"))).toEqual([null, "true"]);
    expectError(await webhooks.ask("POST", "/webhooks", { ...INPUT, description: "other" }, { key }), 409, "conflict");
  });

  test("keeps secrets sealed: no row of the database and no line of the log holds one", async () => {
    const { id, secret } = await webhooks.register();
    const rotated = (await webhooks.ask("POST", `/webhooks/${id}/rotate`, undefined, { key: randomUUID() })).body
      .secret;
    const { rows: tables } = await selo.database.admin.query<{ name: string }>(
      `select oid::regclass::text as name from pg_class
       where relkind = 'r' and relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema', 'pg_toast')`,
    );
    expect(tables.map(({ name }) => name)).toContain("webhooks.endpoints");
    for (const value of [secret, rotated]) {
      const hex = Buffer.from(value.slice(6), "utf8").toString("hex");
      const raw = Buffer.from(value.slice(6), "base64url").toString("hex");
      for (const { name } of tables) {
        const { rows } = await selo.database.admin.query(
          `select count(*)::integer as found from ${name} as kept where kept::text like any ($1)`,
          [[value.slice(6), hex, raw].map((text) => `%${text}%`)],
        );
        expect({ name, ...rows[0] }).toEqual({ name, found: 0 });
      }
      expect(selo.logs.join("")).not.toContain(value.slice(6));
    }
    const { rows } = await selo.database.admin.query(
      "select sealed_secret, sealed_previous_secret from webhooks.endpoints where id = $1",
      [id],
    );
    const open = (sealed: Buffer) => openWebhookSecret(masterKeysOf(selo.config), id, sealed);
    expect([open(rows[0].sealed_secret), open(rows[0].sealed_previous_secret)]).toEqual([rotated, secret]);
    // Sealed for their endpoint, they open for no other.
    expect(() => openWebhookSecret(masterKeysOf(selo.config), randomUUID(), rows[0].sealed_secret)).toThrow();
  });

  test("takes up to 50 of an organization and environment; streams of listeners are not counted", async () => {
    const { test: token, live, id: tenantId } = await selo.newOrganization();
    const many = webhookCaller(selo, token);
    for (let number = 0; number < 49; number++) await many.register();
    const both = await Promise.all([many.ask("POST", "/webhooks", INPUT), many.ask("POST", "/webhooks", INPUT)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    expectError(await many.ask("POST", "/webhooks", INPUT), 409, "conflict");
    expect((await many.ask("GET", "/webhooks")).body.total).toBe(50);
    // The other environment has its own.
    await webhookCaller(selo, live).register();
    // A disabled one counts, a removed one does not.
    const [{ id }] = (await many.ask("GET", "/webhooks")).body.items;
    await many.ask("POST", `/webhooks/${id}/disable`);
    expectError(await many.ask("POST", "/webhooks", INPUT), 409, "conflict");
    await many.ask("DELETE", `/webhooks/${id}`);
    await selo.database.admin.query(
      `insert into webhooks.endpoints (tenant_id, id, environment, event_types, sealed_secret, stream_expires_at)
       values ($1, gen_random_uuid(), 'test', '{*}', '', now() + interval '1 minute')`,
      [tenantId],
    );
    await many.register();
    expectError(await many.ask("POST", "/webhooks", INPUT), 409, "conflict");
  });

  test("an empty description is none, and so is null or nothing", async () => {
    for (const input of [{ description: "" }, { description: null }, {}])
      expect((await webhooks.register(input)).description).toBeNull();
  });
});

describe("event_types", () => {
  const kinds = async () => {
    const { rows } = await selo.database.admin.query<{ name: string }>("select name from webhooks.event_kinds");
    return rows.map(({ name }) => name);
  };

  test("are exact kinds, all of a group, or all, kept in the order given", async () => {
    const all = await kinds();
    for (const event_types of [
      ["*"],
      ["message.*"],
      ["domain.*"],
      ["webhook.*"],
      all,
      ["proof.registered", "message.*", "*"],
    ])
      expect((await webhooks.register({ event_types })).event_types).toEqual(event_types);
  });

  test("that are given twice are kept once", async () => {
    const event_types = ["message.sent", "*", "message.sent", "proof.registered", "*", "message.sent"];
    const { id, event_types: kept } = await webhooks.register({ event_types });
    expect(kept).toEqual(["message.sent", "*", "proof.registered"]);
    const changed = await webhooks.ask("PATCH", `/webhooks/${id}`, { event_types: ["*", "*"] });
    expect(changed.body.event_types).toEqual(["*"]);
    expect((await auditOf(selo, id)).map(({ details }) => details)).toEqual([
      { event_types: ["message.sent", "*", "proof.registered"] },
      { event_types: ["*"] },
    ]);
  });

  test.each([
    [["message.unheard"]],
    [["message.sent", "nonsense"]],
    [["message"]],
    [["message."]],
    [["nothing.*"]],
    [["*.*"]],
    [["m*"]],
    [["MESSAGE.SENT"]],
    [["message.sent "]],
    [[""]],
    [["message.%"]],
  ])("that name no kind are 422: %j", async (event_types) => {
    for (const answer of await bothWays({ event_types })) {
      expectError(answer, 422, "invalid_request", ["event_types"]);
    }
  });

  test("that are no list of texts are 422", async () => {
    for (const [event_types, field] of [
      [null, "event_types"],
      ["*", "event_types"],
      [{}, "event_types"],
      [[null], "event_types.0"],
      [["*", 1], "event_types.1"],
      [[["*"]], "event_types.0"],
    ] as const)
      for (const answer of await bothWays({ event_types })) expectError(answer, 422, "invalid_request", [field]);
  });

  async function bothWays(change: object) {
    const { id } = await webhooks.register();
    const answers = [
      await webhooks.ask("POST", "/webhooks", { ...INPUT, ...change }),
      await webhooks.ask("PATCH", `/webhooks/${id}`, change),
    ];
    await webhooks.ask("DELETE", `/webhooks/${id}`);
    return answers;
  }
});

describe("GET /webhooks", () => {
  test("lists them newest first, in pages, of this environment only", async () => {
    const { live, test: token } = await selo.newOrganization();
    const own = webhookCaller(selo, token);
    await webhookCaller(selo, live).register();
    const made: string[] = [];
    for (let number = 0; number < 3; number++) made.unshift((await own.register({ description: `${number}` })).id);
    const { body } = await own.ask("GET", "/webhooks");
    expect(body).toMatchObject({ total: 3, limit: 50, offset: 0 });
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual(made);
    const page = await own.ask("GET", "/webhooks?limit=1&offset=1");
    expect(page.body.items.map(({ id }: { id: string }) => id)).toEqual([made[1]]);
    expect(page.headers.get("link")).toMatch(/rel="next".*rel="prev"/);
    expect((await own.ask("GET", `/webhooks/${made[2]}`)).body).toEqual(body.items[2]);
  });
});

describe("PATCH /webhooks/{id}", () => {
  test("changes what is given and nothing else", async () => {
    const { secret, ...made } = await webhooks.register(INPUT);
    const changed = async (change: object) => (await webhooks.ask("PATCH", `/webhooks/${made.id}`, change)).body;
    expect(secret).toBeDefined();
    expect(await changed({ url: "https://example.org/new" })).toEqual({ ...made, url: "https://example.org/new" });
    expect(await changed({ url: INPUT.url, event_types: ["*"] })).toEqual({ ...made, event_types: ["*"] });
    expect(await changed({ event_types: INPUT.event_types, description: "Theirs" })).toEqual({
      ...made,
      description: "Theirs",
    });
    expect(await changed({ description: "a".repeat(500) })).toMatchObject({ description: "a".repeat(500) });
    expect(await changed({ description: null })).toEqual({ ...made, description: null });
    await changed({ description: "again" });
    expect(await changed({ description: "" })).toEqual({ ...made, description: null });
    expect((await webhooks.ask("GET", `/webhooks/${made.id}`)).body).toEqual({ ...made, description: null });
  });

  test("with nothing to change changes nothing and records nothing, and it knows no other member", async () => {
    const { secret: _, ...made } = await webhooks.register();
    const { id } = made;
    const patch = (body: object) => webhooks.ask("PATCH", `/webhooks/${id}`, body);
    expect(await patch({})).toMatchObject({ status: 200, body: made });
    const { rows } = await selo.database.admin.query("select action from platform.audit_events where subject_id = $1", [
      id,
    ]);
    expect(rows).toEqual([{ action: "webhook.created" }]);
    for (const member of [
      "id",
      "status",
      "secret",
      "disabled_reason",
      "consecutive_failures",
      "sealed_secret",
      "is_loopback",
    ])
      expectError(await patch({ description: "x", [member]: "x" }), 422, "invalid_request", [member]);
    expectError(await patch({ url: null }), 422, "invalid_request", ["url"]);
  });
});

describe("rotate", () => {
  test("is 200 with the endpoint and a new secret; the one before signs for 24 h more", async () => {
    const { secret, ...made } = await webhooks.register();
    const before = Date.now();
    const { status, body } = await webhooks.ask("POST", `/webhooks/${made.id}/rotate`);
    expect(status).toBe(200);
    const { secret: second, previous_secret_expires_at: expires, ...rest } = body;
    expect({ ...rest, previous_secret_expires_at: null }).toEqual(made);
    expect(second).toMatch(SECRET);
    expect(second).not.toBe(secret);
    expect(Date.parse(expires) - before).toBeGreaterThan(24 * 3600_000 - 1);
    expect(Date.parse(expires) - Date.now()).toBeLessThanOrEqual(24 * 3600_000);
    expect((await webhooks.ask("GET", `/webhooks/${made.id}`)).body.previous_secret_expires_at).toBe(expires);
  });

  test("once more drops the oldest", async () => {
    const { id } = await webhooks.register();
    const rotate = async () => (await webhooks.ask("POST", `/webhooks/${id}/rotate`)).body.secret;
    const [second, third] = [await rotate(), await rotate()];
    const { rows } = await selo.database.admin.query("select * from webhooks.endpoints where id = $1", [id]);
    const open = (sealed: Buffer) => openWebhookSecret(masterKeysOf(selo.config), id, sealed);
    expect([open(rows[0].sealed_secret), open(rows[0].sealed_previous_secret)]).toEqual([third, second]);
  });

  test("a repetition by Idempotency-Key rotates nothing and shows no secret", async () => {
    const { id } = await webhooks.register();
    const key = randomUUID();
    const sealed = () =>
      selo.database.admin.query("select sealed_secret, sealed_previous_secret from webhooks.endpoints where id = $1", [
        id,
      ]);
    const first = await webhooks.ask("POST", `/webhooks/${id}/rotate`, undefined, { key });
    const { rows } = await sealed();
    const again = await webhooks.ask("POST", `/webhooks/${id}/rotate`, undefined, { key });
    expect(first.body.secret).toMatch(SECRET);
    expect(again.body).toEqual({ ...first.body, secret: undefined });
    expect((await sealed()).rows).toEqual(rows);
  });
});

describe("enable, disable, test and DELETE", () => {
  test("disable is 200 with status DISABLED for the reason manual, enable 200 with ACTIVE; twice is the same", async () => {
    const { secret: _, ...made } = await webhooks.register();
    for (let time = 0; time < 2; time++) {
      const { status, body } = await webhooks.ask("POST", `/webhooks/${made.id}/disable`);
      expect({ status, body }).toEqual({
        status: 200,
        body: { ...made, status: "DISABLED", disabled_reason: "manual" },
      });
    }
    for (let time = 0; time < 2; time++) {
      const { status, body } = await webhooks.ask("POST", `/webhooks/${made.id}/enable`);
      expect({ status, body }).toEqual({ status: 200, body: made });
    }
  });

  test("enable of an active one counts its failures from zero, which the audit trail has", async () => {
    const { id } = await webhooks.register();
    await selo.database.admin.query(
      "update webhooks.endpoints set consecutive_failures = 3, failing_since = now() where id = $1",
      [id],
    );
    for (let time = 0; time < 2; time++)
      expect((await webhooks.ask("POST", `/webhooks/${id}/enable`)).body).toMatchObject({ consecutive_failures: 0 });
    expect((await auditOf(selo, id)).map(({ action }) => action)).toEqual(["webhook.created", "webhook.enabled"]);
  });

  test.each(["failing", "gone"])(
    "one that was disabled as %s shows it, and is enabled with failures counted from zero",
    async (reason) => {
      const { id } = await webhooks.register();
      await selo.database.admin.query(
        "update webhooks.endpoints set status = 'DISABLED', disabled_reason = $2, consecutive_failures = 20, failing_since = now() - interval '2 days' where id = $1",
        [id, reason],
      );
      expect((await webhooks.ask("GET", `/webhooks/${id}`)).body).toMatchObject({
        status: "DISABLED",
        disabled_reason: reason,
        consecutive_failures: 20,
      });
      // Disabled already, it stays so for the reason it has.
      expect((await webhooks.ask("POST", `/webhooks/${id}/disable`)).body.disabled_reason).toBe(reason);
      expect((await webhooks.ask("POST", `/webhooks/${id}/enable`)).body).toMatchObject({
        status: "ACTIVE",
        disabled_reason: null,
        consecutive_failures: 0,
      });
    },
  );

  test("test is 202 with a delivery that waits, of webhook.test, whatever is subscribed; 409 while disabled", async () => {
    const { id } = await webhooks.register({ event_types: ["proof.registered"] });
    const other = await webhooks.register();
    const { status, body } = await webhooks.ask("POST", `/webhooks/${id}/test`);
    expect(status).toBe(202);
    expect(body).toMatchObject({
      endpoint_id: id,
      event_type: "webhook.test",
      attempt: 0,
      trigger: "test",
      status: "PENDING",
    });
    const event = (await webhooks.ask("GET", `/events/${body.event_id}`)).body;
    expect(event).toMatchObject({ type: "webhook.test", resource_id: id, data: { message: expect.any(String) } });
    // To this one only, also when another wants all there is.
    expect((await webhooks.ask("GET", `/webhooks/${other.id}/deliveries`)).body.total).toBe(0);
    await webhooks.ask("POST", `/webhooks/${id}/disable`);
    expectError(await webhooks.ask("POST", `/webhooks/${id}/test`), 409, "conflict");
    expect((await webhooks.ask("GET", `/webhooks/${id}/deliveries`)).body.total).toBe(1);
  });

  test("DELETE is 204 with nothing, and then everything about it is 404", async () => {
    const { id } = await webhooks.register();
    const { body: delivery } = await webhooks.ask("POST", `/webhooks/${id}/test`);
    const { status, text } = await webhooks.ask("DELETE", `/webhooks/${id}`);
    expect({ status, text }).toEqual({ status: 204, text: "" });
    for (const [method, path, body] of everything(id))
      expectError(await webhooks.ask(method, path, body), 404, "not_found");
    // Its delivery is still known: what is in the way is that its webhook was deleted.
    expectError(await webhooks.ask("POST", `/webhooks/deliveries/${delivery.id}/retry`), 409, "conflict");
  });
});

const everything = (id: string): [method: string, path: string, body?: object][] => [
  ["GET", `/webhooks/${id}`],
  ["PATCH", `/webhooks/${id}`, { description: "x" }],
  ["DELETE", `/webhooks/${id}`],
  ["POST", `/webhooks/${id}/rotate`],
  ["POST", `/webhooks/${id}/disable`],
  ["POST", `/webhooks/${id}/enable`],
  ["POST", `/webhooks/${id}/test`],
  ["GET", `/webhooks/${id}/deliveries`],
  ["POST", `/webhooks/${id}/replay`, { since: "2026-01-01T00:00:00Z" }],
];

describe("every path of a webhook", () => {
  test("is 404 for an unknown one, another organization's, the other environment's, and a listener's stream", async () => {
    const { id } = await webhooks.register();
    const stream = randomUUID();
    await selo.database.admin.query(
      `insert into webhooks.endpoints (tenant_id, id, environment, event_types, sealed_secret, stream_expires_at)
       values ($1, $2, 'test', '{proof.registered}', '', now() + interval '1 hour')`,
      [organization.id, stream],
    );
    const stranger = await selo.newOrganization();
    for (const [unknown, token] of [
      [randomUUID(), organization.test],
      [stream, organization.test],
      [id, organization.live],
      [id, stranger.test],
      [id, stranger.live],
    ] as const)
      for (const [method, path, body] of everything(unknown)) {
        const answer = await webhooks.ask(method, path, body, { token });
        expectError(answer, 404, "not_found");
      }
    expect((await webhooks.ask("GET", `/webhooks/${id}`)).body.status).toBe("ACTIVE");
    expect((await webhooks.ask("GET", "/webhooks?limit=200")).text).not.toContain(stream);
  });

  test("wants the scope webhooks:manage, and a token", async () => {
    const { id } = await webhooks.register();
    const scopes = (await selo.operator.allScopes()).filter((scope) => scope !== "webhooks:manage");
    const without = await organization.token("test", scopes);
    const only = await organization.token("test", ["webhooks:manage"]);
    const paths: [string, string, object?][] = [
      ["POST", "/webhooks", INPUT],
      ["GET", "/webhooks"],
      ["GET", "/events"],
      ...everything(id),
    ];
    for (const [method, path, body] of paths) {
      expectError(await webhooks.ask(method, path, body, { token: without }), 403, "missing_scope");
      expectError(await webhooks.ask(method, path, body, { token: null }), 401, "unauthenticated");
    }
    for (const [method, path, body] of paths.filter(([method]) => method !== "DELETE"))
      expect((await webhooks.ask(method, path, body, { token: only })).status).toBeLessThan(300);
  });
});

test("every command that writes is in the audit trail, and one that is refused is not", async () => {
  const { id } = await webhooks.register({ event_types: ["proof.registered"] });
  const post = (path: string, body?: object) => webhooks.ask("POST", `/webhooks/${id}/${path}`, body);
  await webhooks.ask("PATCH", `/webhooks/${id}`, { url: "https://example.com/new" });
  await webhooks.ask("PATCH", `/webhooks/${id}`, { event_types: ["*"], description: "x" });
  await webhooks.ask("PATCH", `/webhooks/${id}`, { url: "http://example.com/" });
  await post("rotate");
  await post("disable");
  await post("disable");
  await emit(selo, organization, { type: "message.sent" });
  await post("test");
  await post("enable");
  await post("enable");
  const { body: delivery } = await post("test");
  await webhooks.ask("POST", `/webhooks/deliveries/${delivery.id}/retry`);
  await post("replay", { since: "2026-01-01T00:00:00Z" });
  await webhooks.ask("DELETE", `/webhooks/${id}`);
  expect(await auditOf(selo, id)).toEqual([
    { action: "webhook.created", details: { event_types: ["proof.registered"] } },
    { action: "webhook.changed", details: { url: true } },
    { action: "webhook.changed", details: { event_types: ["*"], description: true } },
    { action: "webhook.secret_rotated", details: {} },
    { action: "webhook.disabled", details: { reason: "manual" } },
    { action: "webhook.enabled", details: {} },
    { action: "webhook.tested", details: {} },
    { action: "webhook.delivery_retried", details: { delivery_id: delivery.id } },
    { action: "webhook.replayed", details: { deliveries: 1, since: "2026-01-01T00:00:00.000000+00:00" } },
    { action: "webhook.deleted", details: {} },
  ]);
});
