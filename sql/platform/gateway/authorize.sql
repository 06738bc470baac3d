create function gateway.authorize(p_credential_hash bytea, p_command text default null) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform platform.authenticate(p_credential_hash);
  perform platform.require_scope(command.scope)
  from gateway.commands as command where command.name = p_command and command.scope is not null;
  perform platform.enter_context(null, null, null, null);
end
$$;
comment on function gateway.authorize(bytea, text) is
  'Nothing for a good credential, or 401 unauthenticated; with a command, also whether it may call it, or 403 missing_scope. Asked before a file is read, before a request is refused for its shape, and where nothing else of a request asked.';
revoke execute on function gateway.authorize(bytea, text) from public;
grant execute on function gateway.authorize(bytea, text) to selo_app;
