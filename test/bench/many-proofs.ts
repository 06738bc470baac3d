import type pg from "pg";

/** At once; a statement of all of them would show nothing of its progress. */
const PER_STATEMENT = 50_000;

/**
 * Writes so many live proofs of one organization straight into the tables, 13 seconds apart, the newest now. Rows have
 * the size of real ones and are stored as they are; only the signatures are the same bytes in each, and verify nothing.
 * Labels and file names are of a few usual kinds, with numbers in them; a fifth has no label.
 */
export async function writeManyProofs(admin: pg.Pool, tenantId: string, count: number): Promise<void> {
  // Nothing that a benchmark writes has to outlive a power cut, and indexes are made faster than kept.
  await admin.query(`alter table signature.proofs set unlogged;
    drop index signature.proofs_label_trigrams; drop index signature.proofs_file_name_trigrams`);
  for (let first = 1; first <= count; first += PER_STATEMENT) {
    await admin.query(INSERT, [tenantId, first, Math.min(first + PER_STATEMENT - 1, count), count]);
  }
  await admin.query(`set maintenance_work_mem = '512MB';
    create index proofs_label_trigrams on signature.proofs using gin (label extensions.gin_trgm_ops);
    create index proofs_file_name_trigrams on signature.proofs using gin (file_name extensions.gin_trgm_ops)`);
  await admin.query("vacuum (analyze) signature.proofs");
}

const INSERT = `
  with drafted as (
    select number, platform.uuidv7() as id, sha256(convert_to('file ' || number, 'UTF8')) as sha256,
      case number % 10
        when 0 then null
        when 5 then null
        when 1 then 'Service agreement ' || number
        when 2 then 'Contract ' || number
        when 3 then 'Contract with Ferreira & Filhos, annex ' || number % 97
        when 4 then 'Invoice 2026-' || lpad(number::text, 7, '0')
        when 6 then 'Minutes of the meeting of ' || (date '2020-01-01' + (number % 2000)::integer)
        when 7 then 'Ação judicial nº ' || number
        when 8 then 'Power of attorney ' || md5(number::text)
        else 'Delivery note ' || number
      end as label,
      case number % 4
        when 0 then 'contract-' || number || '.pdf'
        when 1 then 'scan_' || to_char(date '2020-01-01' + (number % 2000)::integer, 'YYYYMMDD') || '_' || number || '.jpg'
        when 2 then 'NFe' || lpad(number::text, 44, '3') || '.xml'
        else md5('name ' || number) || '.docx'
      end as file_name,
      now() - ($4::bigint - number) * interval '13 seconds' as registered_at,
      upper(substr(md5('code ' || number), 1, 4) || '-' || substr(md5('code ' || number), 5, 4) || '-' || lpad(to_hex(number), 5, '0')) as code
    from generate_series($2::bigint, $3::bigint) as number
  ), keys as (
    select max(key_id) filter (where algorithm = 'Ed25519') as key_id, max(key_id) filter (where algorithm = 'ML-DSA-87') as pq_key_id
    from platform.platform_keys where environment = 'live' and status = 'active'
  )
  insert into signature.proofs (tenant_id, id, environment, sha256, label, file_name, file_size, language, registered_at,
    verification_code, evidence, platform_key_id, platform_signature, platform_pq_key_id, platform_signature_pq)
  select $1, drafted.id, 'live', drafted.sha256, drafted.label, drafted.file_name, drafted.number * 100, 'en', drafted.registered_at,
    drafted.code,
    json_build_object('file_name', drafted.file_name, 'file_size', drafted.number * 100, 'hash_algorithm', 'SHA-256', 'hybrid_policy', 'AND',
      'key_id', keys.key_id, 'kind', 'existence_proof', 'label', drafted.label, 'organization', 'Test Organization',
      'pq_key_id', keys.pq_key_id, 'proof_id', drafted.id, 'registered_at', platform.instant(drafted.registered_at), 'schema_version', 1,
      'sha256', encode(drafted.sha256, 'hex'), 'tenant_id', $1::uuid, 'time_source', 'platform_server_clock_utc',
      'verification_code', drafted.code)::text,
    keys.key_id, decode(repeat('5e', 64), 'hex'), keys.pq_key_id, decode(repeat('5e', 4627), 'hex')
  from drafted, keys`;
