--! owner selo_system
-- Looks across tenants: people belong to no organization.
create or replace function accounts.read_person(p_person_id uuid) returns accounts.people
  language sql stable security definer set search_path = '' as $$
  select person from accounts.people as person where person.id = p_person_id
$$;
comment on function accounts.read_person(uuid) is 'A person, without a lock. Null for an unknown person.';
revoke execute on function accounts.read_person(uuid) from public;
grant execute on function accounts.read_person(uuid) to selo_owner;
