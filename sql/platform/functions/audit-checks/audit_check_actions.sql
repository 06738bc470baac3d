--! owner selo_system
-- Looks across tenants: the times of events of all organizations are compared.
create or replace function platform.audit_check_actions(p_tenant_id uuid) returns setof platform.audit_fault
  language sql stable security definer set search_path = '' as $$
  with began as materialized (
    select min(event.occurred_at) as at from platform.audit_events as event
    where event.tenant_id = '00000000-0000-0000-0000-000000000000' and event.environment = 'live' and event.action = 'setting.changed'
      and platform.read_json(event.details) ->> 'name' = 'audit_coverage_began_at'
  ), made as materialized (
    select array_agg(known.action) as actions from platform.audit_actions_of_all() as known where known.says in ('made', 'made for a time')
  )
  select 'actions', event.tenant_id, event.environment, event.subject_type, event.subject_id, event.seq, event.id,
    case when event.action like '%recorded'
      then format('%s after the audit trail began: the record may have been edited before', event.action)
      else format('%s is not the first event of its subject', event.action) end
  from platform.audit_events as event, began, made
  where (p_tenant_id is null or event.tenant_id = p_tenant_id) and case
      -- Existing records are recorded once, when the audit trail begins.
      when event.action in ('reference_data.recorded', 'setting.recorded') then false
      when event.action like '%recorded' then (event.occurred_at <= began.at) is not true
      when event.action = any (made.actions) then event.seq <> 1
      else false end
$$;
comment on function platform.audit_check_actions(uuid) is
  'Finds events that describe a record at a time when Selo writes no such event: a second creation, or a `.recorded` event after the upgrade.';
revoke execute on function platform.audit_check_actions(uuid) from public;
grant execute on function platform.audit_check_actions(uuid) to selo_owner;
