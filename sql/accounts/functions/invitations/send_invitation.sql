create or replace function accounts.send_invitation(p_action text, p_invitation accounts.invitations) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  c_saved constant text[] := platform.saved_context();
  c_inviter constant accounts.people := accounts.read_person(p_invitation.invited_by);
begin
  perform accounts.enter_tenant(p_invitation.tenant_id);
  perform platform.record_audit_event(p_action, 'invitation', p_invitation.id,
    jsonb_build_object('role', p_invitation.role, 'record_sha256', accounts.invitation_record(p_invitation)));
  perform platform.send_mail('invitation', p_invitation.email,
    coalesce((accounts.find_person(p_invitation.email)).language, organization.language),
    jsonb_build_object('invitation_id', p_invitation.id, 'link_id', p_invitation.link_id, 'role', p_invitation.role, 'inviter', c_inviter.name,
      'inviter_email', c_inviter.email, 'email', p_invitation.email, 'at', platform.instant(p_invitation.sent_at), 'expires_at', platform.instant(p_invitation.expires_at)))
  from platform.organizations as organization where organization.id = p_invitation.tenant_id;
  perform platform.restore_context(c_saved);
end
$$;
comment on function accounts.send_invitation(text, accounts.invitations) is
  'Records an invitation that was made or gets a new link, and mails it: in live, in the language of the person where the address is known, otherwise in that of the organization. Neither the mail nor its job holds the link.';
revoke execute on function accounts.send_invitation(text, accounts.invitations) from public;
