create function gateway.find_envelope_of_digest(p_sha256 text) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_found record;
begin
  perform platform.allow_anyone();
  select found.tenant_id, found.envelope_id into v_found from signature.find_earliest_envelope(signature.pasted_digest(p_sha256)) as found;
  if v_found.envelope_id is null then
    perform platform.fail(404, 'envelope_not_found',
      'No completed live envelope has a sealed PDF with this digest. An envelope of the test environment can only be found by its verification code.');
  end if;
  return signature.public_envelope(v_found.tenant_id, 'live', v_found.envelope_id);
end
$$;
comment on function gateway.find_envelope_of_digest(text) is
  E'@param sha256 {..500} SHA-256 of the sealed PDF: 64 hexadecimal digits. Case, white space and invisible characters do not matter.\nFirst half of POST /public/envelopes/verify: the live envelope that was completed first with this sealed PDF, or 404 envelope_not_found.';
revoke execute on function gateway.find_envelope_of_digest(text) from public;
