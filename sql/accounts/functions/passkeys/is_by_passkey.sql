create or replace function accounts.is_by_passkey(p_way text) returns boolean
  language sql immutable set search_path = '' as $$
  select p_way in ('passkey', 'password_passkey')
$$;
comment on function accounts.is_by_passkey(text) is
  'Whether a passkey proved the person of a session that began in this way: it signed the person in, or was added in the session.';
revoke execute on function accounts.is_by_passkey(text) from public;
grant execute on function accounts.is_by_passkey(text) to selo_system;
