create or replace function platform.store_idempotent_answer(p_key text, p_answer platform.answer) returns void
  language sql volatile set search_path = '' as $$
  update platform.idempotency_keys as kept
  set status = p_answer.status,
      subject_id = p_answer.subject_id,
      -- A subject rebuilds its body. Otherwise the body is kept, less what is shown once and never stored.
      body = case when p_answer.subject_id is null then
        case when json_typeof(p_answer.body) = 'object' then (
          select coalesce(json_object_agg(member.key, member.value), '{}'::json)
          from json_each(p_answer.body) as member
          where member.key not in ('secret', 'token')
        ) else p_answer.body end
      end
  where kept.tenant_id = platform.tenant_id() and kept.environment = platform.environment() and kept.key = p_key
$$;
comment on function platform.store_idempotent_answer(text, platform.answer) is 'Keeps the answer of the request that claimed the key.';
revoke execute on function platform.store_idempotent_answer(text, platform.answer) from public;
