create function gateway.record_proof(p_evidence text, p_platform_signature text, p_platform_signature_pq text)
  returns platform.answer language plpgsql volatile security definer set search_path = '' as $$
declare
  v_evidence constant jsonb := p_evidence::jsonb;
  v_answer platform.answer;
begin
  perform platform.require_scope('proofs:write');
  -- Columns are read from what was signed, so the two cannot disagree.
  insert into signature.proofs (tenant_id, id, environment, sha256, label, file_name, file_size, language, registered_at,
    verification_code, evidence, platform_key_id, platform_signature, platform_pq_key_id, platform_signature_pq)
  select organization.id, (v_evidence ->> 'proof_id')::uuid, platform.environment(), decode(v_evidence ->> 'sha256', 'hex'),
    v_evidence ->> 'label', v_evidence ->> 'file_name', (v_evidence ->> 'file_size')::bigint, organization.language,
    (v_evidence ->> 'registered_at')::timestamptz, v_evidence ->> 'verification_code', p_evidence,
    v_evidence ->> 'key_id', decode(p_platform_signature, 'base64'),
    v_evidence ->> 'pq_key_id', decode(p_platform_signature_pq, 'base64')
  from platform.organizations as organization
  where organization.id = platform.tenant_id() and organization.id = (v_evidence ->> 'tenant_id')::uuid
  on conflict (tenant_id, environment, sha256) do nothing
  returning id into v_answer.subject_id;

  if found then
    v_answer.status := 201;
    insert into platform.public_codes (code, tenant_id, environment, subject_type, subject_id)
    values (v_evidence ->> 'verification_code', platform.tenant_id(), platform.environment(), 'proof', v_answer.subject_id);
    insert into signature.unverified_proofs (tenant_id, environment, proof_id)
    values (platform.tenant_id(), platform.environment(), v_answer.subject_id);
    perform platform.spend_credits('signature', 1, 'proof_registered', v_answer.subject_id);
  else
    -- Another call registered the digest first: its proof is the answer, and this seal is thrown away.
    v_answer.status := 200;
    select proof.id into strict v_answer.subject_id from signature.proofs as proof
    where proof.tenant_id = platform.tenant_id() and proof.environment = platform.environment()
      and proof.sha256 = decode(v_evidence ->> 'sha256', 'hex');
  end if;
  v_answer.body := signature.proof_body(v_answer.subject_id, v_answer.status = 201);
  return v_answer;
end
$$;
comment on function gateway.record_proof(text, text, text) is
  'Second half of POST /proofs: keeps signed evidence, its code and its credit in one transaction. 201, or 200 with the earlier proof of the digest; 402 insufficient_credits.';
revoke execute on function gateway.record_proof(text, text, text) from public;
