--! owner selo_system
-- Looks across tenants: a verification compares reference data with the events of the platform.
-- Every verification, also of one organization, reads the reference data. The events are in the chain of the platform itself.
create or replace function platform.audit_check_reference_data(p_tenant_id uuid) returns setof platform.audit_fault
  language sql stable security definer set search_path = '' as $$
  with recorded as (
    select event.id, event.seq, platform.read_json(event.details) as said
    from platform.audit_events as event
    where event.tenant_id = '00000000-0000-0000-0000-000000000000' and event.environment = 'live' and event.action = 'reference_data.recorded'
    order by event.seq desc limit 1
  )
  select 'reference_data', '00000000-0000-0000-0000-000000000000'::uuid, 'live', 'platform', '00000000-0000-0000-0000-000000000000'::uuid,
    coalesce(recorded.seq, 1), recorded.id, format('the rows of %s differ from those that the migrations made', there.table_name)
  from platform.reference_digests() as there
  left join recorded on true
  where (recorded.said ->> there.table_name) is distinct from there.digest
    and (p_tenant_id is null or p_tenant_id = '00000000-0000-0000-0000-000000000000')
  union all
  -- Reference data are recorded after each migration, in the order of the migrations, and at no other time.
  select 'reference_data', event.tenant_id, 'live', 'platform', event.subject_id, event.seq, event.id,
    'reference data were recorded without a migration: the rows may have been edited before'
  from (
    select kept.tenant_id, kept.subject_id, kept.seq, kept.id, platform.read_json(kept.details) ->> 'migration' as migration,
      lag(platform.read_json(kept.details) ->> 'migration') over (order by kept.seq) as migration_before
    from platform.audit_events as kept
    where kept.tenant_id = '00000000-0000-0000-0000-000000000000' and kept.environment = 'live' and kept.action = 'reference_data.recorded'
  ) as event
  where (p_tenant_id is null or p_tenant_id = '00000000-0000-0000-0000-000000000000')
    and (nullif(event.migration, '') is null or event.migration = event.migration_before
      -- The numbers of one series of migrations never go back. See platform.last_migrations.
      or exists (
        select from string_to_table(event.migration_before, ',') as earlier (name)
        where not exists (
          select from string_to_table(event.migration, ',') as later (name)
          where substring(later.name from '^\D*') = substring(earlier.name from '^\D*') and later.name collate "C" >= earlier.name collate "C"))
      or exists (
        select from string_to_table(event.migration, ',') as named (name)
        where not exists (select from platform.migrations as applied where applied.name = named.name)))
$$;
comment on function platform.audit_check_reference_data(uuid) is
  'Finds tables of reference data whose rows differ from the rows that were recorded after the newest migration.';
revoke execute on function platform.audit_check_reference_data(uuid) from public;
grant execute on function platform.audit_check_reference_data(uuid) to selo_owner;
