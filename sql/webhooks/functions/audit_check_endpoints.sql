--! owner selo_system
-- Looks across tenants: endpoints of all organizations are compared with their events.
create or replace function webhooks.audit_check_endpoints(p_tenant_id uuid) returns setof platform.audit_fault
  language sql stable security definer
  -- The tables themselves are read: an index may have been kept from seeing a row.
  set search_path = '' set enable_indexscan = off set enable_indexonlyscan = off set enable_bitmapscan = off as $$
  with there as (
    select endpoint.tenant_id, endpoint.environment, endpoint.id,
      platform.record_digest(endpoint.record_salt, webhooks.endpoint_record(endpoint)) as record_sha256
    from webhooks.endpoints as endpoint where p_tenant_id is null or endpoint.tenant_id = p_tenant_id
  )
  select 'endpoints', coalesce(there.tenant_id, recorded.tenant_id), coalesce(there.environment, recorded.environment), 'webhook',
    coalesce(there.id, recorded.subject_id), coalesce(recorded.seq, 1), recorded.event_id, case
      when recorded.subject_id is null then 'truncated: the webhook is there, its chain is not'
      when there.id is null then 'the webhook that was created is gone'
      when recorded.record_sha256 is null then 'the webhook that was deleted is there'
      else 'the webhook is not what was recorded' end
  from there
  full join platform.audit_records(p_tenant_id, 'webhook') as recorded
    on recorded.tenant_id = there.tenant_id and recorded.environment = there.environment and recorded.subject_id = there.id
  where (there.record_sha256 = recorded.record_sha256) is not true and not (there.id is null and recorded.record_sha256 is null)
    -- A stream ends without an event.
    and not (there.id is null and recorded.action in ('webhook.stream_opened', 'webhook.stream_recorded'))
$$;
comment on function webhooks.audit_check_endpoints(uuid) is
  'Endpoints that are not as their last event left them, that have no record or are gone.';
revoke execute on function webhooks.audit_check_endpoints(uuid) from public;
grant execute on function webhooks.audit_check_endpoints(uuid) to selo_owner;
