create function gateway.wait_for_signing_code(p_participant_id uuid) returns json
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.require_scope('signing:act');
  return (select json_build_object('seconds', sends.wait_seconds)
    from signature.sends_of_codes(signature.participant_of_link(p_participant_id)) as sends);
end
$$;
comment on function gateway.wait_for_signing_code(uuid) is
  'Retry-After of POST /signing/{participant_id}/code: {seconds} until the oldest of the last five codes of an hour is an hour old.';
revoke execute on function gateway.wait_for_signing_code(uuid) from public;
