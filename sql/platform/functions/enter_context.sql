create or replace function platform.enter_context(p_tenant_id uuid, p_environment text, p_token_id uuid, p_scopes text[])
  returns void language sql volatile set search_path = '' as $$
  select
    set_config('app.tenant_id', coalesce(p_tenant_id::text, ''), true),
    set_config('app.environment', coalesce(p_environment, ''), true),
    set_config('app.token_id', coalesce(p_token_id::text, ''), true),
    set_config('app.scopes', coalesce(array_to_string(p_scopes, ' '), ''), true)
$$;
comment on function platform.enter_context(uuid, text, uuid, text[]) is
  'Says for the rest of the transaction who acts; all null leaves the context again.';
revoke execute on function platform.enter_context(uuid, text, uuid, text[]) from public;
grant execute on function platform.enter_context(uuid, text, uuid, text[]) to selo_system;
