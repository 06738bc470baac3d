create or replace function accounts.record_factors(p_action text, p_person_id uuid, p_by_person boolean default true) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_tenant_id uuid;
begin
  for v_tenant_id in select every from accounts.tenants_of(p_person_id) as every loop
    perform accounts.record_member_event(p_action, v_tenant_id, p_person_id, '{}', p_by_person);
  end loop;
end
$$;
comment on function accounts.record_factors(text, uuid, boolean) is
  'Records in every organization of a person that the second factors of the person changed. The caller holds the lock of the person.';
revoke execute on function accounts.record_factors(text, uuid, boolean) from public;
