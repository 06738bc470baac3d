create function gateway.find_public_envelope(p_code text) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_found record;
  v_answer json;
begin
  perform platform.allow_anyone();
  select known.tenant_id, known.environment, known.subject_id, known.code into v_found
  from platform.find_public_code(p_code) as known where known.subject_type = 'envelope';
  v_answer := signature.public_envelope(v_found.tenant_id, v_found.environment, v_found.subject_id);
  -- The signed evidence holds the code of its envelope. So a code that an edit moved to another envelope finds nothing.
  -- Before the completion, and beside unreadable evidence, the code of the row decides.
  if coalesce(platform.read_json(v_answer ->> 'signed') ->> 'verification_code', v_answer ->> 'code') <> v_found.code then
    perform platform.fail(404, 'envelope_not_found', 'No envelope matches.');
  end if;
  return v_answer;
end
$$;
comment on function gateway.find_public_envelope(text) is
  E'@param code {..100, else empty} XXXX-XXXX-XXXX, in upper or lower case, with or without the hyphens, or with spaces.\nFirst half of GET /public/envelopes/{code}: the envelope with this verification code in any spelling, or 404 envelope_not_found.';
revoke execute on function gateway.find_public_envelope(text) from public;
