create or replace function platform.store_idempotent_answer(p_key text, p_status integer, p_body json) returns void
  language sql volatile set search_path = '' as $$
  update platform.idempotency_keys as kept
  set status = p_status,
      -- Without members that are shown once and never stored.
      body = case when json_typeof(p_body) = 'object' then (
        select coalesce(json_object_agg(member.key, member.value), '{}'::json)
        from json_each(p_body) as member
        where member.key not in ('secret', 'token')
      ) else p_body end
  where kept.tenant_id = platform.tenant_id() and kept.environment = platform.environment() and kept.key = p_key
$$;
comment on function platform.store_idempotent_answer(text, integer, json) is 'Keeps the answer of the request that claimed the key.';
revoke execute on function platform.store_idempotent_answer(text, integer, json) from public;
