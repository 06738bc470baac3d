--! owner selo_system
-- Looks across tenants: an operator revokes a token by its id alone, and does not name its organization.
create or replace function platform.find_token_owner(p_token_id uuid) returns uuid
  language sql stable security definer set search_path = '' as $$
  select token.tenant_id from platform.tokens as token where token.id = p_token_id
$$;
comment on function platform.find_token_owner(uuid) is 'The organization of a token. Null for an unknown token.';
revoke execute on function platform.find_token_owner(uuid) from public;
grant execute on function platform.find_token_owner(uuid) to selo_owner;
