create or replace function signature.wait_for_sms(p_participant signature.participants, out sent bigint, out wait_seconds integer)
  language sql stable set search_path = '' as $$
  with sms as (
    select code.id, code.participant_id, code.created_at
    from signature.signing_codes as code
    join signature.participants as receiver on receiver.tenant_id = code.tenant_id and receiver.id = code.participant_id
    where signature.code_channel(p_participant) = 'sms' and signature.code_channel(receiver) = 'sms'
      and code.tenant_id = p_participant.tenant_id and code.envelope_id = p_participant.envelope_id and code.created_at > clock_timestamp() - interval '1 day'
  ), counted as (
    select count(*) as sent, 20 as most, min(own.created_at) as oldest
    from (select sms.created_at from sms where sms.participant_id = p_participant.id order by sms.id desc limit 20) as own
    union all
    select count(*), 200, min(newest.created_at) from (select sms.created_at from sms order by sms.id desc limit 200) as newest
  )
  -- As many of the twenty as are spent, or all of them once those of the envelope are.
  select max(case when counted.most = 20 then counted.sent when counted.sent >= counted.most then 20 else 0 end),
    ceil(greatest(extract(epoch from max(counted.oldest) filter (where counted.sent >= counted.most) + interval '1 day' - clock_timestamp()), 1))::integer
  from counted
$$;
comment on function signature.wait_for_sms(signature.participants) is
  'How many codes a participant was sent by SMS within the last day, for any link, up to 20, and the seconds until it can have another one. 20 as well once its envelope has sent 200 within a day. An SMS costs the operator, and a new link costs the sender nothing. None by mail.';
revoke execute on function signature.wait_for_sms(signature.participants) from public;
