create or replace function platform.platform_key_id(p_algorithm text, p_public_key bytea) returns text
  language sql immutable set search_path = '' as $$
  select lower(p_algorithm) || '-' || left(encode(sha256(p_public_key), 'hex'), 16)
$$;
comment on function platform.platform_key_id(text, bytea) is
  'The name of a public key. Anyone can compute the name from the key, as keyId in src/verifier/key-ids.ts does.';
revoke execute on function platform.platform_key_id(text, bytea) from public;
grant execute on function platform.platform_key_id(text, bytea) to selo_system;
