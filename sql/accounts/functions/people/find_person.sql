--! owner selo_system
-- Looks across tenants: people belong to no organization.
create or replace function accounts.find_person(p_email text) returns accounts.people
  language sql stable security definer set search_path = '' set enable_seqscan = off as $$
  -- By the index from the first person on: without it, the key of every address is made, which takes longer than the planner believes.
  select person from accounts.people as person where accounts.email_key(person.email) = accounts.email_key(p_email)
$$;
comment on function accounts.find_person(text) is 'The person with this e-mail address, whatever its case. Null for an unknown address.';
revoke execute on function accounts.find_person(text) from public;
grant execute on function accounts.find_person(text) to selo_owner;
