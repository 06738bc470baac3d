create or replace function platform.audit_gaps()
  returns table (subject_type text, subject_id uuid, seq bigint, event_id uuid, fault text)
  language sql stable set search_path = '' as $$
  with began as materialized (
    select (platform.setting('audit_began_at'))::timestamptz as at
  )
  select 'token', token.id, 1::bigint, null::uuid, 'truncated: the token is there, its chain is not'
  from platform.tokens as token, began
  where token.tenant_id = platform.tenant_id() and token.environment = platform.environment() and token.created_at > began.at
    and not exists (
      select from platform.audit_events as event
      where event.tenant_id = token.tenant_id and event.subject_id = token.id and event.seq = 1)
  union all
  select 'organization', organization.id, 1::bigint, null::uuid, 'truncated: the organization is there, its chain is not'
  from platform.organizations as organization, began
  where organization.id = platform.tenant_id() and platform.environment() = 'live' and organization.created_at > began.at
    and not exists (
      select from platform.audit_events as event
      where event.tenant_id = organization.id and event.subject_id = organization.id and event.seq = 1)
  union all
  select gap.subject_type, gap.subject_id, gap.seq, gap.event_id, gap.fault
  from began, signature.audit_gaps(began.at) as gap
$$;
comment on function platform.audit_gaps() is
  'What there is in the context''s organization and environment without the event that made it, and events of what is not there: finds chains that were removed whole before any seal covered them.';
revoke execute on function platform.audit_gaps() from public;
