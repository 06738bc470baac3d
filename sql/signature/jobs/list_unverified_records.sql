create function jobs.list_unverified_records(p_arguments jsonb) returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
      'id', waiting.record_id,
      'evidence', record.evidence,
      'evidence_fault', case when record.id is null then 'the record is gone' else signature.record_fault(record) end,
      'platform_signature', encode(record.platform_signature, 'hex'),
      'public_key', (select encode(key.public_key, 'hex') from platform.platform_keys as key where key.key_id = record.platform_key_id),
      'platform_signature_pq', encode(record.platform_signature_pq, 'hex'),
      'public_key_pq', (select encode(key.public_key, 'hex') from platform.platform_keys as key where key.key_id = record.platform_pq_key_id)
    )), '[]')
  from (
    select waiting.record_id from signature.unverified_records as waiting
    where waiting.tenant_id = platform.tenant_id() and waiting.environment = platform.environment() and waiting.failed_at is null
    order by waiting.record_id limit (p_arguments ->> 'limit')::integer
  ) as waiting
  left join signature.signature_records as record on record.tenant_id = platform.tenant_id() and record.id = waiting.record_id
$$;
comment on function jobs.list_unverified_records(jsonb) is 'The oldest {limit} waiting records of the context, with all that their verification needs. Bytes are hexadecimal.';
revoke execute on function jobs.list_unverified_records(jsonb) from public;
