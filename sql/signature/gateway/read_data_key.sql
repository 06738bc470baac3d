create function gateway.read_data_key() returns json
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.require_token();
  return json_build_object('tenant_id', platform.tenant_id(), 'environment', platform.environment(), 'sealed_key', (
    select replace(encode(kept.sealed_key, 'base64'), E'\n', '') from signature.data_keys as kept
    where kept.tenant_id = platform.tenant_id() and kept.environment = platform.environment()));
end
$$;
comment on function gateway.read_data_key() is
  'The encrypted data key (base64) of the caller''s organization and environment, and which these are, for the process that encrypts. sealed_key is null before the first key is made. The command needs no scope: no operation answers what it returns.';
revoke execute on function gateway.read_data_key() from public;
