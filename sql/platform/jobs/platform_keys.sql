create function jobs.platform_keys() returns table (key_id text, environment text, algorithm text, public_key bytea)
  language sql stable security definer set search_path = '' as $$
  select key.key_id, key.environment, key.algorithm, key.public_key from platform.platform_keys as key order by key.created_at, key.key_id
$$;
comment on function jobs.platform_keys() is 'The platform''s public keys, active and retired.';
revoke execute on function jobs.platform_keys() from public;
grant execute on function jobs.platform_keys() to selo_worker;
