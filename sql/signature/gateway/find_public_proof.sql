create function gateway.find_public_proof(p_code text) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_found record;
begin
  perform platform.allow_anyone();
  select known.tenant_id, known.environment, known.subject_id into v_found
  from platform.find_public_code(p_code) as known where known.subject_type = 'proof';
  return signature.public_proof(v_found.tenant_id, v_found.environment, v_found.subject_id);
end
$$;
comment on function gateway.find_public_proof(text) is
  'First half of GET /public/proofs/{code}: the proof with this verification code, however it is written, or 404 proof_not_found.';
revoke execute on function gateway.find_public_proof(text) from public;
