--! owner selo_system
-- Looks across tenants: people belong to no organization.
create or replace function accounts.own_person() returns accounts.people
  language sql stable security definer set search_path = '' as $$
  select person from accounts.people as person
  where current_setting('app.actor_kind', true) = 'user' and person.id = nullif(current_setting('app.actor_id', true), '')::uuid
$$;
comment on function accounts.own_person() is 'The person who makes the request. Null for a caller of another kind.';
revoke execute on function accounts.own_person() from public;
grant execute on function accounts.own_person() to selo_owner;
