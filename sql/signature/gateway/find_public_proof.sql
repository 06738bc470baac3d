create function gateway.find_public_proof(p_code text) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_found record;
  v_answer json;
begin
  perform platform.allow_anyone();
  select known.tenant_id, known.environment, known.subject_id, known.code into v_found
  from platform.find_public_code(p_code) as known where known.subject_type = 'proof';
  v_answer := signature.public_proof(v_found.tenant_id, v_found.environment, v_found.subject_id);
  -- The signed evidence holds the code of its proof. So a code that an edit moved to another proof finds nothing.
  -- Unreadable evidence holds no code. Its proof is shown as not valid.
  if platform.read_json(v_answer ->> 'signed') ->> 'verification_code' <> v_found.code then
    perform platform.fail(404, 'proof_not_found', 'No proof matches.');
  end if;
  return v_answer;
end
$$;
comment on function gateway.find_public_proof(text) is
  E'@param code {..100, else empty} XXXX-XXXX-XXXX, in upper or lower case, with or without the hyphens, or with spaces.\nFirst half of GET /public/proofs/{code}: the proof with this verification code in any spelling, or 404 proof_not_found.';
revoke execute on function gateway.find_public_proof(text) from public;
