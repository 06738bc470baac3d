create or replace function accounts.opened_json(p_session accounts.sessions, p_environment text, p_renews boolean default false) returns json
  language sql stable set search_path = '' as $$
  select json_build_object('session', accounts.session_json(p_session, p_environment),
    'seconds', floor(extract(epoch from p_session.expires_at - clock_timestamp()))::integer,
    'renew', (select to_json(parameters) from accounts.password_parameters() as parameters where p_renews))
$$;
comment on function accounts.opened_json(accounts.sessions, text, boolean) is
  'A session just opened: {session, seconds, renew}. seconds is how long it lasts, by the clock of the database, for its cookies. renew has the parameters of Argon2id if the password is to be hashed anew, and is null otherwise.';
revoke execute on function accounts.opened_json(accounts.sessions, text, boolean) from public;
