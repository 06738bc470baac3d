create or replace function signature.connector_target(p_connector signature.connectors) returns json
  language sql stable set search_path = '' as $$
  select json_build_object('id', p_connector.id, 'environment', p_connector.environment, 'endpoint', p_connector.endpoint, 'region', p_connector.region,
    'bucket', p_connector.bucket, 'prefix', p_connector.prefix, 'access_key_id', p_connector.access_key_id,
    'sealed_secret', replace(encode(p_connector.sealed_secret, 'base64'), E'\n', ''), 'now_ms', floor(extract(epoch from clock_timestamp()) * 1000))
$$;
comment on function signature.connector_target(signature.connectors) is
  'Where a connector''s objects go: {id, environment, endpoint, region, bucket, prefix, access_key_id, sealed_secret (base64), now_ms}. Requests are signed by this clock, because the clock of the machine may be wrong.';
revoke execute on function signature.connector_target(signature.connectors) from public;
