create or replace function platform.store_idempotent_answer(p_key text, p_status integer, p_body json, p_shown_once text[]) returns void
  language sql volatile set search_path = '' as $$
  update platform.idempotency_keys as kept
  set status = p_status,
      -- A replay answers the same bytes.
      body = case when json_typeof(p_body) = 'object' and p_shown_once <> '{}' then (
        select '{' || coalesce(string_agg(to_json(member.key)::text || ':' || member.value::text, ',' order by member.place), '') || '}'
        from json_each(p_body) with ordinality as member (key, value, place)
        where member.key <> all (p_shown_once)
      ) else p_body::text end
  where kept.tenant_id = platform.tenant_id() and kept.environment = platform.environment() and kept.key = p_key
$$;
comment on function platform.store_idempotent_answer(text, integer, json, text[]) is
  'Keeps the answer of the request that claimed the key, without the members that the command shows once (gateway.commands.shown_once).';
revoke execute on function platform.store_idempotent_answer(text, integer, json, text[]) from public;
