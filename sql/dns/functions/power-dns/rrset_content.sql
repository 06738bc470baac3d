create or replace function dns.rrset_content(p_type text, p_content text, p_priority integer) returns text
  language plpgsql immutable set search_path = '' as $$
begin
  return case
    when p_type = 'TXT' then dns.served_content(p_type, p_content)
    when p_type in ('CNAME', 'ALIAS', 'NS', 'PTR') then p_content || '.'
    -- The root is a dot alone.
    when p_type = 'MX' then p_priority || ' ' || rtrim(p_content, '.') || '.'
    when p_type = 'SRV' then p_priority || ' ' || rtrim(p_content, '.') || '.'
    when p_type = 'SOA' then regexp_replace(p_content, '^(\S+) (\S+) ', '\1. \2. ')
    else p_content
  end;
end
$$;
comment on function dns.rrset_content(text, text, integer) is
  'A content as the API of PowerDNS writes it: hosts with a final dot, the priority of MX and SRV before it, TXT in quoted strings.';
revoke execute on function dns.rrset_content(text, text, integer) from public;
