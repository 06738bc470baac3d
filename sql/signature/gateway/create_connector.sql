create function gateway.create_connector(
  p_id uuid, p_name text, p_endpoint text, p_is_loopback boolean, p_region text, p_bucket text, p_access_key_id text, p_sealed_secret text,
  p_prefix text default '', p_kind text default 's3', p_content text default 'documents'
)
  returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  v_connector signature.connectors;
begin
  perform platform.require_scope('integrations:manage');
  v_connector.name := p_name;
  v_connector.endpoint := p_endpoint;
  v_connector.bucket := p_bucket;
  v_connector.prefix := p_prefix;
  v_connector.content := p_content;
  perform signature.refuse_wrong_connector(v_connector, p_is_loopback);
  -- One request at a time for each organization and environment: two requests at once could both take the last free place.
  perform from platform.projects as project
  where project.tenant_id = platform.tenant_id() and project.environment = platform.environment() for no key update;
  if (select count(*) from signature.connectors as connector
      where connector.tenant_id = platform.tenant_id() and connector.environment = platform.environment()) >= 10 then
    perform platform.fail(409, 'conflict', 'The organization already has 10 connectors in this environment, the maximum.');
  end if;
  insert into signature.connectors (tenant_id, id, environment, name, kind, content, endpoint, region, bucket, prefix, access_key_id, sealed_secret)
  values (platform.tenant_id(), p_id, platform.environment(), p_name, p_kind, p_content, p_endpoint, p_region, p_bucket, p_prefix, p_access_key_id,
    decode(p_sealed_secret, 'base64'));
  perform platform.record_audit_event('connector.created', 'connector', p_id,
    jsonb_build_object('kind', p_kind, 'content', p_content) || signature.connector_state(p_id));
  return (select gateway.connectors_json(created) from api.connectors as created where created.id = p_id);
end
$$;
comment on function gateway.create_connector(uuid, text, text, boolean, text, text, text, text, text, text, text) is
  E'@param name {1..160} Name in your own words.\n@param endpoint {..2048 uri} Address of the storage: a public https:// address, with port 443 or a port from 1024 up.\n@param region {..63, /^[A-Za-z0-9_-]{1,63}$/ must be 1 to 63 letters, digits, - and _} Region that signatures name, such as `us-east-1`.\n@param bucket {..63, /^[A-Za-z0-9][A-Za-z0-9._-]{2,62}$/ must be 3 to 63 letters, digits, points, - and _, the first a letter or a digit} The bucket.\n@param access_key_id {..128, /^[A-Za-z0-9._~+=@:-]{1,128}$/ must be 1 to 128 letters, digits and . _ ~ + = @ : -} Id of the access key.\n@param prefix {..200, not null} What the name of each object begins with, without a slash at its ends.\n@param kind {signature.connector_kinds, not null} How Selo speaks to the storage.\n@param content {signature.connector_contents, not null} What is delivered.\nSecond half of POST /integrations/connectors, for a checked address and a sealed secret (base64). 409 conflict when the organization has 10 connectors in the environment.';
revoke execute on function gateway.create_connector(uuid, text, text, boolean, text, text, text, text, text, text, text) from public;
