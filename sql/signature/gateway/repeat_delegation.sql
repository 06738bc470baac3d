create function gateway.repeat_delegation(p_participant_id text, p_credential_sha256 text, p_key text, p_request_sha256 text) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_place record;
begin
  perform platform.allow_anyone();
  select place.tenant_id, place.environment, place.id into v_place from signature.place_of_participant(p_participant_id) as place;
  if v_place.id is null then
    return null;
  end if;
  perform platform.enter_context(v_place.tenant_id, v_place.environment, null, null, null);
  if not exists (
    select from platform.credentials as credential
    where credential.digest = sha256(decode(p_credential_sha256, 'hex')) and credential.kind = 'participant'
      and credential.tenant_id = v_place.tenant_id and credential.actor_id = v_place.id and credential.revoked_at is not null
  ) then
    return null;
  end if;
  -- The name that gateway.call gives the keys of an actor.
  return (
    select kept.body from platform.find_idempotent_answer(
      encode(sha256(convert_to(concat_ws(' ', 'participant', v_place.id, p_key), 'UTF8')), 'hex'), decode(p_request_sha256, 'hex')) as kept);
end
$$;
comment on function gateway.repeat_delegation(text, text, text, text) is
  'POST /signing/{participant_id}/delegate once more, with the Idempotency-Key of the first time, whose answer ended the link: that answer, for the SHA-256 values (hexadecimal) of the link and of the request. Null without one. 409 conflict for a key of another request, of which a caller whose link is over is told nothing.';
revoke execute on function gateway.repeat_delegation(text, text, text, text) from public;
