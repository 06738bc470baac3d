create function api.leave_organization(p_organization_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_person_id uuid;
begin
  perform platform.require_scope('members:read');
  -- A scope, because who has only the password of somebody must not leave where a second factor is demanded.
  v_person_id := accounts.require_person();
  if p_organization_id <> platform.tenant_id() then
    perform platform.fail(404, 'not_found', 'The session acts for another organization.');
  end if;
  perform accounts.end_membership(v_person_id);
end
$$;
comment on function api.leave_organization(uuid) is
  E'@param organization_id The organization of the session.\nTakes the caller out of the organization of the session. The sessions of the caller in the organization end at once. 404 not_found if the session acts for another organization. The last owner stays: 409 last_owner. For people who are signed in.';
revoke execute on function api.leave_organization(uuid) from public;
