create or replace function accounts.scopes_of_role(p_tenant_id uuid, p_environment text, p_actor_id uuid) returns text[]
  language plpgsql stable set search_path = '' as $$
declare
  v_scopes constant text[] := accounts.scopes_in_role(p_tenant_id, p_environment, p_actor_id);
begin
  if v_scopes is not null and exists (select from accounts.sign_in_rules as rule where rule.tenant_id = p_tenant_id and rule.demands_second_factor)
    and not accounts.has_totp(p_actor_id) then
    return '{}';
  end if;
  return v_scopes;
end
$$;
comment on function accounts.scopes_of_role(uuid, text, uuid) is
  'The scopes of a person in a session that began with a password, and a code where the person has an authenticator app: accounts.scopes_in_role, or none while the organization demands a second factor and the person has no app. Each request by such a session calls this function (platform.scope_sources).';
revoke execute on function accounts.scopes_of_role(uuid, text, uuid) from public;
grant execute on function accounts.scopes_of_role(uuid, text, uuid) to selo_system;
