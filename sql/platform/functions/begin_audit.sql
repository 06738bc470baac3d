create or replace function platform.begin_audit() returns void
  language sql volatile set search_path = '' as $$
  insert into platform.settings (name, value) values ('audit_began_at', platform.instant(clock_timestamp()))
  on conflict (name) do nothing
$$;
comment on function platform.begin_audit() is
  'Remembers, once, since when every write has its event: what was written before the audit trail existed has none, and audit_gaps does not ask for it.';
revoke execute on function platform.begin_audit() from public;
