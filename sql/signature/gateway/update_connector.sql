create function gateway.update_connector(
  p_id uuid, p_name text default null, p_endpoint text default null, p_is_loopback boolean default false, p_region text default null, p_bucket text default null,
  p_access_key_id text default null, p_sealed_secret text default null, p_prefix text default null, p_content text default null
)
  returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  v_old signature.connectors;
  v_connector signature.connectors;
begin
  perform platform.require_scope('integrations:manage');
  v_old := signature.require_connector(p_id);
  v_connector := v_old;
  v_connector.name := coalesce(p_name, v_old.name);
  v_connector.endpoint := coalesce(p_endpoint, v_old.endpoint);
  v_connector.region := coalesce(p_region, v_old.region);
  v_connector.bucket := coalesce(p_bucket, v_old.bucket);
  v_connector.access_key_id := coalesce(p_access_key_id, v_old.access_key_id);
  v_connector.sealed_secret := coalesce(decode(p_sealed_secret, 'base64'), v_old.sealed_secret);
  v_connector.prefix := coalesce(p_prefix, v_old.prefix);
  v_connector.content := coalesce(p_content, v_old.content);
  perform signature.refuse_wrong_connector(v_connector, p_is_loopback);
  if v_connector is distinct from v_old then
    update signature.connectors as connector
    set name = v_connector.name, endpoint = v_connector.endpoint, region = v_connector.region, bucket = v_connector.bucket,
      access_key_id = v_connector.access_key_id, sealed_secret = v_connector.sealed_secret, prefix = v_connector.prefix, content = v_connector.content
    where connector.tenant_id = v_old.tenant_id and connector.id = p_id;
    perform platform.record_audit_event('connector.changed', 'connector', p_id,
      jsonb_build_object('members', jsonb_path_query_array(jsonb_build_array(
        case when v_connector.name <> v_old.name then 'name' end, case when v_connector.endpoint <> v_old.endpoint then 'endpoint' end,
        case when v_connector.region <> v_old.region then 'region' end, case when v_connector.bucket <> v_old.bucket then 'bucket' end,
        case when v_connector.access_key_id <> v_old.access_key_id then 'access_key_id' end,
        case when v_connector.sealed_secret <> v_old.sealed_secret then 'secret' end,
        case when v_connector.prefix <> v_old.prefix then 'prefix' end, case when v_connector.content <> v_old.content then 'content' end),
        '$[*] ? (@ != null)')) || signature.connector_state(p_id));
  end if;
  return (select gateway.connectors_json(changed) from api.connectors as changed where changed.id = p_id);
end
$$;
comment on function gateway.update_connector(uuid, text, text, boolean, text, text, text, text, text, text) is
  E'@param id Id of the connector.\n@param name {1..160, not null} Name in your own words.\n@param endpoint {..2048 uri, not null} Address of the storage: a public https:// address, with port 443 or a port from 1024 up.\n@param region {..63, /^[A-Za-z0-9_-]{1,63}$/ must be 1 to 63 letters, digits, - and _, not null} Region that signatures name, such as `us-east-1`.\n@param bucket {..63, /^[A-Za-z0-9][A-Za-z0-9._-]{2,62}$/ must be 3 to 63 letters, digits, points, - and _, the first a letter or a digit, not null} The bucket.\n@param access_key_id {..128, /^[A-Za-z0-9._~+=@:-]{1,128}$/ must be 1 to 128 letters, digits and . _ ~ + = @ : -, not null} Id of the access key.\n@param prefix {..200, not null} What the name of each object begins with, without a slash at its ends. An empty text removes it.\n@param content {signature.connector_contents, not null} What is delivered.\nSecond half of PATCH /integrations/connectors/{id}, for a checked address and a sealed secret (base64): changes the given members. Later attempts use them.';
revoke execute on function gateway.update_connector(uuid, text, text, boolean, text, text, text, text, text, text) from public;
