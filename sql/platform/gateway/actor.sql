create function gateway.actor(
  p_credential_hash bytea, p_command text default null, out tenant_id uuid, out environment text, out token_id uuid, out scopes text[]
)
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform platform.authenticate(p_credential_hash);
  perform platform.require_scope(command.scope)
  from gateway.commands as command where command.name = p_command and command.scope is not null;
  tenant_id := platform.tenant_id();
  environment := platform.environment();
  token_id := current_setting('app.token_id')::uuid;
  scopes := string_to_array(current_setting('app.scopes'), ' ');
  perform platform.enter_context(null, null, null, null);
end
$$;
comment on function gateway.actor(bytea, text) is
  'Who a credential is, or 401 unauthenticated; with a command, also whether it may call it, or 403 missing_scope. Asked once per GraphQL request, before a file is read, and before a request is refused for its shape.';
revoke execute on function gateway.actor(bytea, text) from public;
grant execute on function gateway.actor(bytea, text) to selo_app;
