// Rows of the service, for tests that look at every table or view of all services.
import { randomBytes, randomUUID } from "node:crypto";
import type pg from "pg";
import type { TestGateway, TestOrganization } from "../../support/gateway.ts";
import { call } from "../../support/rest-client.ts";

/** A row in every table of the service, written by requests of an organization: an event waits for one endpoint and is skipped for another. */
export async function writeOne(selo: TestGateway, { live: token }: TestOrganization): Promise<void> {
  const ask = async (path: string, body?: object) => {
    const answer = await call(selo, "POST", path, { token, ...(body ? { body } : {}) });
    if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}`);
    return answer.body;
  };
  const webhook = { url: "https://example.com/hook", event_types: ["*"] };
  await ask("/webhooks", webhook);
  const { id } = await ask("/webhooks", webhook);
  await ask(`/webhooks/${id}/disable`);
  await ask("/proofs", { sha256: randomBytes(32).toString("hex") });
}

/** Many rows of an organization in every table that a view reads, all with the same values but for keys. */
export async function writeMany(admin: pg.Pool, tenantId: string, count: number, text: "own" | "other"): Promise<void> {
  const rows = "generate_series(1, $2::integer) as number";
  const isOther = text === "other";
  const endpoint = randomUUID();
  await admin.query(
    `insert into webhooks.endpoints (tenant_id, id, environment, url, description, event_types, status, disabled_reason, sealed_secret,
       sealed_previous_secret, previous_secret_expires_at, consecutive_failures, failing_since, last_success_at)
     select $1, case number when 1 then $4::uuid else platform.uuidv7() end, 'live', 'https://example.com/' || $3::text, $3, array[$3::text],
       $5, $6, '\\x00', '\\x00', now() + interval '1 day', length($3), now(), now()
     from ${rows}`,
    [tenantId, count, text, endpoint, ...(isOther ? ["DISABLED", "manual"] : ["ACTIVE", null])],
  );
  await admin.query(
    `insert into webhooks.events (tenant_id, environment, id, type, occurred_at, body)
     select $1, 'live', platform.uuidv7(), $3::text, now(),
       json_build_object('project_id', $1::uuid, 'resource_id', $4::uuid, 'data', json_build_object('text', $3::text))::text
     from ${rows}`,
    [tenantId, count, text, endpoint],
  );
  await admin.query(
    `insert into webhooks.deliveries (tenant_id, id, environment, endpoint_id, event_id, event_type, trigger, due_at)
     select $1, platform.uuidv7(), 'live', $4, $4, $3, $5, now() from ${rows}`,
    [tenantId, count, text, endpoint, isOther ? "test" : "manual"],
  );
  await admin.query(
    `insert into webhooks.attempts (tenant_id, id, environment, endpoint_id, delivery_id, event_id, event_type, attempt, automatic_attempts,
       trigger, status, url, requested_at, duration_ms, response_status, response_body, truncated, error_code, error_detail, next_attempt_at)
     select $1, platform.uuidv7(), 'live', $4, $4, $4, $3, length($3::text), 1, $5, $6, 'https://example.com/' || $3::text, now(),
       length($3), 500 + length($3), $3, true, $3, $3, now()
     from ${rows}`,
    [tenantId, count, text, endpoint, ...(isOther ? ["test", "FAILED"] : ["manual", "SUCCEEDED"])],
  );
}
