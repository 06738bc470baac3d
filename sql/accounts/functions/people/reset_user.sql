create or replace function accounts.reset_user(p_email text, p_link_sha256 text, out email text, out link_expires_at timestamptz)
  language plpgsql volatile set search_path = '' as $$
#variable_conflict use_column
declare
  v_person accounts.people;
  v_tenant_id uuid;
begin
  v_person := accounts.hold_person((accounts.find_person(p_email)).id);
  if v_person.id is null then
    perform platform.fail(404, 'not_found', 'There is no person with this address.');
  end if;
  link_expires_at := accounts.make_password_link(v_person.id, p_link_sha256);
  email := v_person.email;
  for v_tenant_id in select every from accounts.tenants_of(v_person.id) as every loop
    perform accounts.record_member_event('user.link_made', v_tenant_id, v_person.id, '{}', false);
  end loop;
end
$$;
comment on function accounts.reset_user(text, text) is
  'Makes a link of 24 hours that sets the password of a person, whose secret has this SHA-256 (hexadecimal). An earlier link is replaced. The present password works until the link is used. 404 not_found for an unknown address.';
revoke execute on function accounts.reset_user(text, text) from public;
