--! owner selo_system
-- Looks across tenants: an operator revokes a key by its id alone, and does not name its organization.
create or replace function dns.find_key_owner(p_id integer) returns uuid
  language sql stable security definer set search_path = '' as $$
  select key.tenant_id from dns.api_keys as key where key.id = p_id
$$;
comment on function dns.find_key_owner(integer) is 'The organization of an API key. Null for an unknown key.';
revoke execute on function dns.find_key_owner(integer) from public;
grant execute on function dns.find_key_owner(integer) to selo_owner;
