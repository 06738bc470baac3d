create or replace function platform.find_idempotent_answer(p_key text, p_request_hash bytea, out status integer, out body text)
  language plpgsql stable set search_path = '' as $$
declare
  v_request_hash bytea;
begin
  select kept.request_hash, kept.status, kept.body into v_request_hash, find_idempotent_answer.status, find_idempotent_answer.body
  from platform.idempotency_keys as kept
  where kept.tenant_id = platform.tenant_id() and kept.environment = platform.environment() and kept.key = p_key;
  if v_request_hash <> p_request_hash then
    perform platform.fail(409, 'conflict', 'This Idempotency-Key was used with another request.');
  end if;
end
$$;
comment on function platform.find_idempotent_answer(text, bytea) is
  'The answer stored under a key. All null for a key without an answer. 409 conflict for a key of another request.';
revoke execute on function platform.find_idempotent_answer(text, bytea) from public;
