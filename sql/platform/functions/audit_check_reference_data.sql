--! owner selo_system
-- Read by every verification; the events are those of the platform itself.
create or replace function platform.audit_check_reference_data(p_tenant_id uuid) returns setof platform.audit_fault
  language sql stable security definer set search_path = '' as $$
  with recorded as (
    select event.id, event.seq, platform.read_json(event.details) as said
    from platform.audit_events as event
    where event.tenant_id = '00000000-0000-0000-0000-000000000000' and event.environment = 'live' and event.action = 'reference_data.recorded'
    order by event.seq desc limit 1
  )
  select 'reference_data', '00000000-0000-0000-0000-000000000000'::uuid, 'live', 'platform', '00000000-0000-0000-0000-000000000000'::uuid,
    coalesce(recorded.seq, 1), recorded.id, format('the rows of %s are not those that the migrations made', there.table_name)
  from platform.reference_digests() as there
  left join recorded on true
  where (recorded.said ->> there.table_name) is distinct from there.digest
    and (p_tenant_id is null or p_tenant_id = '00000000-0000-0000-0000-000000000000')
$$;
comment on function platform.audit_check_reference_data(uuid) is
  'Tables of reference data whose rows are not those that were recorded after the newest migration.';
revoke execute on function platform.audit_check_reference_data(uuid) from public;
grant execute on function platform.audit_check_reference_data(uuid) to selo_owner;
