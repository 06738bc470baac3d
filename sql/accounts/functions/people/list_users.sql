--! owner selo_system
-- Looks across tenants: people and their sessions belong to no organization.
create or replace function accounts.list_users(p_tenant_id uuid)
  returns table (id uuid, email text, name text, role text, joined_at timestamptz, last_used_at timestamptz, has_password boolean, sessions integer)
  language sql stable security definer set search_path = '' as $$
  select person.id, person.email, person.name, membership.role, membership.joined_at, (
      select max(used.last_used_at) from platform.actor_uses as used
      where used.tenant_id = membership.tenant_id and used.kind = 'user' and used.actor_id = person.id),
    person.password_digest is not null, (
      select count(*)::integer from accounts.sessions as session
      where session.person_id = person.id and session.tenant_id = membership.tenant_id and session.ended_at is null and session.expires_at > clock_timestamp())
  from accounts.memberships as membership join accounts.people as person on person.id = membership.person_id
  where membership.tenant_id = p_tenant_id and membership.removed_at is null
  order by lower(person.email)
$$;
comment on function accounts.list_users(uuid) is 'The members of an organization by their addresses, each with the number of open sessions in the organization.';
revoke execute on function accounts.list_users(uuid) from public;
grant execute on function accounts.list_users(uuid) to selo_owner;
