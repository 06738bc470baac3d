--! owner selo_system
-- Looks across tenants: a worker that was killed may have held completions of any organization.
create function jobs.lost_completions() returns table (tenant_id uuid, environment text, id uuid)
  language sql stable security definer set search_path = '' as $$
  select envelope.tenant_id, envelope.environment, envelope.id from signature.envelopes as envelope
  where envelope.sealing_since < clock_timestamp() - interval '1 minute'
      and 'signature__complete_envelope:' || envelope.id not in (select key from platform.live_job_keys('signature__complete_envelope') as key)
    -- After an hour the next attempt that fails is the last one: it does not wait.
    or envelope.sealing_since < clock_timestamp() - interval '1 hour'
      and 'signature__complete_envelope:' || envelope.id not in (select key from platform.live_job_keys('signature__complete_envelope', '1 minute') as key)
  order by envelope.sealing_since limit 1000
$$;
comment on function jobs.lost_completions() is 'Envelopes whose completion has been under way for more than a minute, and that no job will complete, or after an hour none soon.';
revoke execute on function jobs.lost_completions() from public;
grant execute on function jobs.lost_completions() to selo_worker;
