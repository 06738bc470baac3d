create or replace function signature.refuse_forged_evidence(p_proofs jsonb) returns void
  language plpgsql stable set search_path = '' as $$
declare
  c_now constant timestamptz := clock_timestamp();
  v_expected jsonb;
  v_key_ids text[];
  v_pq_key_ids text[];
begin
  -- The members that all evidence of an organization shares, as gateway.prepare_proofs writes them.
  select jsonb_build_object('kind', 'existence_proof', 'schema_version', 1, 'hash_algorithm', 'SHA-256',
      'time_source', 'platform_server_clock_utc', 'hybrid_policy', 'AND',
      'tenant_id', organization.id, 'organization', organization.name)
    into v_expected
  from platform.organizations as organization where organization.id = platform.tenant_id();
  select array_agg(key.key_id) filter (where key.algorithm = 'Ed25519'), array_agg(key.key_id) filter (where key.algorithm = 'ML-DSA-87')
    into v_key_ids, v_pq_key_ids
  from platform.sealing_keys() as key where key.environment = platform.environment();

  if exists (
    select
    from jsonb_to_recordset(p_proofs) as item (sha256 text, proof_id text, evidence text)
    cross join lateral (select item.evidence::jsonb as members offset 0) as signed
    cross join lateral (select (signed.members ->> 'registered_at')::timestamptz as registered_at offset 0) as dated
    where item.evidence is not null and (
      signed.members @> v_expected
      and (signed.members ->> 'sha256', signed.members ->> 'proof_id') = (item.sha256, item.proof_id)
      and dated.registered_at between c_now - interval '2 minutes' and c_now + interval '1 second'
      -- The text of the instant must have the canonical form: another reader must not read another time.
      and signed.members ->> 'registered_at' = platform.instant(dated.registered_at)
      and signed.members ->> 'key_id' = any (v_key_ids)
      and signed.members ->> 'pq_key_id' = any (v_pq_key_ids)
    ) is not true
  ) then
    raise exception 'the evidence differs from what prepare_proofs made in the last two minutes' using errcode = 'check_violation';
  end if;
end
$$;
comment on function signature.refuse_forged_evidence(jsonb) is
  'Refuses a whole batch of record_proofs when any evidence differs from what prepare_proofs would write now: another kind, organization, digest or proof, an instant in the future or more than two minutes ago, or a key that no longer seals. A thief of the gateway''s login can neither backdate a proof nor use a retired key.';
revoke execute on function signature.refuse_forged_evidence(jsonb) from public;
