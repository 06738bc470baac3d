create function gateway.create_invitation(p_email text, p_role text, p_link_id uuid, p_link_sha256 text) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  -- Of an organization.
  c_most constant integer := 100;
  c_tenant_id constant uuid := platform.tenant_id();
  v_invitation accounts.invitations;
begin
  perform platform.require_scope('members:manage');
  if platform.is_email(p_email) is not true then
    perform platform.fail(422, 'invalid_request', 'The request is not valid; fields names each wrong member.', '[{"field": "email", "message": "must be an e-mail address"}]');
  end if;
  perform accounts.hold_members(null);
  perform accounts.require_power_over(p_role);
  if exists (
    select from accounts.memberships as membership
    where membership.tenant_id = c_tenant_id and membership.person_id = (accounts.find_person(p_email)).id and membership.removed_at is null)
  then
    perform platform.fail(409, 'conflict', 'The person belongs to the organization already.');
  end if;
  v_invitation := accounts.find_invitation_of(p_email);
  if v_invitation.expires_at <= clock_timestamp() then
    perform accounts.end_invitation('invitation.expired', v_invitation);
  elsif v_invitation.id is not null then
    perform platform.fail(409, 'conflict', 'The address has an invitation already. Send it again, or withdraw it first.');
  end if;
  if (select count(*) from accounts.invitations as every where every.tenant_id = c_tenant_id and every.expires_at > clock_timestamp()) >= c_most then
    perform platform.fail(409, 'conflict', format('The organization already has %s invitations, the maximum. Withdraw one first.', c_most));
  end if;
  insert into accounts.invitations as invitation (tenant_id, email, role, invited_by, link_id, digest, expires_at)
  values (c_tenant_id, p_email, p_role, accounts.require_person(), p_link_id, sha256(decode(p_link_sha256, 'hex')), clock_timestamp() + interval '7 days')
  returning invitation.* into v_invitation;
  perform accounts.send_invitation('invitation.made', v_invitation);
  return (select gateway.invitations_json(answer) from api.invitations as answer where answer.id = v_invitation.id);
end
$$;
comment on function gateway.create_invitation(text, text, uuid, text) is
  E'@param email {1..254} E-mail address of the person.\n@param role {accounts.roles} The role that the person gets.\nInvites a person to the organization, and mails a link of 7 days to the address. Takes the SHA-256 (hexadecimal) of the secret of the link. 409 conflict for a member, for an address with an invitation, and beyond 100 invitations. 403 forbidden for a role above that of the caller.';
revoke execute on function gateway.create_invitation(text, text, uuid, text) from public;
