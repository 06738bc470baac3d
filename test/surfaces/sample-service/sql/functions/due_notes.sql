--! owner selo_system
-- Looks across tenants: one figure for everybody's reminders.
create or replace function notes.due_notes(out waiting bigint, out oldest_seconds double precision)
  language sql stable security definer set search_path = '' as $$
  select count(*), extract(epoch from clock_timestamp() - min(due.remind_at))::double precision
  from (select note.remind_at from notes.notes as note
    where note.reminded_at is null and note.remind_at < clock_timestamp() order by note.remind_at limit 10000) as due
$$;
comment on function notes.due_notes() is 'How many notes wait for their reminder, counted up to 10,000, and for how long the first of them has.';
revoke execute on function notes.due_notes() from public;
grant execute on function notes.due_notes() to selo_owner;
