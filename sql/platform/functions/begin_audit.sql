create or replace function platform.begin_audit() returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_service text;
begin
  -- When several processes start at once, one of them begins the trail and the others find it begun.
  lock table platform.settings in share row exclusive mode;
  if platform.setting('audit_began_at') is null then
    perform platform.change_setting('audit_began_at', platform.instant(clock_timestamp()));
  end if;
  if platform.setting('audit_coverage_began_at') is null then
    for v_service in
      select hook.service from platform.service_functions('record_existing') as hook where hook.name = ''
    loop
      execute format('select %I.record_existing()', v_service);
    end loop;
    perform platform.change_setting('audit_coverage_began_at', platform.instant(clock_timestamp()));
  end if;
  perform platform.record_reference_data();
end
$$;
comment on function platform.begin_audit() is
  'Called whenever a database is prepared. Remembers once the time from which every write has its event, and once the time from which events hold the digests of records. Older data are recorded as they are at that time. After a migration it records the reference data.';
revoke execute on function platform.begin_audit() from public;
