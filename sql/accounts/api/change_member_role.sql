create function api.change_member_role(p_id uuid, p_role text) returns api.members
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_member accounts.memberships;
  v_answer api.members;
begin
  perform platform.require_scope('members:manage');
  perform accounts.hold_members(p_id);
  v_member := accounts.require_member(p_id);
  perform accounts.require_power_over(v_member.role, p_role);
  if v_member.role <> p_role then
    perform accounts.require_other_owner(v_member);
    perform accounts.hold_person(p_id);
    update accounts.memberships as membership set role = p_role where membership.tenant_id = v_member.tenant_id and membership.person_id = p_id;
    perform accounts.record_member_event('user.role_changed', v_member.tenant_id, p_id, jsonb_build_object('role', p_role, 'former_role', v_member.role));
    perform accounts.withdraw_invitations_of(p_id);
    if p_role = 'owner' then
      perform accounts.tell_owners(p_id);
    end if;
  end if;
  select answer.* into v_answer from api.members as answer where answer.id = p_id;
  return v_answer;
end
$$;
comment on function api.change_member_role(uuid, text) is
  E'@param id The member.\n@param role {accounts.roles} The role.\nGives a member another role. Nobody gives a role above their own, or changes a member who ranks higher: 403 forbidden. The last owner stays an owner: 409 last_owner. For people who are signed in.';
revoke execute on function api.change_member_role(uuid, text) from public;
