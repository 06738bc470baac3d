create or replace function platform.record_reference_data() returns void
  language plpgsql volatile set search_path = '' as $$
declare
  c_platform constant uuid := '00000000-0000-0000-0000-000000000000';
  c_migration constant text := platform.last_migrations();
  v_recorded text;
  v_setting record;
begin
  perform platform.enter_context(c_platform, 'live', null, null, null);
  select platform.read_json(event.details) ->> 'migration' into v_recorded
  from platform.audit_events as event
  where event.tenant_id = c_platform and event.environment = 'live' and event.action = 'reference_data.recorded'
  order by event.seq desc limit 1;
  -- Only migrations change these rows, so each migration has one event. A change at any other time is a fault.
  if v_recorded is distinct from c_migration then
    perform platform.record_audit_event('reference_data.recorded', 'platform', c_platform, (
      select jsonb_build_object('migration', c_migration) || coalesce(jsonb_object_agg(there.table_name, there.digest), '{}')
      from platform.reference_digests() as there));
    -- Settings that a migration made have no event yet.
    for v_setting in
      select there.name, there.value from platform.settings as there
      where not exists (
        select from platform.audit_events as event
        where event.tenant_id = c_platform and event.environment = 'live' and event.action in ('setting.changed', 'setting.recorded')
          and platform.read_json(event.details) ->> 'name' = there.name)
      order by there.name
    loop
      perform platform.record_audit_event('setting.recorded', 'platform', c_platform,
        jsonb_build_object('name', v_setting.name, 'value', v_setting.value));
    end loop;
  end if;
  perform platform.enter_context(null, null, null, null, null);
end
$$;
comment on function platform.record_reference_data() is
  'Records a digest of each table of reference data, and the settings that a migration made, in the audit trail of the platform itself. Called after a migration.';
revoke execute on function platform.record_reference_data() from public;
