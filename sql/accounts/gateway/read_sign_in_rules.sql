create function gateway.read_sign_in_rules() returns json
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.require_scope('members:read');
  return json_build_object('demands_second_factor', exists (
    select from accounts.sign_in_rules as rule where rule.tenant_id = platform.tenant_id() and rule.demands_second_factor));
end
$$;
comment on function gateway.read_sign_in_rules() is 'What the organization demands of its people: {demands_second_factor}.';
revoke execute on function gateway.read_sign_in_rules() from public;
