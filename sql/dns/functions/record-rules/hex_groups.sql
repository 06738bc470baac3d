create or replace function dns.hex_groups(p_address text) returns text
  language plpgsql immutable set search_path = '' as $$
declare
  c_parts constant text[] := regexp_match(p_address, '^(::(?:ffff:)?)([0-9]{1,3})\.([0-9]{1,3})\.([0-9]{1,3})\.([0-9]{1,3})$');
begin
  if c_parts is null then
    return p_address;
  end if;
  return c_parts[1] || case when c_parts[1] = '::' and c_parts[2] || c_parts[3] = '00' then '' else to_hex(c_parts[2]::integer * 256 + c_parts[3]::integer) || ':' end
    || to_hex(c_parts[4]::integer * 256 + c_parts[5]::integer);
end
$$;
comment on function dns.hex_groups(text) is
  'An IPv6 address as Postgres writes it, with hexadecimal groups alone: below ::/96 and ::ffff:0:0/96 Postgres writes dotted digits. Any other text stays as it is.';
revoke execute on function dns.hex_groups(text) from public;
