--! owner selo_system
-- Looks across tenants: all organizations share one clock.
create or replace function platform.newest_instant() returns timestamptz
  language sql stable security definer set search_path = '' as $$
  select max(event.occurred_at) from platform.audit_events as event
$$;
comment on function platform.newest_instant() is 'The latest recorded instant. Null before the first event.';
revoke execute on function platform.newest_instant() from public;
grant execute on function platform.newest_instant() to selo_owner;
