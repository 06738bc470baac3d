--! owner selo_system
-- Looks across tenants: one walk passes the chains of all organizations.
create or replace function platform.audit_ranges_events(p_tenant_id uuid) returns setof json
  language sql stable security definer set search_path = '' as $$
  with place as (
    -- Sealed heads count too: a sealed head remains where events were removed.
    select event.tenant_id, event.environment, event.subject_id, event.seq from platform.audit_events as event
    where p_tenant_id is null or event.tenant_id = p_tenant_id
    union all
    select leaf.tenant_id, leaf.environment, leaf.subject_id, leaf.seq from platform.audit_seal_leaves as leaf
    where p_tenant_id is null or leaf.tenant_id = p_tenant_id
  ), cut as (
    select distinct numbered.tenant_id, numbered.environment, numbered.subject_id, numbered.seq
    from (
      select place.*, row_number() over (order by place.tenant_id, place.environment, place.subject_id, place.seq) as number from place
    ) as numbered
    where numbered.number % 10000 = 0
    union
    -- These two places are below and above all others. The number is the greatest integer that every reader of JSON knows.
    select coalesce(p_tenant_id, '00000000-0000-0000-0000-000000000000'), '', '00000000-0000-0000-0000-000000000000', 0
    union
    select coalesce(p_tenant_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), 'zzzz', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 9007199254740991
  ), range as (
    select lag(row_to_json(cut)) over ascending as "after", row_to_json(cut) as until, row_number() over ascending as number
    from cut window ascending as (order by cut.tenant_id, cut.environment, cut.subject_id, cut.seq)
  )
  select json_build_object('after', range."after", 'until', range.until) from range where range."after" is not null order by range.number
$$;
comment on function platform.audit_ranges_events(uuid) is
  'Cuts a walk along the chains of all organizations, or of one, into ranges of at most 10,000 events and sealed heads: [{after, until}].';
revoke execute on function platform.audit_ranges_events(uuid) from public;
grant execute on function platform.audit_ranges_events(uuid) to selo_owner;
