// Rows of the service, for tests that look at every table or view of all services.
import { randomBytes } from "node:crypto";
import type pg from "pg";
import type { TestGateway, TestOrganization } from "../../support/gateway.ts";
import { call } from "../../support/rest-client.ts";
import { writeOneEnvelope } from "./envelope-isolation.ts";

/** A row in every table of the service, written by requests of an organization; and a kept answer of the platform's. */
export async function writeOne(selo: TestGateway, { id, live: token }: TestOrganization): Promise<void> {
  const body = { sha256: randomBytes(32).toString("hex") };
  const { status } = await call(selo, "POST", "/proofs", { token, body, headers: { "idempotency-key": "one" } });
  if (status !== 201) throw new Error(`a proof was answered ${status}`);
  await writeOneEnvelope({ selo, tenantId: id, token, environment: "live" });
}

/** Many rows of an organization in every table that a view reads, all with the same values but for keys. */
export async function writeMany(admin: pg.Pool, tenantId: string, count: number, text: "own" | "other"): Promise<void> {
  const rows = "generate_series(1, $2::integer) as number";
  const isOther = text === "other";
  await admin.query(
    `insert into signature.proofs (tenant_id, id, environment, sha256, label, file_name, file_size, language, registered_at,
       verification_code, evidence, platform_key_id, platform_signature, platform_pq_key_id, platform_signature_pq)
     select $1, platform.uuidv7(), 'live', sha256(convert_to($3::text || number, 'UTF8')), $3, $3, $4::bigint, $3, now(), $3,
       json_build_object('organization', $3::text)::text, $3, decode(repeat($5, 64), 'hex'), $3, decode(repeat($5, 4627), 'hex')
     from ${rows}`,
    [tenantId, count, text, ...(isOther ? [5, "ab"] : [null, "cd"])],
  );
  await admin.query(
    `insert into signature.documents (tenant_id, id, environment, filename, status, reason, size, sha256, pages, object_id, created_at, checked_at)
     select $1, platform.uuidv7(), 'live', $3::text, $4, $5, $6::bigint, sha256($3::text::bytea), $7::jsonb,
       case $4 when 'ready' then gen_random_uuid() end, now(), now()
     from ${rows}`,
    [
      tenantId,
      count,
      text,
      ...(isOther ? ["quarantined", "bomb", 5, "[]"] : ["ready", null, 7, '[{"width": 612, "height": 792}]']),
    ],
  );
}
