create or replace function accounts.passkey_json(p_passkey accounts.passkeys) returns json
  language sql stable set search_path = '' as $$
  select json_build_object('id', p_passkey.id, 'name', p_passkey.name, 'created_at', platform.wire_instant(p_passkey.created_at),
    'last_used_at', platform.wire_instant(p_passkey.last_used_at))
$$;
comment on function accounts.passkey_json(accounts.passkeys) is 'A passkey as its person sees it.';
revoke execute on function accounts.passkey_json(accounts.passkeys) from public;
