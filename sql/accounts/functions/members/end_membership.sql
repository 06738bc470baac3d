create or replace function accounts.end_membership(p_person_id uuid) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_member accounts.memberships;
begin
  perform accounts.hold_members(p_person_id);
  v_member := accounts.require_member(p_person_id);
  perform accounts.require_power_over(v_member.role);
  perform accounts.require_other_owner(v_member);
  perform accounts.hold_person(p_person_id);
  update accounts.memberships as membership set removed_at = clock_timestamp()
  where membership.tenant_id = v_member.tenant_id and membership.person_id = p_person_id;
  perform accounts.withdraw_invitations_of(p_person_id);
  perform accounts.end_sessions(p_person_id, p_tenant_id => v_member.tenant_id);
  perform accounts.record_member_event(case when p_person_id = nullif(current_setting('app.actor_id', true), '')::uuid then 'user.left' else 'user.removed' end,
    v_member.tenant_id, p_person_id, '{}');
end
$$;
comment on function accounts.end_membership(uuid) is
  'Takes a member out of the organization of the context, as the caller may, and ends the person''s sessions in it and the invitations that the person made. Tokens stay: they are the organization''s. 404 not_found, 403 forbidden, 409 last_owner.';
revoke execute on function accounts.end_membership(uuid) from public;
