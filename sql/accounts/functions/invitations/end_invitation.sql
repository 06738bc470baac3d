create or replace function accounts.end_invitation(p_action text, p_invitation accounts.invitations) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  c_saved constant text[] := platform.saved_context();
begin
  perform accounts.enter_tenant(p_invitation.tenant_id);
  delete from accounts.invitations as invitation where invitation.tenant_id = p_invitation.tenant_id and invitation.id = p_invitation.id;
  if found then
    perform platform.record_audit_event(p_action, 'invitation', p_invitation.id, jsonb_build_object('role', p_invitation.role));
  end if;
  perform platform.restore_context(c_saved);
end
$$;
comment on function accounts.end_invitation(text, accounts.invitations) is
  'Deletes an invitation that was accepted, withdrawn or is over, and records why. Its link is refused from then on. Nothing for one that another request has ended.';
revoke execute on function accounts.end_invitation(text, accounts.invitations) from public;
