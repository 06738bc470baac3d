create or replace function signature.is_overdue(p_envelope signature.envelopes) returns boolean
  language sql stable set search_path = '' as $$
  select p_envelope.status in ('sent', 'in_progress', 'partially_signed') and p_envelope.sealing_since is null and p_envelope.expires_at <= clock_timestamp()
$$;
comment on function signature.is_overdue(signature.envelopes) is 'Whether an envelope is out with its participants past its deadline, and so has to be moved to expired. An envelope that is being completed has no deadline any more.';
revoke execute on function signature.is_overdue(signature.envelopes) from public;
