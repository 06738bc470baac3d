create or replace function platform.enter_context(
  p_tenant_id uuid, p_environment text, p_actor_kind text, p_actor_id uuid, p_scopes text[]
)
  returns void language sql volatile set search_path = '' as $$
  select
    set_config('app.tenant_id', coalesce(p_tenant_id::text, ''), true),
    set_config('app.environment', coalesce(p_environment, ''), true),
    set_config('app.actor_kind', coalesce(p_actor_kind, ''), true),
    set_config('app.actor_id', coalesce(p_actor_id::text, ''), true),
    -- Functions of v0.1.0 set app.token_id. The setting is believed only in transactions that those functions entered.
    set_config('app.token_id', '', true),
    set_config('app.scopes', coalesce(array_to_string(p_scopes, ' '), ''), true)
$$;
comment on function platform.enter_context(uuid, text, text, uuid, text[]) is
  'Sets the actor for the rest of the transaction: organization, environment, kind, id and scopes. Without a kind, the actor is the operator at the command line and the system elsewhere (platform.make_audit_events). Nulls in all arguments end the context.';
revoke execute on function platform.enter_context(uuid, text, text, uuid, text[]) from public;
grant execute on function platform.enter_context(uuid, text, text, uuid, text[]) to selo_system;

create or replace function platform.enter_context(p_tenant_id uuid, p_environment text, p_token_id uuid, p_scopes text[])
  returns void language sql volatile set search_path = '' as $$
  select platform.enter_context(p_tenant_id, p_environment, case when p_token_id is not null then 'token' end, p_token_id, p_scopes)
$$;
comment on function platform.enter_context(uuid, text, uuid, text[]) is
  'The form of v0.1.0, in which only tokens act. Kept for one release; removed in the next release.';
revoke execute on function platform.enter_context(uuid, text, uuid, text[]) from public;
grant execute on function platform.enter_context(uuid, text, uuid, text[]) to selo_system;
