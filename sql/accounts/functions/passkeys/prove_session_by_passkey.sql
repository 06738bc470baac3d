create or replace function accounts.prove_session_by_passkey(p_session accounts.sessions) returns void
  language plpgsql volatile set search_path = '' as $$
begin
  if accounts.is_by_passkey(p_session.way) then
    return;
  end if;
  perform accounts.put_way(p_session.id, 'password_passkey');
  update platform.credentials as credential set scopes_from = 'passkey'
  where credential.tenant_id = p_session.tenant_id and credential.digest in (p_session.live_digest, p_session.test_digest);
end
$$;
comment on function accounts.prove_session_by_passkey(accounts.sessions) is
  'Writes that a passkey has proven the person of the session of the request. The caller holds the lock of the person and records the event, which covers the credentials.';
revoke execute on function accounts.prove_session_by_passkey(accounts.sessions) from public;
