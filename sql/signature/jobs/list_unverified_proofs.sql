create function jobs.list_unverified_proofs(p_arguments jsonb) returns jsonb
  language sql stable set search_path = ''
  -- Each proof is looked up by its id, which has no statistics: another kind of join would read every proof.
  set enable_hashjoin = off set enable_mergejoin = off as $$
  select coalesce(jsonb_agg(jsonb_build_object(
      'id', waiting.proof_id,
      'evidence', proof.evidence,
      'evidence_fault', case when proof.id is null then 'the proof is gone' else signature.evidence_fault(proof) end,
      'platform_signature', encode(proof.platform_signature, 'hex'),
      'public_key', (select encode(key.public_key, 'hex') from platform.platform_keys as key where key.key_id = proof.platform_key_id),
      'platform_signature_pq', encode(proof.platform_signature_pq, 'hex'),
      'public_key_pq', (select encode(key.public_key, 'hex') from platform.platform_keys as key where key.key_id = proof.platform_pq_key_id)
    )), '[]')
  from (
    select waiting.proof_id from signature.unverified_proofs as waiting
    where waiting.tenant_id = platform.tenant_id() and waiting.environment = platform.environment() and waiting.failed_at is null
    order by waiting.proof_id limit (p_arguments ->> 'limit')::integer
  ) as waiting
  left join signature.proofs as proof on proof.tenant_id = platform.tenant_id() and proof.id = waiting.proof_id
$$;
comment on function jobs.list_unverified_proofs(jsonb) is 'The oldest {limit} waiting proofs of the context, with all that their verification needs. Bytes are hexadecimal.';
revoke execute on function jobs.list_unverified_proofs(jsonb) from public;
