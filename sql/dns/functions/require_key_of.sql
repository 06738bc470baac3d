create or replace function dns.require_key_of(p_zone_id integer, p_of_acme boolean default false) returns void
  language plpgsql stable set search_path = '' as $$
begin
  if p_zone_id <> all (dns.key_zones()) then
    perform platform.fail(403, 'forbidden', 'The key is restricted to other zones.');
  elsif not p_of_acme and dns.is_acme_only() then
    perform platform.fail(403, 'forbidden', 'The key is restricted to TXT records of _acme-challenge.');
  end if;
end
$$;
comment on function dns.require_key_of(integer, boolean) is
  '403 forbidden for a key that is narrowed to other zones than this one, which may be gone. A key that is narrowed to TXT records of _acme-challenge is refused, too, unless the command says that it shows and changes only such records for it.';
revoke execute on function dns.require_key_of(integer, boolean) from public;
