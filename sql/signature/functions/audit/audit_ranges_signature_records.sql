--! owner selo_system
-- Looks across tenants: one walk passes the signed records of all organizations.
create or replace function signature.audit_ranges_signature_records(p_tenant_id uuid) returns setof json
  language sql stable security definer set search_path = '' as $$
  with cut as (
    select numbered.tenant_id, numbered.id
    from (
      select record.tenant_id, record.id, row_number() over (order by record.tenant_id, record.id) as number from signature.signature_records as record
      where p_tenant_id is null or record.tenant_id = p_tenant_id
    ) as numbered
    where numbered.number % 10000 = 0
    union
    -- These two places are below and above all others.
    select coalesce(p_tenant_id, '00000000-0000-0000-0000-000000000000'), '00000000-0000-0000-0000-000000000000'
    union
    select coalesce(p_tenant_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), 'ffffffff-ffff-ffff-ffff-ffffffffffff'
  ), range as (
    select lag(row_to_json(cut)) over ascending as "after", row_to_json(cut) as until, row_number() over ascending as number
    from cut window ascending as (order by cut.tenant_id, cut.id)
  )
  select json_build_object('after', range."after", 'until', range.until) from range where range."after" is not null order by range.number
$$;
comment on function signature.audit_ranges_signature_records(uuid) is
  'Cuts a walk along the signed records of all organizations, or of one, into ranges of at most 10,000 records: [{after, until}].';
revoke execute on function signature.audit_ranges_signature_records(uuid) from public;
grant execute on function signature.audit_ranges_signature_records(uuid) to selo_owner;
