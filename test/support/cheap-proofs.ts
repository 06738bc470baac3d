import type { TestGateway } from "./gateway.ts";

/** Rows of proofs in test that nothing signed: a lightweight stand-in for very many registrations, a second apart, labelled `bulk 1` and on. */
export async function insertProofs(
  { database }: Pick<TestGateway, "database">,
  tenantId: string,
  count: number,
): Promise<void> {
  const client = await database.admin.connect();
  try {
    await client.query("begin");
    await client.query("set local session_replication_role = replica");
    await client.query(
      `insert into signature.proofs (tenant_id, id, environment, sha256, label, language, registered_at, verification_code,
         evidence, platform_key_id, platform_signature, platform_pq_key_id, platform_signature_pq)
       select $1::uuid, gen_random_uuid(), 'test', sha256(convert_to($1::uuid || ' ' || n, 'UTF8')), 'bulk ' || n, 'en',
         timestamptz '2026-01-01' + n * interval '1 second', '0000-0000-0000', '{}', 'none',
         decode(repeat('00', 64), 'hex'), 'none', decode(repeat('00', 4627), 'hex')
       from generate_series(1, $2::int) as n`,
      [tenantId, count],
    );
    await client.query("commit");
  } finally {
    client.release();
  }
}
