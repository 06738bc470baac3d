create function jobs.open_invitation(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
begin
  update accounts.invitations as invitation set is_open = true
  where invitation.tenant_id = platform.tenant_id() and invitation.id = (p_arguments ->> 'invitation_id')::uuid
    and invitation.link_id = (p_arguments ->> 'link_id')::uuid and invitation.digest = sha256(decode(p_arguments ->> 'link_sha256', 'hex'))
    and invitation.expires_at > clock_timestamp();
  return case when found then '{}'::jsonb end;
end
$$;
comment on function jobs.open_invitation(jsonb) is
  'Opens the link {invitation_id, link_id, link_sha256} of an invitation; its mail is composed. link_sha256 is the SHA-256 (hexadecimal) of its secret, and must be the one that the request gave. Null, and nothing is done, for an invitation that was accepted, withdrawn, sent again or is over.';
revoke execute on function jobs.open_invitation(jsonb) from public;
