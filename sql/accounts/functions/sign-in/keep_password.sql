create or replace function accounts.keep_password(p_action text, p_person_id uuid, p_salt bytea, p_tag bytea, p_by_person boolean) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_tenant_id uuid;
begin
  perform accounts.hold_person(p_person_id);
  perform accounts.put_password(p_person_id, p_salt, sha256(p_tag), parameters.memory, parameters.passes, parameters.parallelism)
  from accounts.password_parameters() as parameters;
  for v_tenant_id in select every from accounts.tenants_of(p_person_id) as every loop
    perform accounts.record_member_event(p_action, v_tenant_id, p_person_id, '{}', p_by_person);
  end loop;
end
$$;
comment on function accounts.keep_password(text, uuid, bytea, bytea, boolean) is
  'Keeps the SHA-256 of the tag that Argon2id made of a password with accounts.password_parameters and this salt, and records the event in every organization of the person.';
revoke execute on function accounts.keep_password(text, uuid, bytea, bytea, boolean) from public;
