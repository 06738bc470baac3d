create or replace function accounts.require_person() returns uuid
  language plpgsql stable set search_path = '' as $$
begin
  if current_setting('app.actor_kind', true) is distinct from 'user' then
    perform platform.fail(403, 'forbidden', 'This needs a session: sign in, and send its cookie and no bearer token.');
  end if;
  return current_setting('app.actor_id', true)::uuid;
end
$$;
comment on function accounts.require_person() is 'The person who calls. 403 forbidden for a caller of another kind, such as a token.';
revoke execute on function accounts.require_person() from public;
