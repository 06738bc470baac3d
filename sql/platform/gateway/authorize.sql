create function gateway.authorize(p_credential_hash bytea, p_command text default null, p_organization text default null) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform platform.authenticate(p_credential_hash);
  perform platform.require_organization(p_organization);
  perform platform.require_scope(command.scope)
  from gateway.commands as command where command.name = p_command and command.scope <> '*';
  perform platform.enter_context(null, null, null, null, null);
end
$$;
comment on function gateway.authorize(bytea, text, text) is
  'Checks a credential and answers nothing. 401 unauthenticated for an invalid credential. With a command also 403 missing_scope, and with the number of an organization 403 forbidden. The gateway calls this function before it reads a file, before it refuses a request for its shape, and when no other statement of the request has checked the token.';
revoke execute on function gateway.authorize(bytea, text, text) from public;
grant execute on function gateway.authorize(bytea, text, text) to selo_app;
