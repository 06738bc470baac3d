create or replace function dns.key_zones() returns integer[]
  language plpgsql stable security definer set search_path = '' as $$
begin
  -- What an analyst sets is not believed, and may be no id.
  if current_setting('app.actor_kind', true) is distinct from 'api_key' or not pg_catalog.pg_has_role(session_user, 'selo_service', 'member') then
    return null;
  end if;
  return (
    select key.zones from dns.api_keys as key
    where key.tenant_id = platform.tenant_id() and key.actor_id = nullif(current_setting('app.actor_id', true), '')::uuid);
end
$$;
comment on function dns.key_zones() is 'The zones that the key of the context is narrowed to. Null for a key of all zones, and for any other actor.';
revoke execute on function dns.key_zones() from public;
-- Views ask it with the rights of their reader.
grant execute on function dns.key_zones() to selo_app, selo_analyst;
