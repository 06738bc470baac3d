--! owner selo_system
-- Looks across tenants: records of all organizations are compared with what their events say.
create or replace function platform.audit_records(p_tenant_id uuid, p_subject_type text)
  returns table (tenant_id uuid, environment text, subject_id uuid, seq bigint, event_id uuid, action text, record_sha256 text)
  language sql stable security definer set search_path = '' as $$
  select distinct on (event.tenant_id, event.environment, event.subject_id)
    event.tenant_id, event.environment, event.subject_id, event.seq, event.id, event.action,
    substring(event.details from '"record_sha256":"([0-9a-f]{64})"')
  from platform.audit_events as event
  where event.subject_type = p_subject_type and (p_tenant_id is null or event.tenant_id = p_tenant_id)
    -- Of these alone it is believed; platform.audit_check_actions asks whether they came when they may.
    and event.action in ('token.created', 'token.revoked', 'token.recorded', 'organization.created', 'organization.recorded',
      'analyst.created', 'analyst.revoked', 'analyst.recorded', 'webhook.created', 'webhook.changed', 'webhook.secret_rotated',
      'webhook.enabled', 'webhook.disabled', 'webhook.deleted', 'webhook.stream_opened', 'webhook.recorded', 'webhook.stream_recorded')
    and (event.details like '%"record_sha256"%' or event.action in ('analyst.revoked', 'webhook.deleted'))
  order by event.tenant_id, event.environment, event.subject_id, event.seq desc
$$;
comment on function platform.audit_records(uuid, text) is
  'The last event of each subject of a kind that says what its record is, or (null) that the record is gone.';
revoke execute on function platform.audit_records(uuid, text) from public;
