// When an endpoint is disabled, what is told of it, and what becomes of deliveries that wait or are under way.
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Hook, WebhookStage } from "../../support/webhook-stage.ts";

let stage: WebhookStage;
beforeAll(async () => {
  stage = await WebhookStage.open();
});
afterAll(() => stage?.close());

const EMAIL = "ana@example.org";
const newHook = (answering: Parameters<WebhookStage["hook"]>[0]) => stage.hook(answering, { email: EMAIL });

async function mails(hook: Hook): Promise<{ kind: string; recipient: string; data: Record<string, unknown> }[]> {
  const { rows } = await stage.selo.database.admin.query(
    "select kind, recipient, data from platform.mails where tenant_id = $1 and kind = 'webhook_disabled'",
    [hook.organization.id],
  );
  return rows;
}

async function auditOf(hook: Hook): Promise<{ action: string; actor: string; details: object }[]> {
  const { rows } = await stage.selo.database.admin.query(
    "select action, actor_type as actor, details::jsonb - 'record_sha256' as details from platform.audit_events where subject_id = $1 order by seq",
    [hook.id],
  );
  return rows;
}

/** An answer that the test gives when it likes. */
function held() {
  const waiting: ServerResponse[] = [];
  return {
    answering: (_request: unknown, response: ServerResponse) => void waiting.push(response),
    answer: (status: number) => {
      for (const response of waiting.splice(0)) response.writeHead(status).end();
    },
  };
}

describe("410 Gone", () => {
  test("disables at once: recorded in the audit trail, mailed to the contact without the query of the address; the delivery is not tried again", async () => {
    const hook = await newHook(410);
    await hook.ask("PATCH", `/webhooks/${hook.id}`, { url: `${stage.receiver.url}${hook.path}?token=secret` });
    await hook.emit();
    expect(await hook.attempted(1)).toMatchObject([
      { status: "FAILED", response_status: 410, error_code: "http_status", next_attempt_at: null },
    ]);
    expect(await hook.endpoint()).toMatchObject({
      status: "DISABLED",
      disabled_reason: "gone",
      consecutive_failures: 1,
    });
    expect(await hook.queue()).toEqual([]);
    expect((await auditOf(hook)).at(-1)).toEqual({
      action: "webhook.disabled",
      actor: "system",
      details: { reason: "gone" },
    });
    expect(await mails(hook)).toMatchObject([
      {
        recipient: EMAIL,
        data: { reason: "gone", url: `${stage.receiver.url}${hook.path}`, failures: 1, environment: "test" },
      },
    ]);
    expect(JSON.stringify(await mails(hook))).not.toContain("secret");
  });

  test("to a retry by hand, where nothing failed before, disables too", async () => {
    const hook = await newHook(200);
    await hook.emit();
    const [first] = await hook.attempted(1);
    hook.answer(410);
    await hook.ask("POST", `/webhooks/deliveries/${first?.delivery_id}/retry`);
    expect((await hook.attempted(2))[1]).toMatchObject({ status: "FAILED", trigger: "manual", next_attempt_at: null });
    expect(await hook.endpoint()).toMatchObject({
      status: "DISABLED",
      disabled_reason: "gone",
      consecutive_failures: 0,
    });
    expect(await mails(hook)).toMatchObject([{ data: { failures: 0, failing_since: null } }]);
  });

  test("to a test event disables too, though nothing is counted", async () => {
    const hook = await newHook(410);
    await hook.ask("POST", `/webhooks/${hook.id}/test`);
    expect(await hook.attempted(1)).toMatchObject([{ status: "FAILED", trigger: "test", next_attempt_at: null }]);
    expect(await hook.endpoint()).toMatchObject({
      status: "DISABLED",
      disabled_reason: "gone",
      consecutive_failures: 0,
    });
  });

  test("of several attempts at once is one event and one mail", async () => {
    const { answering, answer } = held();
    const hook = await newHook(answering);
    await hook.emit(5);
    await expect.poll(() => hook.received.length).toBe(5);
    answer(410);
    await hook.attempted(5);
    expect(await mails(hook)).toHaveLength(1);
    expect((await auditOf(hook)).filter(({ action }) => action === "webhook.disabled")).toHaveLength(1);
  });
});

describe("at least 20 failures in a row, over at least 24 hours", () => {
  /** So many failures since so long, and one more attempt that fails. */
  async function failOnce(failures: number, since: string, options: { trigger?: string } = {}): Promise<Hook> {
    const hook = await newHook(500);
    await hook.emit();
    await hook.attempted(1);
    await hook.set(`consecutive_failures = ${failures}, failing_since = now() - interval '${since}'`);
    if (options.trigger === "manual") {
      const [first] = await hook.attempts();
      await hook.ask("POST", `/webhooks/deliveries/${first?.delivery_id}/retry`);
    } else {
      await hook.makeDue();
    }
    await hook.attempted(2);
    return hook;
  }

  test("disable: recorded, and mailed", async () => {
    const hook = await failOnce(19, "24 hours");
    expect(await hook.endpoint()).toMatchObject({
      status: "DISABLED",
      disabled_reason: "failing",
      consecutive_failures: 20,
    });
    expect((await auditOf(hook)).at(-1)).toMatchObject({ action: "webhook.disabled", details: { reason: "failing" } });
    expect(await mails(hook)).toMatchObject([{ data: { reason: "failing", failures: 20 } }]);
  });

  test.each([
    ["19 failures over 24 hours", 18, "24 hours"],
    ["20 failures over 23 hours 59 minutes", 19, "23 hours 59 minutes"],
    ["1000 failures over an hour", 999, "1 hour"],
  ])("%s do not", async (_what, before, since) => {
    const hook = await failOnce(before, since);
    expect(await hook.endpoint()).toMatchObject({ status: "ACTIVE", consecutive_failures: before + 1 });
    expect(await mails(hook)).toEqual([]);
  });

  test("retries by hand are not counted", async () => {
    const hook = await failOnce(19, "25 hours", { trigger: "manual" });
    expect(await hook.endpoint()).toMatchObject({ status: "ACTIVE", consecutive_failures: 19 });
  });

  test("failing begins with the first failure: the count and the time start anew after a success, and when it is enabled", async () => {
    const hook = await newHook(500);
    await hook.emit();
    const [first] = await hook.attempted(1);
    expect((await hook.endpoint())?.failing_since).toEqual(first?.requested_at);
    await hook.makeDue();
    await hook.attempted(2);
    expect(await hook.endpoint()).toMatchObject({ consecutive_failures: 2, failing_since: first?.requested_at });
    await hook.ask("POST", `/webhooks/${hook.id}/disable`);
    await hook.ask("POST", `/webhooks/${hook.id}/enable`);
    expect(await hook.endpoint()).toMatchObject({ consecutive_failures: 0, failing_since: null, status: "ACTIVE" });
    await hook.makeDue();
    await hook.attempted(3);
    expect((await hook.endpoint())?.consecutive_failures).toBe(1);
    hook.answer(200);
    await hook.makeDue();
    await hook.attempted(4);
    expect(await hook.endpoint()).toMatchObject({ consecutive_failures: 0, failing_since: null });
  });

  test("enabled again, what comes is delivered; what was skipped waits to be replayed", async () => {
    const hook = await failOnce(19, "25 hours");
    await hook.emit();
    expect((await hook.attempted(3))[2]).toMatchObject({ status: "SKIPPED", attempt: 0, requested_at: null });
    hook.answer(200);
    await hook.ask("POST", `/webhooks/${hook.id}/enable`);
    await hook.emit();
    expect((await hook.attempted(4))[3]).toMatchObject({ status: "SUCCEEDED", attempt: 1 });
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const replayed = await hook.ask("POST", `/webhooks/${hook.id}/replay`, { since, status: "SKIPPED" });
    expect(replayed.body).toMatchObject({ replayed: 1 });
    await expect
      .poll(async () => (await hook.attempts()).filter(({ status }) => status === "SUCCEEDED").length)
      .toBe(2);
    expect((await hook.attempts()).filter(({ status }) => status === "SKIPPED")).toEqual([]);
  });
});

describe("during retries", () => {
  test("disabling by hand mails nobody; what comes due is not attempted, and the attempts there were stay", async () => {
    const hook = await newHook(500);
    await hook.emit();
    await hook.attempted(1);
    await hook.ask("POST", `/webhooks/${hook.id}/disable`);
    await hook.makeDue();
    await expect.poll(() => hook.queue()).toEqual([]);
    expect(await hook.attempts()).toMatchObject([{ attempt: 1, status: "FAILED" }]);
    expect(hook.received).toHaveLength(1);
    expect(await mails(hook)).toEqual([]);
  });

  test("what waits for its first attempt when it is disabled becomes SKIPPED", async () => {
    await stage.stopWorker();
    const hook = await newHook(200);
    await hook.emit(3);
    await hook.ask("POST", `/webhooks/${hook.id}/disable`);
    await stage.startWorker();
    const skipped = await hook.attempted(3);
    for (const row of skipped)
      expect(row).toMatchObject({ status: "SKIPPED", attempt: 0, id: row.delivery_id, url: null });
    expect([await hook.queue(), hook.received]).toEqual([[], []]);
  });

  test("what waits for one that was enabled after a claim had looked is not skipped", async () => {
    await stage.stopWorker();
    const hook = await newHook(200);
    await hook.emit(2);
    const disabled = await newHook(200);
    await disabled.emit();
    await disabled.ask("POST", `/webhooks/${disabled.id}/disable`);
    // A claim found both disabled; since then the first was enabled, and these events were emitted for it.
    await stage.selo.database.admin.query("select webhooks.skip_deliveries($1)", [[hook.id, disabled.id]]);
    expect(await hook.queue()).toHaveLength(2);
    expect(await hook.attempts()).toEqual([]);
    expect(await disabled.attempts()).toMatchObject([{ status: "SKIPPED" }]);
    await stage.startWorker();
    expect(await hook.attempted(2)).toMatchObject([{ status: "SUCCEEDED" }, { status: "SUCCEEDED" }]);
  });

  test("what is under way when it is disabled ends as it ends", async () => {
    const { answering, answer } = held();
    const hook = await newHook(answering);
    await hook.emit(2);
    await expect.poll(() => hook.received.length).toBe(2);
    await hook.ask("POST", `/webhooks/${hook.id}/disable`);
    answer(200);
    expect((await hook.attempted(2)).map(({ status }) => status)).toEqual(["SUCCEEDED", "SUCCEEDED"]);
    expect(await hook.endpoint()).toMatchObject({ status: "DISABLED", disabled_reason: "manual" });
  });

  test("what is under way and fails when it is disabled, is tried again only if it is enabled in time", async () => {
    const { answering, answer } = held();
    const hook = await newHook(answering);
    await hook.emit();
    await expect.poll(() => hook.received.length).toBe(1);
    await hook.ask("POST", `/webhooks/${hook.id}/disable`);
    answer(500);
    expect(await hook.attempted(1)).toMatchObject([{ status: "FAILED", next_attempt_at: expect.any(Date) }]);
    await hook.ask("POST", `/webhooks/${hook.id}/enable`);
    hook.answer(200);
    await hook.makeDue();
    expect((await hook.attempted(2))[1]).toMatchObject({ status: "SUCCEEDED", attempt: 2 });
  });

  test("410 for what is under way does not disable again what was disabled by hand", async () => {
    const { answering, answer } = held();
    const hook = await newHook(answering);
    await hook.emit();
    await expect.poll(() => hook.received.length).toBe(1);
    await hook.ask("POST", `/webhooks/${hook.id}/disable`);
    answer(410);
    await hook.attempted(1);
    expect(await hook.endpoint()).toMatchObject({ status: "DISABLED", disabled_reason: "manual" });
    expect(await mails(hook)).toEqual([]);
  });

  test("deleting: what is under way is recorded, what fails or waits is attempted no more", async () => {
    const { answering, answer } = held();
    const hook = await newHook(answering);
    await hook.emit(2);
    await expect.poll(() => hook.received.length).toBe(2);
    expect((await hook.ask("DELETE", `/webhooks/${hook.id}`)).status).toBe(204);
    answer(500);
    const attempts = await hook.attempted(2);
    expect(attempts.map(({ status }) => status)).toEqual(["FAILED", "FAILED"]);
    await hook.makeDue();
    await expect.poll(() => hook.queue()).toEqual([]);
    expect(hook.received).toHaveLength(2);
    expect(await hook.attempts()).toHaveLength(2);
    expect((await hook.ask("POST", `/webhooks/deliveries/${attempts[0]?.id}/retry`)).status).toBe(409);
  });

  test("rotating: the retry is signed by the new secret and by the one before", async () => {
    const hook = await newHook(500);
    await hook.emit();
    await hook.attempted(1);
    const { secret } = (await hook.ask("POST", `/webhooks/${hook.id}/rotate`)).body;
    await hook.makeDue();
    await hook.attempted(2);
    const [, retried] = hook.received;
    for (const key of [secret, hook.secret]) {
      expect(await stage.receiver.verify(retried as NonNullable<typeof retried>, key)).toEqual({ valid: true });
    }
    expect(
      await stage.receiver.verify(retried as NonNullable<typeof retried>, `whsec_${"A".repeat(43)}`),
    ).toMatchObject({
      valid: false,
    });
  });
});
