// What an attempt is: what is posted, what counts as success, and what is kept of the answer.
import { execFileSync } from "node:child_process";
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inContext } from "../../support/owner.ts";
import { type Hook, WebhookStage } from "../../support/webhook-stage.ts";

let stage: WebhookStage;
beforeAll(async () => {
  stage = await WebhookStage.open();
});
afterAll(() => stage?.close());

/** Another program's HMAC over the same bytes. */
function signedByPython(secret: string, timestamp: string, body: string): string {
  const program =
    "import hashlib, hmac, json, sys; given = json.load(sys.stdin); print(hmac.new(given['secret'].encode(), (given['timestamp'] + '.' + given['body']).encode(), hashlib.sha256).hexdigest())";
  return execFileSync("python3", ["-c", program], { input: JSON.stringify({ secret, timestamp, body }) })
    .toString()
    .trim();
}

const ended = (answer: (response: ServerResponse) => void) => (_request: unknown, response: ServerResponse) =>
  answer(response);

describe("what is posted", () => {
  test("carries exactly the documented headers, signed over timestamp and raw bytes, as python3 signs them", async () => {
    const hook = await stage.hook();
    const before = Date.now();
    const [event] = await hook.emit();
    await hook.attempted(1);
    const [delivery] = hook.received;
    const headers = delivery?.headers ?? {};
    expect(headers).toEqual({
      host: new URL(stage.receiver.url).host,
      connection: "keep-alive",
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(delivery?.body ?? "")),
      "user-agent": "Selo-Webhooks/1",
      "x-webhook-timestamp": expect.stringMatching(/^\d{10}$/),
      "x-webhook-signature": expect.stringMatching(/^v1=[0-9a-f]{64}$/),
      "x-webhook-id": `evt_${event?.replaceAll("-", "")}`,
      "x-webhook-attempt": "1",
    });
    const timestamp = String(headers["x-webhook-timestamp"]);
    expect(Number(timestamp)).toBeGreaterThanOrEqual(Math.floor(before / 1_000));
    expect(Number(timestamp)).toBeLessThanOrEqual(Date.now() / 1_000);
    expect(headers["x-webhook-signature"]).toBe(`v1=${signedByPython(hook.secret, timestamp, delivery?.body ?? "")}`);
    const { rows } = await stage.selo.database.admin.query("select body from webhooks.events where id = $1", [event]);
    expect(delivery?.body).toBe(rows[0].body);
  });

  test("is found by polling where nobody was told of it", async () => {
    const hook = await stage.hook();
    const { admin } = stage.selo.database;
    // What says that a dispatcher waits to be told.
    await expect
      .poll(async () => (await admin.query("select from webhooks.dispatchers where is_idle")).rowCount)
      .toBe(1);
    await admin.query("delete from webhooks.dispatchers");
    await hook.emit();
    await hook.attempted(1);
  });

  test("is the same bytes under the same id with every attempt; timestamp, signature and number are new", async () => {
    const hook = await stage.hook(500);
    await hook.emit();
    const [first] = await hook.attempted(1);
    // The timestamp counts seconds.
    await expect
      .poll(() => Math.floor(Date.now() / 1_000))
      .toBeGreaterThan(Math.floor(Number(first?.requested_at) / 1_000));
    await hook.makeDue();
    await hook.attempted(2);
    const [one, two] = hook.received;
    expect(two?.body).toBe(one?.body);
    expect(two?.headers["x-webhook-id"]).toBe(one?.headers["x-webhook-id"]);
    expect([one, two].map((delivery) => delivery?.headers["x-webhook-attempt"])).toEqual(["1", "2"]);
    expect(Number(two?.headers["x-webhook-timestamp"])).toBeGreaterThan(Number(one?.headers["x-webhook-timestamp"]));
    for (const delivery of [one, two]) {
      const by = signedByPython(hook.secret, String(delivery?.headers["x-webhook-timestamp"]), delivery?.body ?? "");
      expect(delivery?.headers["x-webhook-signature"]).toBe(`v1=${by}`);
    }
  });

  test("after a rotation is signed by both secrets for 24 hours, by a second rotation the oldest no more, then by one only", async () => {
    const hook = await stage.hook();
    const rotate = async () => (await hook.ask("POST", `/webhooks/${hook.id}/rotate`)).body.secret as string;
    const next = async (count: number) => {
      await hook.emit();
      await hook.attempted(count);
      const { headers, body } = hook.received.at(-1) as (typeof hook.received)[number];
      const by = (secret: string) => `v1=${signedByPython(secret, String(headers["x-webhook-timestamp"]), body)}`;
      return { signature: headers["x-webhook-signature"], previous: headers["x-webhook-signature-previous"], by };
    };
    const second = await rotate();
    const rotated = await next(1);
    expect(rotated.signature).toBe(rotated.by(second));
    expect(rotated.previous).toBe(rotated.by(hook.secret));
    const third = await rotate();
    const twice = await next(2);
    expect(twice.signature).toBe(twice.by(third));
    expect(twice.previous).toBe(twice.by(second));
    await hook.set("previous_secret_expires_at = previous_secret_expires_at - interval '23 hours 59 minutes'");
    expect((await next(3)).previous).toMatch(/^v1=/);
    await hook.set("previous_secret_expires_at = previous_secret_expires_at - interval '1 minute'");
    const late = await next(4);
    expect(late.previous).toBeUndefined();
    expect(late.signature).toBe(late.by(third));
  });

  test("goes to the present address, signed with the present secret, whatever they were at the attempt before", async () => {
    const hook = await stage.hook(500);
    await hook.emit();
    await hook.attempted(1);
    const moved = `${stage.receiver.url}${hook.path}?moved=1`;
    expect((await hook.ask("PATCH", `/webhooks/${hook.id}`, { url: moved })).status).toBe(200);
    const { secret } = (await hook.ask("POST", `/webhooks/${hook.id}/rotate`)).body;
    hook.answer(200);
    await hook.makeDue();
    const [first, second] = await hook.attempted(2);
    expect([first?.url, second?.url]).toEqual([`${stage.receiver.url}${hook.path}`, moved]);
    const retried = hook.received[1] as (typeof hook.received)[number];
    expect(retried.path).toBe(`${hook.path}?moved=1`);
    expect(retried.headers["x-webhook-signature"]).toBe(
      `v1=${signedByPython(secret, String(retried.headers["x-webhook-timestamp"]), retried.body)}`,
    );
  });
});

describe("what cannot be signed", () => {
  test("is not posted, and keeps nothing else from being posted; it is when the secret opens again", async () => {
    const [sealed, other] = [await stage.hook(), await stage.hook()];
    const { admin } = stage.selo.database;
    const { rows } = await admin.query("select sealed_secret from webhooks.endpoints where id = $1", [sealed.id]);
    await sealed.set("sealed_secret = overlay(sealed_secret placing '\\x00000000' from 20)");
    await sealed.emit();
    await other.emit(3);
    await other.attempted(3);
    await expect.poll(async () => (await sealed.queue())[0]?.attempt_id).toBeTruthy();
    expect([sealed.received, await sealed.attempts()]).toEqual([[], []]);
    await admin.query("update webhooks.endpoints set sealed_secret = $2 where id = $1", [
      sealed.id,
      rows[0].sealed_secret,
    ]);
    await admin.query("update webhooks.deliveries set leased_until = clock_timestamp() where endpoint_id = $1", [
      sealed.id,
    ]);
    expect(await sealed.attempted(1)).toMatchObject([{ status: "SUCCEEDED", attempt: 1 }]);
  });
});

describe("an event as great as events may be", () => {
  test("arrives whole", async () => {
    const hook = await stage.hook();
    const data = JSON.stringify({ message_id: "é".repeat(131_000) });
    expect(Buffer.byteLength(data)).toBeGreaterThan(262_000);
    await inContext(stage.owner, hook.organization.id, "test", (client) =>
      client.query("select webhooks.emit_event('message.delivered', platform.uuidv7(), $1, clock_timestamp())", [data]),
    );
    await hook.attempted(1);
    const [delivery] = hook.received;
    expect(delivery?.body).toContain(data);
    expect(await stage.receiver.verify(delivery as NonNullable<typeof delivery>, hook.secret)).toEqual({ valid: true });
  });
});

describe("success", () => {
  test.each([200, 201, 202, 204, 299])("is %i, with whatever answer", async (status) => {
    const hook = await stage.hook(status);
    await hook.emit();
    expect(await hook.attempted(1)).toMatchObject([
      { status: "SUCCEEDED", response_status: status, error_code: null, next_attempt_at: null, attempt: 1 },
    ]);
    expect(await hook.queue()).toEqual([]);
    expect(await hook.endpoint()).toMatchObject({ consecutive_failures: 0, last_success_at: expect.any(Date) });
  });

  test.each([301, 302, 303, 307, 308])("is not %i: a redirect is not followed, and fails", async (status) => {
    const hook = await stage.hook();
    hook.answer(ended((response) => response.writeHead(status, { location: `${stage.receiver.url}/elsewhere` }).end()));
    await hook.emit();
    expect(await hook.attempted(1)).toMatchObject([
      { status: "FAILED", response_status: status, error_code: "redirect", next_attempt_at: expect.any(Date) },
    ]);
    expect(stage.receiver.received.filter(({ path }) => path === "/elsewhere")).toEqual([]);
  });

  test.each([304, 400, 401, 404, 500, 502, 599])("is not %i: it fails and is tried again", async (status) => {
    const hook = await stage.hook(status);
    await hook.emit();
    expect(await hook.attempted(1)).toMatchObject([
      {
        status: "FAILED",
        response_status: status,
        error_code: status === 304 ? "redirect" : "http_status",
        next_attempt_at: expect.any(Date),
      },
    ]);
    expect(await hook.queue()).toMatchObject([{ attempts: 1, automatic_attempts: 1, ready: false }]);
  });
});

describe("what is kept of the answer", () => {
  async function answered(bytes: Buffer): Promise<{ body: string | null; truncated: boolean }> {
    const hook: Hook = await stage.hook();
    hook.answer(ended((response) => response.writeHead(200).end(bytes)));
    await hook.emit();
    const [attempt] = await hook.attempted(1);
    const { body } = await hook.ask("GET", `/webhooks/${hook.id}/deliveries`);
    expect(body.items).toMatchObject([{ response_body: attempt?.response_body, truncated: attempt?.truncated }]);
    expect(attempt?.status).toBe("SUCCEEDED");
    return { body: attempt?.response_body ?? null, truncated: attempt?.truncated ?? false };
  }

  test("is all of exactly 16 KiB", async () => {
    expect(await answered(Buffer.alloc(16_384, "x"))).toEqual({ body: "x".repeat(16_384), truncated: false });
  });

  test("is the first 16 KiB of one byte more, which is said", async () => {
    expect(await answered(Buffer.alloc(16_385, "x"))).toEqual({ body: "x".repeat(16_384), truncated: true });
  });

  test("is an empty text for nothing", async () => {
    expect(await answered(Buffer.alloc(0))).toEqual({ body: "", truncated: false });
  });

  test("shows NUL and what is no UTF-8 as U+FFFD, and keeps everything else", async () => {
    expect(await answered(Buffer.from([0x61, 0x00, 0xff, 0xfe, 0xc3, 0xa9, 0xf0, 0x9f]))).toEqual({
      body: "a\uFFFD\uFFFD\uFFFDé\uFFFD",
      truncated: false,
    });
    const every = Buffer.from(Array.from({ length: 1_024 }, (_, place) => place % 256));
    expect((await answered(every)).body).toBe(every.toString("utf8").replaceAll("\0", "\uFFFD"));
  });
});
