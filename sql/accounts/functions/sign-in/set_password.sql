create or replace function accounts.set_password(p_person_id uuid, p_salt bytea, p_tag bytea, p_by_person boolean default true, p_kept_id uuid default null) returns void
  language plpgsql volatile set search_path = '' as $$
begin
  perform accounts.end_sessions(p_person_id, p_by_person => p_by_person, p_kept_id => p_kept_id);
  perform accounts.delete_links('infinity', p_person_id);
  perform accounts.keep_password('user.password_set', p_person_id, p_salt, p_tag, p_by_person);
end
$$;
comment on function accounts.set_password(uuid, bytea, bytea, boolean, uuid) is
  'Sets a password by the tag that Argon2id made of it with accounts.password_parameters and this salt, deletes the link of the person, and ends all sessions of the person but a kept one.';
revoke execute on function accounts.set_password(uuid, bytea, bytea, boolean, uuid) from public;
