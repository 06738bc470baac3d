create function gateway.prepare_proof(
  p_sha256 text, p_label text default null, p_file_name text default null, p_file_size bigint default null
)
  returns platform.answer language plpgsql stable security definer set search_path = '' as $$
declare
  v_answer platform.answer;
begin
  perform platform.require_scope('proofs:write');
  perform signature.require_proof_input(p_sha256, p_label, p_file_name, p_file_size);

  select 200, gateway.proofs_json(registered), registered.id into v_answer.status, v_answer.body, v_answer.subject_id
  from api.proofs as registered
  where registered.id = (
    select proof.id from signature.proofs as proof
    where proof.tenant_id = platform.tenant_id() and proof.environment = platform.environment()
      and proof.sha256 = decode(p_sha256, 'hex')
  );
  if found then
    return v_answer;
  elsif not platform.has_credits('signature', 1) then
    perform platform.fail(402, 'insufficient_credits', 'The signature credit balance is insufficient; nothing was recorded.');
  end if;

  select 202, json_build_object(
      'kind', 'existence_proof',
      'schema_version', 1,
      'proof_id', platform.uuidv7(),
      'tenant_id', organization.id,
      'organization', organization.name,
      'hash_algorithm', 'SHA-256',
      'sha256', p_sha256,
      'label', p_label,
      'file_name', p_file_name,
      'file_size', p_file_size,
      'registered_at', platform.instant(clock_timestamp()),
      'verification_code', platform.new_public_code(),
      'time_source', 'platform_server_clock_utc',
      'key_id', (select key.key_id from platform.platform_keys as key
        where key.environment = platform.environment() and key.algorithm = 'Ed25519' and key.status = 'active'),
      'pq_key_id', (select key.key_id from platform.platform_keys as key
        where key.environment = platform.environment() and key.algorithm = 'ML-DSA-87' and key.status = 'active'),
      'hybrid_policy', 'AND')
    into v_answer.status, v_answer.body
  from platform.organizations as organization where organization.id = platform.tenant_id();
  return v_answer;
end
$$;
comment on function gateway.prepare_proof(text, text, text, bigint) is
  'First half of POST /proofs; writes nothing. 200 with the proof when the digest is registered, otherwise 202 with the evidence to sign (signature-service §2). 402 insufficient_credits, 422 invalid_request.';
revoke execute on function gateway.prepare_proof(text, text, text, bigint) from public;
