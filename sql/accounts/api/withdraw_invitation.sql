create function api.withdraw_invitation(p_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_invitation accounts.invitations;
begin
  perform platform.require_scope('members:manage');
  perform accounts.hold_members(null);
  v_invitation := accounts.require_invitation(p_id);
  perform accounts.require_power_over(v_invitation.role);
  perform accounts.end_invitation('invitation.withdrawn', v_invitation);
end
$$;
comment on function api.withdraw_invitation(uuid) is
  E'@param id The invitation.\nWithdraws an invitation: its link is refused at once. Nobody withdraws an invitation to a role above their own: 403 forbidden. For people who are signed in.';
revoke execute on function api.withdraw_invitation(uuid) from public;
