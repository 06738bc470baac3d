create function gateway.signing_keys()
  returns table (key_id text, environment text, algorithm text, public_key bytea, sealed_seed bytea, status text)
  language sql stable security definer set search_path = '' as $$
  -- Gateways of version 0.1 take the first key of each environment and algorithm, so the active key comes first.
  select key.key_id, key.environment, key.algorithm, key.public_key, key.sealed_seed, key.status
  from platform.sealing_keys() as key order by key.environment, key.algorithm, key.status
$$;
comment on function gateway.signing_keys() is 'The keys whose seals are accepted, with their encrypted seeds, for the process that signs: active keys, and keys retired in the last two minutes.';
revoke execute on function gateway.signing_keys() from public;
grant execute on function gateway.signing_keys() to selo_app;
