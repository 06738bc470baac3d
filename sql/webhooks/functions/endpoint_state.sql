create or replace function webhooks.endpoint_state(p_id uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('record_sha256', platform.record_digest(endpoint.record_salt, webhooks.endpoint_record(endpoint)))
  from webhooks.endpoints as endpoint
  where endpoint.tenant_id = platform.tenant_id() and endpoint.environment = platform.environment() and endpoint.id = p_id
$$;
comment on function webhooks.endpoint_state(uuid) is 'The part of an endpoint''s events that describes the record: {record_sha256}.';
revoke execute on function webhooks.endpoint_state(uuid) from public;
