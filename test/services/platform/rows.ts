// Rows of the service, for tests that look at every table or view of all services.
import { createHash, randomUUID } from "node:crypto";
import type pg from "pg";
import type { TestGateway, TestOrganization } from "../../support/gateway.ts";

/** A row in every table that a new organization has none of: its token was used. */
export async function writeOne({ database }: TestGateway, { live }: TestOrganization): Promise<void> {
  await database.admin.query("select gateway.record_actor_use($1)", [[createHash("sha256").update(live).digest()]]);
}

/** Many rows of an organization in every table that a view reads, all with the same values but for keys. */
export async function writeMany(admin: pg.Pool, tenantId: string, count: number, text: "own" | "other"): Promise<void> {
  const rows = "generate_series(1, $2::integer) as number";
  const isOther = text === "other";
  await admin.query(
    `insert into platform.audit_events (tenant_id, environment, id, subject_type, subject_id, seq, action, actor_type, actor_id, channel,
       request_id, occurred_at, details, commitments, personal, prev_hash, hash)
     select $1, 'live', platform.uuidv7(), 'proof', $4::uuid, number + $6::integer, 'proof.registered', 'token', $5::uuid, 'rest', $3::text, now(),
       json_build_object('text', $3::text)::text, json_build_object('text', $3::text)::text,
       jsonb_build_object('address', jsonb_build_object('salt', 'x', 'value', $3::text)), sha256($3::text::bytea), sha256($3::text::bytea)
     from ${rows}`,
    [tenantId, count, text, randomUUID(), randomUUID(), isOther ? 0 : 100_000],
  );
  await admin.query(
    `insert into platform.credit_ledger (tenant_id, kind, amount, reason)
     select $1, 'icp_brasil', case number % 3 when 0 then -1 else 1 end * length($3::text), 'granted' from ${rows}`,
    [tenantId, count, text],
  );
  await admin.query(
    `insert into platform.tokens (tenant_id, environment, name, prefix, scopes)
     select $1, 'live', $3::text, 'svc_live_' || rpad($3::text, 6, '-'), array[$3::text] from ${rows}`,
    [tenantId, count, text],
  );
}
