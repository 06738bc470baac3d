create function gateway.keep_data_key(p_sealed_key text) returns json
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform platform.require_token();
  -- Of two requests that bring a first key at once, one wins, and both go on with the key of the winner.
  insert into signature.data_keys (tenant_id, environment, sealed_key)
  values (platform.tenant_id(), platform.environment(), decode(p_sealed_key, 'base64'))
  on conflict (tenant_id, environment) do nothing;
  return gateway.read_data_key();
end
$$;
comment on function gateway.keep_data_key(text) is
  'Keeps the first data key (encrypted, base64) of the caller''s organization and environment. A key that is there already stays. Answers as gateway.read_data_key does.';
revoke execute on function gateway.keep_data_key(text) from public;
