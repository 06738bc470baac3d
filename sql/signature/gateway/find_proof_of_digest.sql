create function gateway.find_proof_of_digest(p_sha256 text) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_found record;
begin
  perform platform.allow_anyone();
  select found.tenant_id, found.proof_id into v_found from signature.find_earliest_proof(signature.pasted_digest(p_sha256)) as found;
  if v_found.proof_id is null then
    perform platform.fail(404, 'proof_not_found', 'No live proof has this digest. A proof of the test environment can only be found by its verification code.');
  end if;
  return signature.public_proof(v_found.tenant_id, 'live', v_found.proof_id);
end
$$;
comment on function gateway.find_proof_of_digest(text) is
  E'@param sha256 {..500} SHA-256 of the file: 64 hexadecimal digits. Case, white space and invisible characters do not matter.\nFirst half of POST /public/proofs/verify: the earliest live proof of a digest, or 404 proof_not_found.';
revoke execute on function gateway.find_proof_of_digest(text) from public;
