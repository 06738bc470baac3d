--! owner selo_system
-- Looks across tenants: a link is opened by somebody who belongs to no organization yet.
create or replace function accounts.find_invitation(p_link_sha256 text) returns accounts.invitations
  language sql stable security definer set search_path = '' as $$
  select invitation from accounts.invitations as invitation
  where invitation.digest = sha256(decode(p_link_sha256, 'hex')) and invitation.is_open and invitation.expires_at > clock_timestamp()
$$;
comment on function accounts.find_invitation(text) is
  'The invitation whose link has this secret, by its SHA-256 (hexadecimal). Null for a link that is unknown, used, withdrawn, replaced or over, and for one whose mail has not been composed.';
revoke execute on function accounts.find_invitation(text) from public;
grant execute on function accounts.find_invitation(text) to selo_owner;
