create or replace function accounts.find_invitation_of(p_email text) returns accounts.invitations
  language plpgsql volatile set search_path = '' as $$
declare
  v_invitation accounts.invitations;
begin
  select invitation.* into v_invitation from accounts.invitations as invitation
  where invitation.tenant_id = platform.tenant_id() and accounts.email_key(invitation.email) = accounts.email_key(p_email) for update;
  return v_invitation;
end
$$;
comment on function accounts.find_invitation_of(text) is
  'Locks the invitation of an address, whatever its case, to the organization of the context, and answers it. Null for an address without one.';
revoke execute on function accounts.find_invitation_of(text) from public;
