create or replace function signature.evidence_fault(p_proof signature.proofs) returns text
  language plpgsql stable set search_path = '' as $$
declare
  v_evidence jsonb;
begin
  v_evidence := p_proof.evidence::jsonb;
  if platform.canonical_json(v_evidence) <> p_proof.evidence then
    return 'the evidence is not canonical';
  elsif (v_evidence ->> 'tenant_id', v_evidence ->> 'proof_id', v_evidence ->> 'sha256', v_evidence ->> 'label',
      v_evidence ->> 'file_name', v_evidence ->> 'file_size', v_evidence ->> 'registered_at', v_evidence ->> 'verification_code',
      v_evidence ->> 'key_id', v_evidence ->> 'pq_key_id')
    is distinct from (p_proof.tenant_id::text, p_proof.id::text, encode(p_proof.sha256, 'hex'), p_proof.label,
      p_proof.file_name, p_proof.file_size::text, platform.instant(p_proof.registered_at), p_proof.verification_code,
      p_proof.platform_key_id, p_proof.platform_pq_key_id) then
    return 'the evidence differs from the record';
  elsif (v_evidence ->> 'kind', v_evidence ->> 'schema_version', v_evidence ->> 'hash_algorithm', v_evidence ->> 'time_source',
      v_evidence ->> 'hybrid_policy')
    is distinct from ('existence_proof', '1', 'SHA-256', 'platform_server_clock_utc', 'AND') then
    return 'the evidence is of another kind';
  elsif not exists (
    select from platform.platform_keys as key, platform.platform_keys as pq_key
    where key.key_id = p_proof.platform_key_id and key.environment = p_proof.environment and key.algorithm = 'Ed25519'
      and pq_key.key_id = p_proof.platform_pq_key_id and pq_key.environment = p_proof.environment and pq_key.algorithm = 'ML-DSA-87'
  ) then
    return 'a key is not in the registry of keys of this environment';
  end if;
  return null;
exception when data_exception or program_limit_exceeded then
  return 'the evidence has no canonical form';
end
$$;
comment on function signature.evidence_fault(signature.proofs) is
  'The first fault of a stored proof that shows without its signatures. Null for a good proof.';
revoke execute on function signature.evidence_fault(signature.proofs) from public;
grant execute on function signature.evidence_fault(signature.proofs) to selo_system;
