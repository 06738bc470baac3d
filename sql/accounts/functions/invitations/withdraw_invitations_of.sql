create or replace function accounts.withdraw_invitations_of(p_person_id uuid) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_invitation accounts.invitations;
begin
  for v_invitation in
    select invitation.* from accounts.invitations as invitation
    where invitation.tenant_id = platform.tenant_id() and invitation.invited_by = p_person_id and not exists (
      select from accounts.memberships as inviter
      join accounts.role_scopes as held on held.role = inviter.role and held.scope = 'members:manage'
      join accounts.roles as own on own.name = inviter.role
      join accounts.roles as given on given.name = invitation.role
      where inviter.tenant_id = invitation.tenant_id and inviter.person_id = p_person_id and inviter.removed_at is null and own.rank >= given.rank)
    order by invitation.id for update of invitation
  loop
    perform accounts.end_invitation('invitation.withdrawn', v_invitation);
  end loop;
end
$$;
comment on function accounts.withdraw_invitations_of(uuid) is
  'Withdraws the invitations that a person made and may no longer make, after another role or the end of the membership. Otherwise who is removed could come back by an invitation to another address.';
revoke execute on function accounts.withdraw_invitations_of(uuid) from public;
