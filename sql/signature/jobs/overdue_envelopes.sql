--! owner selo_system
-- Looks across tenants: the deadlines of all organizations pass by one clock.
create function jobs.overdue_envelopes() returns table (tenant_id uuid, environment text, id uuid)
  language sql stable security definer set search_path = '' as $$
  select envelope.tenant_id, envelope.environment, envelope.id from signature.envelopes as envelope
  where envelope.status in ('sent', 'in_progress', 'partially_signed') and envelope.sealing_since is null and envelope.expires_at <= clock_timestamp()
  order by envelope.expires_at limit 1000
$$;
comment on function jobs.overdue_envelopes() is 'Envelopes that are out with their participants past their deadline, the oldest deadline first, at most 1,000.';
revoke execute on function jobs.overdue_envelopes() from public;
grant execute on function jobs.overdue_envelopes() to selo_worker;
