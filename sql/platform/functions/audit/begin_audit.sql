create or replace function platform.begin_audit() returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_service text;
begin
  -- When several processes start at once, one process begins the trail. The others then find the settings.
  lock table platform.settings in share row exclusive mode;
  if platform.setting('audit_began_at') is null then
    perform platform.change_setting('audit_began_at', platform.instant(clock_timestamp()));
  end if;
  if platform.setting('audit_coverage_began_at') is null then
    for v_service in
      select hook.service from platform.service_functions('record_existing', '') as hook
    loop
      execute format('select %I.record_existing()', v_service);
    end loop;
    perform platform.change_setting('audit_coverage_began_at', platform.instant(clock_timestamp()));
  end if;
  perform platform.record_reference_data();
end
$$;
comment on function platform.begin_audit() is
  'Begins the audit trail. Called each time a database is prepared. Records once the time from which every write has an event, and once the time from which events hold the digests of records. Records older data in their state at that time. After a migration records the reference data.';
revoke execute on function platform.begin_audit() from public;
