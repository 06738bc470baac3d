create or replace function accounts.record_factors(p_action text, p_person_id uuid, p_by_person boolean default true) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  c_caller_id constant uuid := nullif(current_setting('app.actor_id', true), '')::uuid;
  v_tenant_id uuid;
begin
  for v_tenant_id in select every from accounts.tenants_of(p_person_id) as every loop
    perform accounts.record_member_event(p_action, v_tenant_id, p_person_id, '{}', p_by_person);
  end loop;
  perform accounts.mail_person(p_person_id, 'factors_changed', jsonb_build_object('change', replace(p_action, 'user.', ''),
    'by', case when c_caller_id <> p_person_id then (accounts.read_person(c_caller_id)).name end, 'is_by_operator', not p_by_person));
  if c_caller_id <> p_person_id then
    perform accounts.mail_person(c_caller_id, 'factors_changed', jsonb_build_object('change', 'factor_taken_off',
      'member', (accounts.read_person(p_person_id)).name), platform.tenant_id());
  end if;
end
$$;
comment on function accounts.record_factors(text, uuid, boolean) is
  'Records in every organization of a person that the second factors of the person changed, and mails it to the person, and to another person who did it. The caller of this function holds the lock of the person.';
revoke execute on function accounts.record_factors(text, uuid, boolean) from public;
