create or replace function platform.begin_audit() returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_service text;
begin
  -- Of several processes that start at once one begins, and the others find that it has.
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
  'Called whenever a database is prepared. Remembers, once each, since when every write has its event, and since when events say what records are: what was there before is recorded as it is then. After a migration it records the reference data.';
revoke execute on function platform.begin_audit() from public;
