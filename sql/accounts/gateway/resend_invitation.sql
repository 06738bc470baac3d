create function gateway.resend_invitation(p_id uuid, p_link_id uuid, p_link_sha256 text) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_invitation accounts.invitations;
begin
  perform platform.require_scope('members:manage');
  perform accounts.hold_members(null);
  v_invitation := accounts.require_invitation(p_id);
  perform accounts.require_power_over(v_invitation.role);
  if v_invitation.sent_at > clock_timestamp() - interval '1 minute' then
    perform platform.fail(409, 'conflict', 'The invitation was sent within the last minute. Wait a minute.');
  end if;
  update accounts.invitations as invitation
  set link_id = p_link_id, digest = sha256(decode(p_link_sha256, 'hex')), is_open = false, sent_at = clock_timestamp(), expires_at = clock_timestamp() + interval '7 days'
  where invitation.tenant_id = v_invitation.tenant_id and invitation.id = p_id
  returning invitation.* into v_invitation;
  perform accounts.send_invitation('invitation.sent_again', v_invitation);
  return (select gateway.invitations_json(answer) from api.invitations as answer where answer.id = p_id);
end
$$;
comment on function gateway.resend_invitation(uuid, uuid, text) is
  E'@param id The invitation.\nMails an invitation again, with a new link of 7 days: the older link is refused at once. Takes the SHA-256 (hexadecimal) of the secret of the new link. 409 conflict within a minute, 403 forbidden for an invitation to a role above that of the caller.';
revoke execute on function gateway.resend_invitation(uuid, uuid, text) from public;
