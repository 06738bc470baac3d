--! owner selo_system
-- Looks across tenants: people belong to no organization.
create or replace function accounts.add_person(p_email text, p_name text, p_language text) returns void
  language sql volatile security definer set search_path = '' as $$
  insert into accounts.people (email, name, language) values (p_email, p_name, p_language) on conflict (accounts.email_key(email)) do nothing
$$;
comment on function accounts.add_person(text, text, text) is
  'Makes a person without a password, unless somebody has this e-mail address. Of two transactions that add one address one waits for the other here.';
revoke execute on function accounts.add_person(text, text, text) from public;
grant execute on function accounts.add_person(text, text, text) to selo_owner;
