create or replace function platform.find_idempotent_answer(p_key text, p_request_hash bytea) returns platform.answer
  language plpgsql stable set search_path = '' as $$
declare
  v_key record;
begin
  select kept.request_hash, kept.status, kept.body, kept.subject_id into v_key
  from platform.idempotency_keys as kept
  where kept.tenant_id = platform.tenant_id() and kept.environment = platform.environment() and kept.key = p_key;
  if not found then
    return null;
  elsif v_key.request_hash <> p_request_hash then
    perform platform.fail(409, 'conflict', 'This Idempotency-Key was used with another request.');
  end if;
  return (v_key.status, v_key.body::json, v_key.subject_id)::platform.answer;
end
$$;
comment on function platform.find_idempotent_answer(text, bytea) is
  'The answer stored under a key, null when there is none, 409 conflict when the key belongs to another request.';
revoke execute on function platform.find_idempotent_answer(text, bytea) from public;
