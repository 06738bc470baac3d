--! owner selo_system
-- Looks across tenants: one job finds the invitations of all of them.
create or replace function accounts.old_invitations(p_until timestamptz, p_most integer) returns setof accounts.invitations
  language sql stable security definer set search_path = '' as $$
  select invitation.* from accounts.invitations as invitation where invitation.expires_at <= p_until order by invitation.expires_at limit p_most
$$;
comment on function accounts.old_invitations(timestamptz, integer) is 'Some of the invitations that are over by an instant, of all organizations.';
revoke execute on function accounts.old_invitations(timestamptz, integer) from public;
grant execute on function accounts.old_invitations(timestamptz, integer) to selo_owner;
