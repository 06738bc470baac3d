create or replace function signature.sends_of_codes(p_participant signature.participants, out sent bigint, out wait_seconds integer)
  language sql stable set search_path = '' as $$
  select count(*), ceil(greatest(extract(epoch from min(newest.created_at) + interval '1 hour' - clock_timestamp()), 1))::integer
  from (
    select code.created_at from signature.signing_codes as code
    where code.tenant_id = p_participant.tenant_id and code.envelope_id = p_participant.envelope_id and code.participant_id = p_participant.id
      and code.link_version = p_participant.link_version and code.created_at > clock_timestamp() - interval '1 hour'
    order by code.id desc limit 5
  ) as newest
$$;
comment on function signature.sends_of_codes(signature.participants) is
  'How many codes a participant was sent within the last hour, for the present version of the link, up to 5, and the seconds until the oldest of these is an hour old.';
revoke execute on function signature.sends_of_codes(signature.participants) from public;
