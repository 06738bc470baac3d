create or replace function accounts.require_invitation(p_id uuid) returns accounts.invitations
  language plpgsql volatile set search_path = '' as $$
declare
  v_invitation accounts.invitations;
begin
  select invitation.* into v_invitation from accounts.invitations as invitation
  where invitation.tenant_id = platform.tenant_id() and invitation.id = p_id for update;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such invitation.');
  end if;
  return v_invitation;
end
$$;
comment on function accounts.require_invitation(uuid) is 'Locks an invitation of the organization of the context, and answers it. 404 not_found for one that does not exist.';
revoke execute on function accounts.require_invitation(uuid) from public;
