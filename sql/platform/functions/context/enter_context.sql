create or replace function platform.enter_context(
  p_tenant_id uuid, p_environment text, p_actor_kind text, p_actor_id uuid, p_scopes text[]
)
  returns void language sql volatile set search_path = '' as $$
  select
    set_config('app.tenant_id', coalesce(p_tenant_id::text, ''), true),
    set_config('app.environment', coalesce(p_environment, ''), true),
    set_config('app.actor_kind', coalesce(p_actor_kind, ''), true),
    set_config('app.actor_id', coalesce(p_actor_id::text, ''), true),
    set_config('app.scopes', coalesce(array_to_string(p_scopes, ' '), ''), true)
$$;
comment on function platform.enter_context(uuid, text, text, uuid, text[]) is
  'Sets the actor for the rest of the transaction: organization, environment, kind, id and scopes. Without a kind, the actor is the operator at the command line and the system elsewhere (platform.make_audit_events). Nulls in all arguments end the context.';
revoke execute on function platform.enter_context(uuid, text, text, uuid, text[]) from public;
grant execute on function platform.enter_context(uuid, text, text, uuid, text[]) to selo_system;
