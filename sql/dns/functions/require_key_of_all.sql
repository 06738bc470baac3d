create or replace function dns.require_key_of_all() returns void
  language plpgsql stable set search_path = '' as $$
begin
  if dns.key_zones() is not null or dns.is_acme_only() then
    perform platform.fail(403, 'forbidden', 'The key is restricted and cannot create zones.');
  end if;
end
$$;
comment on function dns.require_key_of_all() is '403 forbidden for a narrowed key, which makes no zones.';
revoke execute on function dns.require_key_of_all() from public;
