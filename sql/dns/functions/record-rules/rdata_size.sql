create or replace function dns.rdata_size(p_type text, p_content text) returns integer
  language plpgsql immutable set search_path = '' as $$
begin
  -- A separate statement: Postgres is ten times as fast with an expression that has no query in it.
  if p_type = 'TXT' then
    return (select sum(octet_length(string) + 1)::integer from unnest(dns.character_strings(p_content)) as string);
  end if;
  return case p_type
    when 'A' then 4
    when 'AAAA' then 16
    when 'MX' then 4 + octet_length(p_content)
    when 'SRV' then 8 + octet_length(p_content)
    when 'CAA' then 2 + octet_length(p_content)
    else 2 + octet_length(p_content)
  end;
end
$$;
comment on function dns.rdata_size(text, text) is 'How many bytes the content of a record has on the wire, or a few more.';
revoke execute on function dns.rdata_size(text, text) from public;
