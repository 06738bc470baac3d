create or replace function dns.is_acme_only() returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  -- What an analyst sets is not believed, and may be no id.
  if current_setting('app.actor_kind', true) is distinct from 'api_key' or not pg_catalog.pg_has_role(session_user, 'selo_service', 'member') then
    return false;
  end if;
  return exists (
    select from dns.api_keys as key
    where key.tenant_id = platform.tenant_id() and key.actor_id = nullif(current_setting('app.actor_id', true), '')::uuid and key.acme_only);
end
$$;
comment on function dns.is_acme_only() is 'Whether the key of the context is narrowed to TXT records of _acme-challenge.';
revoke execute on function dns.is_acme_only() from public;
-- Views ask it with the rights of their reader.
grant execute on function dns.is_acme_only() to selo_app, selo_analyst;
