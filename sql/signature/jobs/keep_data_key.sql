create function jobs.keep_data_key(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
begin
  insert into signature.data_keys (tenant_id, environment, sealed_key)
  values (platform.tenant_id(), platform.environment(), decode(p_arguments ->> 'sealed_key', 'base64'))
  on conflict (tenant_id, environment) do nothing;
  return jobs.read_data_key('{}');
end
$$;
comment on function jobs.keep_data_key(jsonb) is
  'Keeps the first data key {sealed_key} (encrypted, base64) of the organization and environment. A key that is there already stays. Answers as jobs.read_data_key does.';
revoke execute on function jobs.keep_data_key(jsonb) from public;
