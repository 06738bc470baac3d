create function gateway.wait_for_signing_code(p_participant_id uuid) returns json
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.require_scope('signing:act');
  return (select json_build_object('seconds', case when sms.sent >= 20 then sms.wait_seconds else sends.wait_seconds end)
    from signature.participant_of_link(p_participant_id) as participant
    cross join lateral signature.sends_of_codes(participant) as sends
    cross join lateral signature.wait_for_sms(participant) as sms);
end
$$;
comment on function gateway.wait_for_signing_code(uuid) is
  'Retry-After of POST /signing/{participant_id}/code: {seconds} until the oldest of the last five codes of an hour is an hour old, or the oldest of the last twenty SMS of a day, or 200 of the envelope, is a day old.';
revoke execute on function gateway.wait_for_signing_code(uuid) from public;
