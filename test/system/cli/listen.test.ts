// `selo listen`: the events of a test token on a developer's machine, and nothing left behind.
import { randomBytes } from "node:crypto";
import net from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { verifyWebhook } from "../../../src/receiver/verify.ts";
import { signedHeaders } from "../../../src/services/webhooks/deliveries/sign.ts";
import { aSession, complete, completing, sentWith } from "../../services/signature/completion-stage.ts";
import { act } from "../../services/signature/signing-stage.ts";
import { command } from "../../support/command.ts";
import { workerOf } from "../../support/compose-mails.ts";
import { databaseWay } from "../../support/database-way.ts";
import { startGatewayOn, startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { freePort, selo as run, type SeloProcess } from "../../support/selo-process.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";

let selo: TestGateway;
let receiver: WebhookReceiver;
let organization: TestOrganization;
beforeAll(async () => {
  // One connection: a stream that held it would let nobody else ask.
  selo = await startTestGateway({ DATABASE_POOL_SIZE: "1", SHUTDOWN_GRACE_SECONDS: "3600" });
  receiver = await startWebhookReceiver();
  organization = await selo.newOrganization();
});
afterAll(async () => {
  await receiver?.close();
  await selo?.stop();
});

const running: SeloProcess[] = [];
const connections: AbortController[] = [];
afterEach(async () => {
  for (const connection of connections.splice(0)) connection.abort();
  for (const { child, finished } of running.splice(0)) {
    child.kill("SIGKILL");
    await finished;
  }
  receiver.answer(200);
  await expect.poll(streams).toEqual([]);
});

/** The command line, until it listens. */
async function listen(args: readonly string[] = [], token = organization.test, baseUrl = selo.baseUrl) {
  const started = run(["listen", "--json", ...args], { PUBLIC_URL: baseUrl, SELO_TOKEN: token });
  running.push(started);
  await started.until('"type":"endpoint"');
  return started;
}

interface Line {
  readonly type: string;
  readonly [member: string]: unknown;
}

interface Delivered extends Line {
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly forwarded: { readonly status?: number; readonly error?: string } | null;
}

const lines = ({ output }: SeloProcess, type: string) =>
  output.stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => line.type === type);
const delivered = (listening: SeloProcess) => lines(listening, "delivery") as Delivered[];
const secretOf = (listening: SeloProcess) => String(lines(listening, "endpoint").at(-1)?.["secret"]);

async function register(token: string, baseUrl = selo.baseUrl): Promise<string> {
  const answer = await fetch(`${baseUrl}/api/v1/proofs`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ sha256: randomBytes(32).toString("hex"), label: 'Açaí \u2028 😀 "\\' }),
  });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

async function streams(): Promise<string[]> {
  const { rows } = await selo.database.admin.query<{ id: string }>(
    "select id from webhooks.endpoints where url is null order by id",
  );
  return rows.map(({ id }) => id);
}

async function rowsOf(table: "deliveries" | "attempts"): Promise<number> {
  const { rows } = await selo.database.admin.query(`select count(*)::int as count from webhooks.${table}`);
  return rows[0]?.count as number;
}

/** Events of the test environment, written by one statement; `data` is SQL and may use `number`. */
async function emit(kind: string, count: number, data: string): Promise<void> {
  await selo.database.admin.query(
    `select platform.enter_context('${organization.id}', 'test', null, null, null);
     select webhooks.emit_event('${kind}', gen_random_uuid(), ${data}, now()) from generate_series(1, ${count}) as number`,
  );
}

/** A stream as any program may open it. */
async function open(query = "", token = organization.test, baseUrl = selo.baseUrl, connection = new AbortController()) {
  connections.push(connection);
  const response = await fetch(`${baseUrl}/api/v1/webhooks/listen${query}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: connection.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const reading = (async () => {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) text += part.value;
  })().catch(() => {});
  return { response, connection, ended: reading, text: () => text };
}

/** What a stream that is refused answers. */
async function refusal(query = "", token = organization.test) {
  const { response, ended, text } = await open(query, token);
  await ended;
  return { status: response.status, ...(JSON.parse(text()) as { detail: { code: string }; fields?: object[] }) };
}

describe("selo listen", () => {
  test("prints events and forwards them, byte for byte and signed with the secret it printed", async () => {
    const listening = await listen(["--forward", `${receiver.url}/hook?a=b`]);
    const before = receiver.received.length;
    const proofs = [await register(organization.test), await register(organization.test)];
    await expect.poll(() => delivered(listening).length, { timeout: 30_000 }).toBe(2);
    const received = receiver.received.slice(before);
    expect(received.length).toBe(2);
    for (const delivery of received) {
      expect(delivery.path).toBe("/hook?a=b");
      expect(await verifyWebhook(secretOf(listening), delivery.headers, delivery.body)).toEqual({ valid: true });
      expect(delivery.headers).toMatchObject({
        "content-type": "application/json",
        "user-agent": "Selo-Webhooks/1",
        "x-webhook-attempt": "1",
      });
      const { rows } = await selo.database.admin.query<{ body: string }>(
        "select body from webhooks.events where webhooks.event_name(id) = $1",
        [delivery.headers["x-webhook-id"]],
      );
      expect(delivery.body).toBe(rows[0]?.body);
    }
    expect(received.map(({ body }) => JSON.parse(body).data.proof_id).sort()).toEqual(proofs.sort());
    expect(delivered(listening)).toMatchObject([
      { event_type: "proof.registered", fault: null, forwarded: { status: 200 } },
      { event_type: "proof.registered", fault: null, forwarded: { status: 200 } },
    ]);
    // Nothing waits, and nothing is kept of what became of it.
    expect([await rowsOf("deliveries"), await rowsOf("attempts")]).toEqual([0, 0]);
  });

  test("tells each event of an envelope with two signers, from its sending to its completion", async () => {
    const listening = await listen(["--forward", receiver.url, "--events", "envelope.*"]);
    const before = receiver.received.length;
    const stage = { selo, tenantId: organization.id, token: organization.test, environment: "test" } as const;
    const { id, links } = await sentWith(stage, [{}, {}], { signing_order: "sequential" });
    for (const link of links) {
      const session = await aSession(stage, link);
      expect((await act(stage, link, "POST", "/view", { session })).status).toBe(204);
      expect((await complete(stage, link, { session })).status).toBe(200);
    }
    const worker = workerOf(stage);
    await completing(stage, id, worker).finally(worker.end);
    const told = [
      "envelope.sent",
      "envelope.participant_invited",
      "envelope.viewed",
      "envelope.participant_signed",
      "envelope.participant_invited",
      "envelope.viewed",
      "envelope.participant_signed",
      "envelope.completed",
    ];
    // Events that come together may be told in any order.
    await expect
      .poll(
        () =>
          delivered(listening)
            .map(({ event_type }) => event_type)
            .sort(),
        { timeout: 30_000 },
      )
      .toEqual(told.toSorted());
    const received = receiver.received.slice(before);
    expect(received.map(({ body }) => JSON.parse(body).type).sort()).toEqual(told.toSorted());
    for (const delivery of received) {
      expect(await verifyWebhook(secretOf(listening), delivery.headers, delivery.body)).toEqual({ valid: true });
      expect(JSON.parse(delivery.body).data.envelope_id).toBe(id);
      expect(delivery.body).not.toMatch(/Maria|example\.com/);
    }
  }, 60_000);

  test("without --forward it only prints; for people the secret, the kind and the body", async () => {
    const listening = run(["listen", "--events", "proof.*,message.sent"], {
      PUBLIC_URL: selo.baseUrl,
      SELO_TOKEN: organization.test,
    });
    running.push(listening);
    await listening.until("Signing secret");
    const before = receiver.received.length;
    const proof = await register(organization.test);
    const text = await listening.until(proof);
    expect(text).toMatch(/Listening for proof\.\*, message\.sent of http:\/\/127\.0\.0\.1:\d+\n/);
    expect(text).toMatch(/whsec_[A-Za-z0-9_-]{43}\n/);
    expect(text).toMatch(/\n\d\d:\d\d:\d\d {2}proof\.registered {2}evt_[0-9a-f]{32}\n {2}\{"id":"evt_/);
    // What somebody wrote drives no terminal.
    expect(text).not.toContain("\u2028");
    expect(receiver.received.length).toBe(before);
    // What would fill a screen is cut off, and said to be.
    await emit("message.sent", 1, "json_build_object('text', repeat('x', 7000))");
    const long = await listening.until("--json prints all");
    expect(long).toMatch(/x{1000,}… \(7\d{3} bytes; --json prints all\)\n$/);
    expect(long).not.toMatch(/x{2001}/);
  });

  test("a receiver that refuses, redirects or is not there is told of, and the next event still comes", async () => {
    const listening = await listen(["--forward", receiver.url]);
    receiver.answer(500);
    await register(organization.test);
    await expect.poll(() => delivered(listening).length, { timeout: 30_000 }).toBe(1);
    const before = receiver.received.length;
    receiver.answer((_request, response) => response.writeHead(302, { location: "/elsewhere" }).end());
    await register(organization.test);
    await expect.poll(() => delivered(listening).length, { timeout: 30_000 }).toBe(2);
    expect(receiver.received.slice(before).map(({ path }) => path)).toEqual(["/"]);
    receiver.answer((request) => request.socket.destroy());
    await register(organization.test);
    await expect.poll(() => delivered(listening).length, { timeout: 30_000 }).toBe(3);
    receiver.answer(200);
    await register(organization.test);
    await expect.poll(() => delivered(listening).length, { timeout: 30_000 }).toBe(4);
    expect(delivered(listening).map(({ forwarded }) => forwarded)).toMatchObject([
      { status: 500 },
      { status: 302 },
      { error: expect.stringMatching(/\w/) },
      { status: 200 },
    ]);
  });

  test("a receiver that hangs holds up no other event", async () => {
    const listening = await listen(["--forward", receiver.url]);
    let isFirst = true;
    receiver.answer((_request, response) => {
      if (!isFirst) response.writeHead(204).end();
      isFirst = false;
    });
    await register(organization.test);
    await expect.poll(() => isFirst, { timeout: 30_000 }).toBe(false);
    await register(organization.test);
    await expect.poll(() => delivered(listening).length, { timeout: 30_000 }).toBe(1);
  });

  test.each(["SIGINT", "SIGTERM"] as const)("%s ends it with 0, and the endpoint is gone", async (signal) => {
    const listening = await listen();
    expect((await streams()).length).toBe(1);
    listening.child.kill(signal);
    const { code, stderr } = await listening.finished;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    await expect.poll(streams).toEqual([]);
  });

  test("kill -9 of it closes the connection, and the endpoint is gone as well, with what waits", async () => {
    const listening = await listen();
    expect((await streams()).length).toBe(1);
    listening.child.kill("SIGKILL");
    await listening.finished;
    await expect.poll(streams).toEqual([]);
    await register(organization.test);
    expect(await rowsOf("deliveries")).toBe(0);
  });

  test("a revoked token ends it, with 1 and the reason", async () => {
    const token = await organization.token("test", ["webhooks:manage"]);
    const listening = await listen([], token);
    const tokens = await selo.operator.listTokens(organization.id);
    const newest = tokens.filter(({ scopes }) => scopes.length === 1).at(-1);
    await selo.operator.revokeToken(newest?.id ?? "");
    const { code, stderr } = await listening.finished;
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^unauthenticated: .+\n$/) });
  });

  test.each([
    ["a live token", () => organization.live, [], /^forbidden: .*test token/],
    [
      "an unknown kind",
      () => organization.test,
      ["--events", "no.such"],
      /^invalid_request: [\s\S]*event_types .*no\.such/,
    ],
    ["a token that is none", () => `svc_test_${"x".repeat(43)}`, [], /^unauthenticated: /],
  ])("%s ends it at once with 1, and the reason", async (_, token, args, reason) => {
    const refused = await command(["listen", ...args], { PUBLIC_URL: selo.baseUrl, SELO_TOKEN: token() });
    expect(refused).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(reason) });
  });

  test.each([
    [404, '{"error": "nothing here"}', "HTTP 404: this is not a response from Selo; check --url\n"],
    [401, "\u001b[31mred", "HTTP 401: this is not a response from Selo; check --url\n"],
  ])("an answer %d of something else ends it, and none of its words are shown", async (status, body, message) => {
    receiver.answer((_request, response) => response.writeHead(status).end(body));
    const refused = await command(["listen", "--url", `${receiver.url}/`], { SELO_TOKEN: organization.test });
    expect(refused).toEqual({ code: 1, stdout: "", stderr: message });
    expect(receiver.received.at(-1)?.path).toBe("/api/v1/webhooks/listen?event_types=*");
  });

  test("a redirect of the service is not followed: the token goes nowhere else", async () => {
    receiver.answer((_request, response) => response.writeHead(302, { location: `${receiver.url}/elsewhere` }).end());
    const listening = run(["listen", "--json", "--url", receiver.url], { SELO_TOKEN: organization.test });
    running.push(listening);
    const before = receiver.received.length;
    await expect.poll(() => lines(listening, "interrupted").length, { timeout: 30_000 }).toBeGreaterThan(1);
    expect(receiver.received.slice(before).filter(({ path }) => path.includes("elsewhere"))).toEqual([]);
  });

  test("what the service did not sign is neither believed nor forwarded", async () => {
    const secret = `whsec_${"a".repeat(43)}`;
    const body = '{"id":"evt_1","type":"proof.registered"}';
    const at = (seconds: number) =>
      signedHeaders(secret, null, Math.floor(Date.now() / 1_000) + seconds, { eventName: "evt_1", attempt: 1, body });
    const events = [
      ["endpoint", { id: "x", event_types: ["*"], secret }],
      ["delivery", { headers: { ...at(0), "x-webhook-signature": `v1=${"0".repeat(64)}` }, body }],
      ["delivery", { headers: at(0), body: `${body} ` }],
      ["delivery", { headers: at(-600), body }],
      ["delivery", { headers: at(0), body }],
    ] as const;
    const forwarded: string[] = [];
    receiver.answer((request, response, given) => {
      if (request.method === "POST") forwarded.push(given);
      else for (const [name, data] of events) response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
      if (request.method === "POST") response.writeHead(204).end();
    });
    const listening = await listen(["--forward", `${receiver.url}/hook`], organization.test, receiver.url);
    await expect.poll(() => delivered(listening).length, { timeout: 30_000 }).toBe(4);
    expect(
      delivered(listening)
        .map(({ fault }) => fault)
        .sort(),
    ).toEqual(["too_old", "wrong_signature", "wrong_signature", null].sort());
    expect(forwarded).toEqual([body]);
  });

  test("without any token it says how to give one", async () => {
    const environment = { PUBLIC_URL: "http://selo.test", SELO_DATA_DIR: "/nonexistent" };
    const { code, stderr } = await command(["listen"], environment);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining("--token (or SELO_TOKEN) and --url"),
    });
  });

  test("a service that starts anew is found again, with a new endpoint and a new secret", async () => {
    const port = String(await freePort());
    let gateway = await startGatewayOn(selo.database.appUrl, { PORT: port });
    try {
      const listening = await listen(["--forward", receiver.url], organization.test, gateway.baseUrl);
      const first = secretOf(listening);
      await gateway.stop();
      expect(await streams()).toEqual([]);
      await expect.poll(() => lines(listening, "interrupted").length, { timeout: 30_000 }).toBeGreaterThan(0);
      gateway = await startGatewayOn(selo.database.appUrl, { PORT: port });
      await expect.poll(() => lines(listening, "endpoint").length, { timeout: 30_000 }).toBe(2);
      expect(secretOf(listening)).not.toBe(first);
      await register(organization.test);
      await expect.poll(() => delivered(listening).length, { timeout: 30_000 }).toBe(1);
      const last = receiver.received.at(-1);
      expect(await verifyWebhook(secretOf(listening), last?.headers ?? {}, last?.body ?? "")).toEqual({ valid: true });
    } finally {
      await gateway.stop();
    }
  }, 40_000);
});

describe("GET /webhooks/listen", () => {
  test("events of another organization, of the live environment and of other kinds are never seen", async () => {
    const other = await selo.newOrganization();
    const proofs = await open("?event_types=proof.registered");
    const messages = await open("?event_types=message.*,domain.verified");
    const others = await open("", other.test);
    for (const token of [other.live, organization.live, other.test]) await register(token);
    const own = await register(organization.test);
    await expect.poll(() => proofs.text()).toContain(own);
    await expect.poll(() => others.text().match(/^event: delivery$/gm)?.length).toBe(1);
    expect(proofs.text().match(/^event: delivery$/gm)).toHaveLength(1);
    expect(others.text()).not.toContain(own);
    expect(messages.text().match(/^event: \w+$/gm)).toEqual(["event: endpoint"]);
  });

  test("is answered with an event stream that no proxy keeps, and counts as one request of its token", async () => {
    const token = await organization.token("test", ["webhooks:manage"]);
    const { response } = await open("", token);
    expect(response.status).toBe(200);
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
      "x-request-id": expect.any(String),
      ratelimit: expect.stringMatching(/"token";r=9999999/),
    });
  });

  test("the endpoint is in no list, and has no page, no test event and no deliveries", async () => {
    await open();
    const [id] = await streams();
    const ask = (method: string, path: string) =>
      fetch(`${selo.baseUrl}/api/v1${path}`, { method, headers: { authorization: `Bearer ${organization.test}` } });
    expect(await (await ask("GET", "/webhooks")).json()).toMatchObject({ items: [], total: 0 });
    for (const [method, path] of [
      ["GET", `/webhooks/${id}`],
      ["DELETE", `/webhooks/${id}`],
      ["POST", `/webhooks/${id}/test`],
      ["POST", `/webhooks/${id}/rotate`],
      ["POST", `/webhooks/${id}/disable`],
      ["GET", `/webhooks/${id}/deliveries`],
    ] as const)
      expect((await ask(method, path)).status, `${method} ${path}`).toBe(404);
    // HEAD opens none.
    expect((await ask("HEAD", "/webhooks/listen")).status).toBeGreaterThanOrEqual(400);
    expect(await streams()).toEqual([id]);
  });

  test("who may not listen is told so first: 401, 403 missing_scope, 403 forbidden; then 422", async () => {
    const without = await organization.token("test", ["proofs:read"]);
    const wrong = "?event_types=no.such&what=1";
    expect(await refusal(wrong, "nonsense")).toMatchObject({ status: 401, detail: { code: "unauthenticated" } });
    expect(await refusal(wrong, without)).toMatchObject({ status: 403, detail: { code: "missing_scope" } });
    expect(await refusal("", organization.live)).toMatchObject({ status: 403, detail: { code: "forbidden" } });
    expect(await refusal(wrong)).toMatchObject({ status: 422, fields: [{ field: "what" }] });
    for (const kinds of ["no.such", "", "*,nonsense", "message.", "MESSAGE.*"])
      expect(await refusal(`?event_types=${kinds}`), kinds).toMatchObject({
        status: 422,
        fields: [{ field: "event_types" }],
      });
    expect(await streams()).toEqual([]);
  });

  test("the 21st of an organization is refused with 409, and a place that becomes free is taken", async () => {
    const all = [];
    for (let stream = 0; stream < 20; stream++) all.push(await open());
    expect(all.map(({ response }) => response.status)).toEqual(Array(20).fill(200));
    expect(await refusal()).toMatchObject({ status: 409, detail: { code: "conflict" } });
    expect((await open("", (await selo.newOrganization()).test)).response.status).toBe(200);
    all[0]?.connection.abort();
    await expect.poll(async () => (await streams()).length).toBe(20);
    expect((await open()).response.status).toBe(200);
    // All get what happens, though the gateway has one connection.
    const proof = await register(organization.test);
    for (const { text } of all.slice(1)) await expect.poll(text).toContain(proof);
  });

  test("a gateway has 100; the next one is told to come again", async () => {
    for (let other = 0; other < 5; other++) {
      const { test: token } = await selo.newOrganization({ credits: 0 });
      for (let stream = 0; stream < 20; stream++) expect((await open("", token)).response.status).toBe(200);
    }
    expect(await refusal()).toMatchObject({ status: 503, detail: { code: "unavailable" } });
    connections.pop()?.abort();
    connections.pop()?.abort();
    await expect.poll(async () => (await open()).response.status).toBe(200);
  }, 40_000);

  test("one that expired gets no events, is ended, and is removed at the next opening or by the hourly job", async () => {
    const expire = () =>
      selo.database.admin.query(
        "update webhooks.endpoints set stream_expires_at = now() - interval '1 s' where url is null",
      );
    const stream = await open();
    await expire();
    await stream.ended;
    expect(stream.text()).toMatch(/\nevent: end\ndata: \{"detail":\{"code":"not_found"/);
    await expect.poll(streams).toEqual([]);

    // As a gateway leaves them that was killed.
    const leave = async () => {
      const id = crypto.randomUUID();
      await selo.database.admin.query(
        `insert into webhooks.endpoints (tenant_id, id, environment, event_types, sealed_secret, stream_expires_at)
         values ($1, $2, 'test', '{*}', '', now() + interval '1 hour')`,
        [organization.id, id],
      );
      await register(organization.test);
      expect(await rowsOf("deliveries")).toBe(1);
      await expire();
      await register(organization.test);
      expect(await rowsOf("deliveries")).toBe(1);
      return id;
    };
    await leave();
    await selo.database.admin.query("select jobs.delete_old_deliveries(1000)");
    expect([await streams(), await rowsOf("deliveries")]).toEqual([[], 0]);
    const left = await leave();
    await open();
    expect(await streams()).not.toContain(left);
    expect(await rowsOf("deliveries")).toBe(0);
    expect(await rowsOf("attempts")).toBe(0);
  });

  test("one that is open is kept beyond the minute it has", async () => {
    await open();
    const { rows: before } = await selo.database.admin.query(
      "update webhooks.endpoints set stream_expires_at = now() + interval '10 s' where url is null returning stream_expires_at",
    );
    await expect
      .poll(async () => {
        const { rows } = await selo.database.admin.query(
          "select stream_expires_at from webhooks.endpoints where url is null",
        );
        return rows[0]?.stream_expires_at - before[0]?.stream_expires_at;
      })
      .toBeGreaterThan(40_000);
  });

  test("many events at once all arrive, in the order they were written", async () => {
    const stream = await open();
    await emit("message.sent", 250, "json_build_object('number', number)");
    const numbers = () => [...stream.text().matchAll(/\\"number\\" ?: ?(\d+)/g)].map((match) => Number(match[1]));
    await expect.poll(() => numbers().length, { timeout: 30_000 }).toBe(250);
    expect(numbers()).toEqual(Array.from({ length: 250 }, (_, place) => place + 1));
  });

  test("a stop of the gateway ends its streams at once, however long requests may take", async () => {
    const gateway = await startGatewayOn(selo.database.appUrl, { SHUTDOWN_GRACE_SECONDS: "3600" });
    const stream = await open("", organization.test, gateway.baseUrl);
    await gateway.stop();
    await stream.ended;
    expect(stream.text()).toMatch(/\nevent: end\ndata: \{"detail":\{"code":"unavailable"/);
    expect(await streams()).toEqual([]);
  });

  test("callers who go away while it is opened leave nothing behind, and no error in the logs", async () => {
    const attempts = Array.from({ length: 15 }, async (_, attempt) => {
      const connection = new AbortController();
      setTimeout(() => connection.abort(), attempt * 2);
      return open("", organization.test, selo.baseUrl, connection).catch(() => null);
    });
    await Promise.all(attempts);
    await expect.poll(streams).toEqual([]);
    expect(selo.logs.filter((line) => line.includes('"level":50'))).toEqual([]);
  });

  test("one outlives a Postgres that is away for a moment", async () => {
    const way = await databaseWay(selo.database.appUrl);
    const gateway = await startGatewayOn(way.url);
    try {
      const stream = await open("", organization.test, gateway.baseUrl);
      await way.close();
      const proof = await register(organization.test);
      await way.open();
      await expect.poll(() => stream.text(), { timeout: 30_000 }).toContain(proof);
    } finally {
      await gateway.stop();
      await way.close();
    }
  }, 40_000);

  test("a reader that takes nothing is given no more than fits, and holds up no other", async () => {
    const stuck = net.connect(Number(new URL(selo.baseUrl).port), "127.0.0.1");
    const path = "/api/v1/webhooks/listen?event_types=message.sent";
    stuck.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${organization.test}\r\n\r\n`);
    await expect.poll(async () => (await streams()).length).toBe(1);
    stuck.pause();
    const [id] = await streams();
    const other = await open("?event_types=domain.verified");
    for (let batch = 0; batch < 10; batch++)
      await emit("message.sent", 10, `json_build_object('text', repeat('x', 250000))`);
    await emit("domain.verified", 1, "'{}'");
    await expect.poll(() => other.text().match(/^event: delivery$/gm)?.length, { timeout: 30_000 }).toBe(1);
    const waiting = async () => {
      const { rows } = await selo.database.admin.query(
        "select count(*)::int as count from webhooks.deliveries where endpoint_id = $1",
        [id],
      );
      return rows[0]?.count as number;
    };
    // What it did not take waits in Postgres and not in the gateway: 25 MB are more than sockets hold.
    expect(await waiting()).toBeGreaterThan(20);
    await emit("domain.verified", 1, "'{}'");
    await expect.poll(() => other.text().match(/^event: delivery$/gm)?.length).toBe(2);
    expect(await waiting()).toBeGreaterThan(20);
    stuck.destroy();
    await expect.poll(waiting).toBe(0);
  }, 40_000);

  test("one without events lives on beyond the time after which the server closes what is silent", async () => {
    const gateway = await startGatewayOn(selo.database.appUrl, {}, { timeouts: { silenceMs: 2_000 } });
    const silent = net.connect(Number(new URL(gateway.baseUrl).port), "127.0.0.1").on("error", () => {});
    try {
      const stream = await open("", organization.test, gateway.baseUrl);
      const comments = () => stream.text().match(/^:$/gm)?.length ?? 0;
      await new Promise((closed) => {
        silent.once("close", closed);
        silent.write(
          `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
        );
      });
      await expect.poll(comments, { timeout: 30_000 }).toBeGreaterThanOrEqual(3);
      const proof = await register(organization.test);
      await expect.poll(() => stream.text(), { timeout: 30_000 }).toContain(proof);
      expect(stream.text()).not.toMatch(/^event: end$/m);
    } finally {
      silent.destroy();
      await gateway.stop();
    }
  });
});
