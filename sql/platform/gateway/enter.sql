create function gateway.enter(p_credential_hash bytea, p_origin jsonb) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform set_config('transaction_read_only', 'on', true);
  -- PostGraphile writes instants with the offset of the session.
  perform set_config('timezone', 'UTC', true);
  perform platform.enter_origin(p_origin);
  if p_credential_hash is null then
    perform platform.refuse_old_snapshot();
    -- A request without a credential reads as a public reader.
    perform platform.enter_context(null, null, null, null, null);
    perform set_config('app.mac', '', true);
  else
    perform platform.authenticate(p_credential_hash);
    perform set_config('app.mac', encode(platform.context_mac(), 'hex'), true);
  end if;
end
$$;
comment on function gateway.enter(bytea, jsonb) is
  'Begins a transaction that reads the views of schema api and writes nothing. The reader is the actor whose credential has this SHA-256, or 401 unauthenticated. Without a credential the reader is a public reader. The settings are valid for a minute, within this transaction of this backend. The origin has the form of gateway.call.';
revoke execute on function gateway.enter(bytea, jsonb) from public;
grant execute on function gateway.enter(bytea, jsonb) to selo_app;
