--! owner selo_system
-- Looks across tenants: people belong to no organization.
create or replace function accounts.hold_person(p_person_id uuid) returns accounts.people
  language sql volatile security definer set search_path = '' as $$
  select person from accounts.people as person where person.id = p_person_id for no key update
$$;
comment on function accounts.hold_person(uuid) is
  'Locks a person until the transaction ends, and answers the person as others left it. Null for an unknown person. Whatever changes a person, a session or a link holds this lock.';
revoke execute on function accounts.hold_person(uuid) from public;
grant execute on function accounts.hold_person(uuid) to selo_owner;
