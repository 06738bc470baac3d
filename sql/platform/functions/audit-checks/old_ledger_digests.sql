--! owner selo_system
-- Looks across tenants: a verification asks for all organizations at once.
create or replace function platform.old_ledger_digests(p_tenant_id uuid) returns table (tenant_id uuid, movements bigint, digest text)
  language sql stable security definer set search_path = '' as $$
  select movement.tenant_id, count(*), encode(sha256(string_agg(sha256(convert_to(concat_ws(' ',
      movement.id, movement.kind, movement.amount, movement.reason, coalesce(movement.subject_id::text, '-'), platform.instant(movement.created_at)), 'UTF8')),
    ''::bytea order by movement.id)), 'hex')
  from platform.credit_ledger as movement
  where movement.created_at <= (select setting.value::timestamptz from platform.settings as setting where setting.name = 'audit_began_at')
    and (p_tenant_id is null or movement.tenant_id = p_tenant_id)
    -- The clock may have been ahead, so that the trail began later than its time says. Movements with an event are compared with the event and left out here.
    and not exists (
      select from platform.prices as price
      join platform.audit_events as event
        on event.tenant_id = movement.tenant_id and event.environment = 'live' and event.subject_id = movement.subject_id and event.action = price.action
      where price.reason = movement.reason and movement.amount < 0)
    and not exists (
      select from platform.audit_events as event
      where movement.amount > 0 and event.tenant_id = movement.tenant_id and event.action = 'credits.granted'
        and event.details like '%"ledger_id":"' || movement.id || '"%')
  group by movement.tenant_id
$$;
comment on function platform.old_ledger_digests(uuid) is
  'Movements of credits from before the audit trail, which have no event of their own: their number and a digest over all of them, for each organization.';
revoke execute on function platform.old_ledger_digests(uuid) from public;
grant execute on function platform.old_ledger_digests(uuid) to selo_owner;
