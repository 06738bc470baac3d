create or replace function accounts.invitation_record(p_invitation accounts.invitations) returns text
  language sql stable set search_path = '' as $$
  select platform.record_digest(p_invitation.record_salt, jsonb_build_object(
    'email', p_invitation.email, 'role', p_invitation.role, 'invited_by', p_invitation.invited_by, 'link_id', p_invitation.link_id,
    'digest', encode(p_invitation.digest, 'hex'), 'created_at', platform.instant(p_invitation.created_at), 'sent_at', platform.instant(p_invitation.sent_at),
    'expires_at', platform.instant(p_invitation.expires_at)))
$$;
comment on function accounts.invitation_record(accounts.invitations) is 'The salted digest of an invitation, as the audit trail holds it.';
revoke execute on function accounts.invitation_record(accounts.invitations) from public;
grant execute on function accounts.invitation_record(accounts.invitations) to selo_system;
