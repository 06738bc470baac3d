create function jobs.read_data_key(p_arguments jsonb) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('sealed_key', replace(encode(kept.sealed_key, 'base64'), E'\n', ''))
  from signature.data_keys as kept
  where kept.tenant_id = platform.tenant_id() and kept.environment = platform.environment()
$$;
comment on function jobs.read_data_key(jsonb) is 'The encrypted data key (base64) of the organization and environment: {sealed_key}. Null before the first key is made.';
revoke execute on function jobs.read_data_key(jsonb) from public;
