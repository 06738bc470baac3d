create function gateway.signing_keys()
  returns table (key_id text, environment text, algorithm text, public_key bytea, sealed_seed bytea)
  language sql stable security definer set search_path = '' as $$
  select key.key_id, key.environment, key.algorithm, key.public_key, key.sealed_seed
  from platform.platform_keys as key where key.status = 'active' order by key.environment, key.algorithm
$$;
comment on function gateway.signing_keys() is 'The active keys with their encrypted seeds, for the process that signs.';
revoke execute on function gateway.signing_keys() from public;
grant execute on function gateway.signing_keys() to selo_app;
