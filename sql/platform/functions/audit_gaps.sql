create or replace function platform.audit_gaps()
  returns table (subject_type text, subject_id uuid, seq bigint, event_id uuid, fault text)
  language sql stable set search_path = '' as $$
  with began as materialized (
    select platform.setting('audit_began_at')::timestamptz as at
  ), made as (
    select event.subject_type, event.subject_id, event.id
    from platform.audit_events as event
    where event.tenant_id = platform.tenant_id() and event.environment = platform.environment()
      and event.action in ('token.created', 'organization.created')
  ), there as (
    select 'token' as subject_type, token.id as subject_id, token.created_at
    from platform.tokens as token
    where token.tenant_id = platform.tenant_id() and token.environment = platform.environment()
    union all
    select 'organization', organization.id, organization.created_at
    from platform.organizations as organization
    where organization.id = platform.tenant_id() and platform.environment() = 'live'
  ), changed as (
    select distinct on (event.details::json ->> 'name')
      event.id, event.seq, event.details::json ->> 'name' as name, event.details::json ->> 'value' as value
    from platform.audit_events as event
    where event.tenant_id = platform.tenant_id() and event.environment = platform.environment() and event.action = 'setting.changed'
    order by event.details::json ->> 'name', event.seq desc
  )
  select there.subject_type, there.subject_id, 1::bigint, null::uuid, format('truncated: the %s is there, its chain is not', there.subject_type)
  from there, began
  where there.created_at > began.at and not exists (
    select from made where made.subject_type = there.subject_type and made.subject_id = there.subject_id)
  union all
  select made.subject_type, made.subject_id, 1, made.id, format('the %s that was created is gone', made.subject_type)
  from made
  where not exists (select from there where there.subject_type = made.subject_type and there.subject_id = made.subject_id)
  union all
  select 'platform', platform.tenant_id(), changed.seq, changed.id, format('the setting %s is not what was recorded', changed.name)
  from changed where changed.value is distinct from platform.setting(changed.name)
  union all
  -- Whoever moves the beginning hides what came before it.
  select 'platform', platform.tenant_id(), 1, null, 'truncated: the beginning of the audit trail was not recorded'
  where platform.tenant_id() = '00000000-0000-0000-0000-000000000000' and platform.environment() = 'live'
    and not exists (select from changed where changed.name = 'audit_began_at')
  union all
  select gap.subject_type, gap.subject_id, gap.seq, gap.event_id, gap.fault
  from began, signature.audit_gaps(began.at) as gap
$$;
comment on function platform.audit_gaps() is
  'What there is in the context''s organization and environment without the event that made it, and events of what is not there: finds chains that were removed whole before any seal covered them.';
revoke execute on function platform.audit_gaps() from public;
