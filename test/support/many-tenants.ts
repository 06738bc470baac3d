import { randomUUID } from "node:crypto";
import type pg from "pg";

/** How many rows each organization gets. */
const ROWS = { endpoints: 30, events: 40, auditEvents: 90, proofs: 8 };

/**
 * Writes rows of many organizations straight into the tables, as they lie after some days of use: events and attempts of today
 * and of days that passed, a queue, a chain of three audit events for each subject. Answers the organizations' ids, the first of
 * which has `firstHas` times as many rows as each of the others.
 */
export async function writeManyTenants(admin: pg.Pool | pg.Client, count: number, firstHas: number): Promise<string[]> {
  // The greatest id is the first one's. Which plan is cheaper depends on how far rows lie in the order of their organizations: were
  // that left to chance, two plans would cost almost the same in some databases.
  const ids = Array.from({ length: count }, () => randomUUID())
    .sort()
    .reverse();
  await admin.query(
    "insert into platform.organizations (id, name) select id, 'Of many' from unnest($1::uuid[]) as id",
    [ids],
  );
  await admin.query(
    "insert into platform.projects (tenant_id, environment) select id, environment from unnest($1::uuid[]) as id, unnest(array['live', 'test']) as environment",
    [ids],
  );
  const rows = (each: number) =>
    `unnest($1::uuid[]) with ordinality as tenant (id, place), generate_series(1, ${each} * case place when 1 then ${firstHas} else 1 end) as number`;
  const ago = "(number % 3) * interval '1 day'";
  // Time-ordered, like those of rows that were written then.
  const idThen = `overlay(platform.uuidv7_at(now() - ${ago})::text placing right(gen_random_uuid()::text, 22) from 15)::uuid`;
  await admin.query(
    `insert into webhooks.endpoints (tenant_id, id, environment, url, event_types, sealed_secret)
     select tenant.id, platform.uuidv7(), 'live', 'https://example.com/', array['*'], '\\x00'
     from unnest($1::uuid[]) as tenant (id), generate_series(1, ${ROWS.endpoints})`,
    [ids],
  );
  await admin.query(
    `insert into webhooks.events (tenant_id, environment, id, type, occurred_at, body)
     select tenant.id, 'live', ${idThen}, 'proof.registered', now() - ${ago}, '{}' from ${rows(ROWS.events)}`,
    [ids],
  );
  await admin.query(
    `insert into webhooks.attempts (tenant_id, id, environment, endpoint_id, delivery_id, event_id, event_type, attempt, automatic_attempts,
       trigger, status, url, requested_at, duration_ms, response_status)
     select event.tenant_id, event.id, 'live', endpoint.id, event.id, event.id, event.type, 1, 1, 'auto',
       case when random() < 0.1 then 'FAILED' else 'SUCCEEDED' end, endpoint.url, event.occurred_at, 20, 200
     from webhooks.events as event
     cross join lateral (
       select found.id, found.url from webhooks.endpoints as found where found.tenant_id = event.tenant_id
       order by md5(found.id::text || event.id) limit 1
     ) as endpoint
     where event.tenant_id = any ($1)`,
    [ids],
  );
  await admin.query(
    `insert into webhooks.deliveries (tenant_id, id, environment, endpoint_id, event_id, event_type, ready, due_at)
     select attempt.tenant_id, platform.uuidv7(), 'live', attempt.endpoint_id, attempt.event_id, attempt.event_type,
       random() < 0.5, now() + interval '1 hour'
     from webhooks.attempts as attempt where attempt.tenant_id = any ($1) and attempt.id >= platform.uuidv7_at(now() - interval '1 hour')`,
    [ids],
  );
  await admin.query(
    `insert into platform.audit_events (tenant_id, environment, id, subject_type, subject_id, seq, action, actor_type, actor_id, channel,
       request_id, occurred_at, details, commitments, prev_hash, hash)
     select tenant.id, 'live', platform.uuidv7(), 'proof', md5(tenant.id::text || number / 3)::uuid, number % 3 + 1,
       case when number % 50 = 0 then 'token.created' else 'proof.registered' end, 'token', md5(tenant.id::text || number % 4)::uuid, 'rest',
       gen_random_uuid()::text, now() - ${ago}, '{}', '{}', sha256('x'), sha256('x')
     from ${rows(ROWS.auditEvents)}`,
    [ids],
  );
  await admin.query(
    `insert into signature.proofs (tenant_id, id, environment, sha256, label, file_name, language, registered_at,
       verification_code, evidence, platform_key_id, platform_signature, platform_pq_key_id, platform_signature_pq)
     select tenant.id, ${idThen}, 'live', sha256(convert_to(tenant.id::text || number, 'UTF8')), 'Contract ' || number, 'contract.pdf', 'en',
       now() - ${ago}, gen_random_uuid()::text, '{}', 'key', decode(repeat('ab', 64), 'hex'), 'key', decode(repeat('ab', 4627), 'hex')
     from ${rows(ROWS.proofs)}`,
    [ids],
  );
  return ids;
}
