create or replace function accounts.set_password(p_person_id uuid, p_salt bytea, p_tag bytea, p_by_person boolean default true) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_tenant_id uuid;
begin
  perform accounts.end_sessions(p_person_id, p_by_person => p_by_person);
  update accounts.people as person
  set password_salt = p_salt, password_memory = parameters.memory, password_passes = parameters.passes, password_parallelism = parameters.parallelism,
    password_digest = sha256(p_tag)
  from accounts.password_parameters() as parameters where person.id = p_person_id;
  delete from accounts.password_links as link where link.person_id = p_person_id;
  for v_tenant_id in select every from accounts.tenants_of(p_person_id) as every loop
    perform accounts.record_member_event('user.password_set', v_tenant_id, p_person_id, '{}', p_by_person);
  end loop;
end
$$;
comment on function accounts.set_password(uuid, bytea, bytea, boolean) is
  'Sets a password by the tag that Argon2id made of it with accounts.password_parameters and this salt, deletes the link of the person, and ends all sessions of the person.';
revoke execute on function accounts.set_password(uuid, bytea, bytea, boolean) from public;
