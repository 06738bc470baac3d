create or replace function platform.saved_context() returns text[]
  language sql stable set search_path = '' as $$
  select array[current_setting('app.tenant_id', true), current_setting('app.environment', true), current_setting('app.actor_kind', true),
    current_setting('app.actor_id', true), current_setting('app.scopes', true)]
$$;
comment on function platform.saved_context() is
  'The actor of the transaction, for a function that acts for other organizations and then returns (platform.restore_context).';
revoke execute on function platform.saved_context() from public;
