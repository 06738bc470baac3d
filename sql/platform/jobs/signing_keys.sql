create function jobs.signing_keys()
  returns table (key_id text, environment text, algorithm text, public_key bytea, sealed_seed bytea, status text)
  language sql stable security definer set search_path = '' as $$
  select key.key_id, key.environment, key.algorithm, key.public_key, key.sealed_seed, key.status from gateway.signing_keys() as key
$$;
comment on function jobs.signing_keys() is 'The keys of gateway.signing_keys, for the worker, which seals the audit trail.';
revoke execute on function jobs.signing_keys() from public;
grant execute on function jobs.signing_keys() to selo_worker;
