create or replace function accounts.enter_tenant(p_tenant_id uuid) returns void
  language sql volatile set search_path = '' as $$
  select platform.enter_context(p_tenant_id, 'live', nullif(current_setting('app.actor_kind', true), ''), nullif(current_setting('app.actor_id', true), '')::uuid, null)
$$;
comment on function accounts.enter_tenant(uuid) is
  'Goes on in an organization, in live and without scopes, as the caller of the transaction: the audit trail says who did it. The function that calls it restores the context (platform.restore_context).';
revoke execute on function accounts.enter_tenant(uuid) from public;
