create or replace function platform.begin_audit() returns void
  language plpgsql volatile set search_path = '' as $$
begin
  if platform.setting('audit_began_at') is null then
    perform platform.change_setting('audit_began_at', platform.instant(clock_timestamp()));
  end if;
end
$$;
comment on function platform.begin_audit() is
  'Remembers, once, since when every write has its event: what was written before the audit trail existed has none, and audit_gaps does not ask for it.';
revoke execute on function platform.begin_audit() from public;
