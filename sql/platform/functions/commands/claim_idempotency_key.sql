create or replace function platform.claim_idempotency_key(p_key text, p_request_hash bytea) returns boolean
  language plpgsql volatile set search_path = '' as $$
begin
  -- The insert waits for another request that holds the key. The key is free when that request fails, and taken when that request commits.
  insert into platform.idempotency_keys (tenant_id, environment, key, request_hash)
  values (platform.tenant_id(), platform.environment(), p_key, p_request_hash)
  on conflict (tenant_id, environment, key) do nothing;
  return found;
end
$$;
comment on function platform.claim_idempotency_key(text, bytea) is
  'Claims a key for this request. False when an answer is stored under the key. A later error rolls the claim back.';
revoke execute on function platform.claim_idempotency_key(text, bytea) from public;
