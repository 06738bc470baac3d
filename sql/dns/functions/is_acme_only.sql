create or replace function dns.is_acme_only() returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from dns.api_keys as key
    where key.tenant_id = platform.tenant_id() and key.actor_id = nullif(current_setting('app.actor_id', true), '')::uuid
      and current_setting('app.actor_kind', true) = 'api_key' and key.acme_only);
end
$$;
comment on function dns.is_acme_only() is 'Whether the key of the context is narrowed to TXT records of _acme-challenge.';
revoke execute on function dns.is_acme_only() from public;
-- Views ask it with the rights of their reader.
grant execute on function dns.is_acme_only() to selo_app, selo_analyst;
