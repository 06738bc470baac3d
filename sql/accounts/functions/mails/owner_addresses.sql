--! owner selo_system
-- Looks across tenants: people belong to no organization.
create or replace function accounts.owner_addresses() returns table (email text, language text)
  language sql stable security definer set search_path = '' as $$
  select person.email, person.language
  from accounts.memberships as membership join accounts.people as person on person.id = membership.person_id
  where membership.tenant_id = platform.tenant_id() and membership.role = 'owner' and membership.removed_at is null
  order by person.id
$$;
comment on function accounts.owner_addresses() is 'Where the owners of the organization of the context get mail, and in which language. See platform.mail_owners.';
revoke execute on function accounts.owner_addresses() from public;
grant execute on function accounts.owner_addresses() to selo_owner;
