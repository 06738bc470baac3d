--! owner selo_system
-- Looks across tenants: the reminders of all organizations go out by one clock.
create function jobs.due_reminders() returns table (tenant_id uuid, environment text, envelope_ids uuid[])
  language sql stable security definer set search_path = '' as $$
  select due.tenant_id, due.environment, array_agg(distinct due.envelope_id)
  from (
    select reminder.tenant_id, reminder.environment, reminder.envelope_id from signature.due_reminders() as reminder
    -- One of each in turns: an organization with many, or whose reminders fail, keeps no other waiting.
    order by row_number() over (partition by reminder.tenant_id, reminder.environment order by reminder.mailed_at, reminder.participant_id),
      reminder.mailed_at, reminder.participant_id
    limit 1000) as due
  group by due.tenant_id, due.environment
$$;
comment on function jobs.due_reminders() is
  'The envelopes with participants who are to be reminded, by organization and environment: of at most 1,000 participants, who wait longest, with one of each organization and environment in turns.';
revoke execute on function jobs.due_reminders() from public;
grant execute on function jobs.due_reminders() to selo_worker;
