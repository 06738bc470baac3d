create function gateway.find_phone(p_id uuid, p_participant_id uuid) returns json
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.require_scope('envelopes:write');
  return json_build_object('enciphered_phone', (
    select replace(encode(participant.enciphered_phone, 'base64'), E'\n', '') from signature.participants as participant
    where participant.tenant_id = platform.tenant_id() and participant.environment = platform.environment() and participant.envelope_id = p_id
      and participant.id = p_participant_id));
end
$$;
comment on function gateway.find_phone(uuid, uuid) is
  E'@param id Id of the envelope.\n@param participant_id Id of the participant.\nFirst half of PATCH /envelopes/{id}/participants/{participant_id} where a telephone number is given: the encrypted one (base64) that the participant has, {enciphered_phone}. Null without one, and without such a participant.';
revoke execute on function gateway.find_phone(uuid, uuid) from public;
