create or replace function platform.store_idempotent_answer(p_key text, p_status integer, p_body json, p_shown_once text[]) returns void
  language sql volatile set search_path = '' as $$
  update platform.idempotency_keys as kept
  set status = p_status,
      body = case when json_typeof(p_body) = 'object' then (
        select coalesce(json_object_agg(member.key, member.value), '{}'::json)
        from json_each(p_body) as member
        where member.key <> all (p_shown_once)
      ) else p_body end
  where kept.tenant_id = platform.tenant_id() and kept.environment = platform.environment() and kept.key = p_key
$$;
comment on function platform.store_idempotent_answer(text, integer, json, text[]) is
  'Keeps the answer of the request that claimed the key, without the members that the command shows once (gateway.commands.shown_once).';
revoke execute on function platform.store_idempotent_answer(text, integer, json, text[]) from public;
