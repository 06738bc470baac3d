create or replace function signature.connector_record(p_connector signature.connectors) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'name', p_connector.name, 'kind', p_connector.kind, 'status', p_connector.status, 'content', p_connector.content, 'endpoint', p_connector.endpoint,
    'region', p_connector.region, 'bucket', p_connector.bucket, 'prefix', p_connector.prefix, 'access_key_id', p_connector.access_key_id,
    'disabled_reason', p_connector.disabled_reason, 'created_at', platform.instant(p_connector.created_at))
$$;
comment on function signature.connector_record(signature.connectors) is 'A connector in the form that its digest covers.';
revoke execute on function signature.connector_record(signature.connectors) from public;
grant execute on function signature.connector_record(signature.connectors) to selo_system;
