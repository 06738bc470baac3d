--! owner selo_system
-- Looks across tenants: people belong to no organization.
create or replace function accounts.put_profile(p_person_id uuid, p_name text, p_language text) returns void
  language sql volatile security definer set search_path = '' as $$
  update accounts.people as person set name = p_name, language = p_language where person.id = p_person_id
$$;
comment on function accounts.put_profile(uuid, text, text) is
  'Writes name and language of a person. The caller holds the lock of the person and records the event.';
revoke execute on function accounts.put_profile(uuid, text, text) from public;
grant execute on function accounts.put_profile(uuid, text, text) to selo_owner;
