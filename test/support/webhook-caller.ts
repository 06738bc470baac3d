import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { TestGateway, TestOrganization } from "./gateway.ts";
import { call, type RestRequest, type RestResponse } from "./rest-client.ts";

/** What webhooks are asked as one organization, with its test token unless said otherwise. */
export interface WebhookCaller {
  ask(method: string, path: string, body?: object, request?: RestRequest): Promise<RestResponse>;
  /** A webhook as it was registered, with its secret. */
  // biome-ignore lint/suspicious/noExplicitAny: expectations look into it
  register(input?: object): Promise<any>;
}

export function webhookCaller(selo: TestGateway, token: string): WebhookCaller {
  const ask: WebhookCaller["ask"] = (method, path, body, request = {}) =>
    call(selo, method, path, { token, ...(body === undefined ? {} : { body }), ...request });
  const register = async (input: object = {}) => {
    const body = { url: "https://example.com/hook", event_types: ["*"], ...input };
    const answer = await ask("POST", "/webhooks", body);
    expect(answer.status).toBe(201);
    return answer.body;
  };
  return { ask, register };
}

export interface Fact {
  readonly type: string;
  readonly environment?: "live" | "test";
  readonly resourceId?: string;
  /** An object, or the JSON itself. */
  readonly data?: object | string;
  readonly occurredAt?: string;
  /** Whether the transaction is undone in the end. */
  readonly isRolledBack?: true;
}

/** Emits an event, as the transaction of a fact does; answers its uuid. */
export async function emit({ database }: TestGateway, { id }: TestOrganization, fact: Fact): Promise<string> {
  const { type, environment = "test", resourceId = randomUUID(), data = {}, occurredAt } = fact;
  const client = await database.admin.connect();
  try {
    await client.query("begin");
    await client.query("set local role selo_owner");
    await client.query("select platform.enter_context($1, $2, null, null, null)", [id, environment]);
    const { rows } = await client.query<{ id: string }>(
      "select webhooks.emit_event($1, $2, $3, coalesce($4::timestamptz, clock_timestamp())) as id",
      [type, resourceId, typeof data === "string" ? data : JSON.stringify(data), occurredAt ?? null],
    );
    await client.query(fact.isRolledBack ? "rollback" : "commit");
    return rows[0]?.id ?? "";
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}

interface Leased {
  readonly tenant_id: string;
  readonly endpoint_id: string;
  readonly delivery_id: string;
  readonly attempt_id: string;
  readonly url: string;
  readonly body: string;
}

/** Leases everything that is due, as a dispatcher does. */
export async function claim({ database }: TestGateway): Promise<Leased[]> {
  const { rows } = await database.admin.query<Leased>(
    "select * from jobs.claim_deliveries($1, false, '00000000-0000-0000-0000-000000000000', '{}', '{}', 500)",
    [randomUUID()],
  );
  return rows;
}

export interface Outcome {
  readonly response_status?: number;
  readonly response_body?: string;
  readonly truncated?: boolean;
  /** Null: it succeeded. */
  readonly error_code?: string | null;
  readonly error_detail?: string | null;
  readonly duration_ms?: number;
}

/** Records the same outcome of each. */
export async function record({ database }: TestGateway, leased: readonly Leased[], outcome: Outcome): Promise<void> {
  const results = leased.map(({ tenant_id, delivery_id, attempt_id, url }) => ({
    tenant_id,
    delivery_id,
    attempt_id,
    url,
    requested_at_ms: Date.now(),
    duration_ms: 12,
    response_status: 200,
    response_body: "ok",
    truncated: false,
    error_code: null,
    ...outcome,
  }));
  const { rows } = await database.admin.query<{ taken: string[] }>("select jobs.record_attempts($1) as taken", [
    JSON.stringify(results),
  ]);
  expect(rows[0]?.taken.length).toBe(leased.length);
}

/** Everything that is due is attempted, with this outcome; answers how many. */
export async function deliver(selo: TestGateway, outcome: Outcome): Promise<number> {
  const leased = await claim(selo);
  await record(selo, leased, outcome);
  return leased.length;
}

/** The actions about a webhook in the audit trail, the first first; without the digests of its record, see test/services/platform/audit-coverage.test.ts. */
export async function auditOf({ database }: TestGateway, id: string): Promise<{ action: string; details: object }[]> {
  const { rows } = await database.admin.query<{ action: string; details: object }>(
    "select action, details::jsonb - 'record_sha256' as details from platform.audit_events where subject_id = $1 order by seq",
    [id],
  );
  return rows;
}
