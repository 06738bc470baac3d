// Rows of the service, for tests that look at every table or view of all services.
import { randomUUID } from "node:crypto";
import type pg from "pg";
import { issueKey } from "../../../src/services/dns/store.ts";
import type { TestGateway, TestOrganization } from "../../support/gateway.ts";
import { writeZones } from "./write-zone.ts";

/** A key, a signed zone with records and changes, and a deleted zone. */
export async function writeOne(selo: TestGateway, organization: TestOrganization): Promise<void> {
  const { secret } = await issueKey(selo.operator, organization.id, "rows");
  await writeZones(selo, organization, secret, `rows-${organization.number}.example`);
}

/** Many rows of an organization in every table that a view reads, all with the same values but for keys. */
export async function writeMany(admin: pg.Pool, tenantId: string, count: number, text: "own" | "other"): Promise<void> {
  const isOther = text === "other";
  // A name is in the service once. The nameservers are the same for all rows.
  const { rows } = await admin.query<{ id: number }>(
    `insert into dns.zones (tenant_id, name, status, nameservers, serial, checked_at)
     select $1, $3::text || '-' || $5::text || '-' || number || '.test', $4, array[$3::text], 1, now()
     from generate_series(1, $2::integer) as number returning id`,
    [tenantId, count, text, isOther ? "moved" : "pending", randomUUID()],
  );
  await admin.query(
    `insert into dns.records (tenant_id, zone_id, name, type, content, ttl, priority, disabled, comment)
     select $1, $4, $3, $5, $3, 60 + length($3), length($3), $6, $3 from generate_series(1, $2::integer) as number`,
    [tenantId, count, text, rows[0]?.id, isOther ? "SRV" : "MX", isOther],
  );
  await admin.query(
    `insert into dns.changes (tenant_id, zone_id, serial, at, key_id, request_id, added, removed)
     select $1, $4, number, now(), length($3), $3, $5::json, $6::json from generate_series(1, $2::integer) as number`,
    [tenantId, count, text, rows[0]?.id, isOther ? "[{},{}]" : "[{}]", isOther ? "[{},{},{}]" : "[]"],
  );
  await admin.query(
    `insert into dns.dnssec_keys (tenant_id, zone_id, key_tag, dnskey, ds_records, private_sha256, sealed_private_key)
     select $1, $4, number, '257 3 13 ' || rpad('', 86, $3) || '==', array[$3, $3], sha256($3::bytea), $3::bytea from generate_series(1, least($2::integer, 65535)) as number`,
    [tenantId, count, text, rows[0]?.id],
  );
}
