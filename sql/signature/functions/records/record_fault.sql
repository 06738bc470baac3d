create or replace function signature.record_fault(p_record signature.signature_records) returns text
  language plpgsql stable set search_path = '' as $$
declare
  c_is_end constant boolean := p_record.participant_id is null;
  v_evidence jsonb;
begin
  v_evidence := p_record.evidence::jsonb;
  if platform.canonical_json(v_evidence) <> p_record.evidence then
    return 'the evidence is not canonical';
  elsif (v_evidence ->> 'tenant_id', v_evidence ->> 'environment', v_evidence ->> 'record_id', v_evidence ->> 'envelope_id', v_evidence ->> 'participant_id',
      v_evidence ->> 'signed_at', v_evidence ->> 'key_id', v_evidence ->> 'pq_key_id')
    is distinct from (p_record.tenant_id::text, p_record.environment, p_record.id::text, p_record.envelope_id::text, p_record.participant_id::text,
      platform.instant(p_record.signed_at), p_record.platform_key_id, p_record.platform_pq_key_id) then
    return 'the evidence differs from the record';
  elsif (v_evidence ->> 'kind', v_evidence ->> 'schema_version', v_evidence ->> 'hash_algorithm', v_evidence ->> 'time_source', v_evidence ->> 'hybrid_policy')
    is distinct from (case when c_is_end then 'envelope_completed' else 'signature_record' end, '1', 'SHA-256', 'platform_server_clock_utc', 'AND') then
    return 'the evidence is of another kind';
  elsif not exists (
    select from platform.platform_keys as key, platform.platform_keys as pq_key
    where key.key_id = p_record.platform_key_id and key.environment = p_record.environment and key.algorithm = 'Ed25519'
      and pq_key.key_id = p_record.platform_pq_key_id and pq_key.environment = p_record.environment and pq_key.algorithm = 'ML-DSA-87'
  ) then
    return 'a key is not in the registry of keys of this environment';
  -- Erased openings match. Characters that moved between salt and value would leave a commitment unchanged.
  elsif p_record.openings is not null and (exists (
      select from jsonb_each(p_record.openings) as piece
      where (piece.value ->> 'salt' ~ '^[0-9a-f]{32}$' and jsonb_typeof(piece.value -> 'value') = 'string' and piece.value - '{salt,value}'::text[] = '{}') is not true)
    or platform.commitments(p_record.openings - 'signature')::jsonb is distinct from v_evidence -> 'commitments'
    or platform.commitment(p_record.openings -> 'signature') is distinct from v_evidence ->> 'signature_sha256') then
    return 'the openings differ from the commitments of the evidence';
  end if;
  return null;
exception when data_exception or program_limit_exceeded then
  return 'the evidence has no canonical form';
end
$$;
comment on function signature.record_fault(signature.signature_records) is
  'The first fault of a stored signed record that shows without its signatures. Null for a good record.';
revoke execute on function signature.record_fault(signature.signature_records) from public;
grant execute on function signature.record_fault(signature.signature_records) to selo_system;
