create or replace function signature.wait_for_sms(p_participant signature.participants, out sent bigint, out wait_seconds integer)
  language sql stable set search_path = '' as $$
  select count(*), ceil(greatest(extract(epoch from min(newest.created_at) + interval '1 day' - clock_timestamp()), 1))::integer
  from (
    select code.created_at from signature.signing_codes as code
    where code.tenant_id = p_participant.tenant_id and code.envelope_id = p_participant.envelope_id and code.participant_id = p_participant.id
      and code.created_at > clock_timestamp() - interval '1 day' and signature.code_channel(p_participant) = 'sms'
    order by code.id desc limit 20
  ) as newest
$$;
comment on function signature.wait_for_sms(signature.participants) is
  'How many codes a participant was sent by SMS within the last day, for any link, up to 20, and the seconds until the oldest of these is a day old. An SMS costs the operator, and a new link costs the sender nothing. None by mail.';
revoke execute on function signature.wait_for_sms(signature.participants) from public;
