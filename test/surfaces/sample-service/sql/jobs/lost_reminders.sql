--! owner selo_system
-- Looks across tenants: one job finds the reminders of all of them.
create function jobs.lost_reminders(p_limit integer) returns table (tenant_id uuid, environment text, id uuid)
  language sql stable security definer set search_path = '' as $$
  select note.tenant_id, note.environment, note.id from notes.notes as note
  where note.reminded_at is null and note.remind_at < clock_timestamp() - interval '5 minutes'
  order by note.remind_at limit p_limit
$$;
comment on function jobs.lost_reminders(integer) is 'Notes whose reminder is five minutes late, at most so many: their jobs failed, or are gone.';
revoke execute on function jobs.lost_reminders(integer) from public;
grant execute on function jobs.lost_reminders(integer) to selo_worker;
