create or replace function dns.rrset_draft(p_type text, p_content text, out content text, out priority integer)
  language plpgsql immutable set search_path = '' as $$
declare
  c_parts constant text[] := case when p_type in ('MX', 'SRV') then regexp_match(p_content, '^\s*([0-9]{1,5})\s+(\S.*)$') end;
begin
  content := coalesce(c_parts[2], p_content);
  priority := c_parts[1]::integer;
end
$$;
comment on function dns.rrset_draft(text, text) is
  'Content and priority of a record that the API of PowerDNS has in one text: the priority of MX and SRV stands before the rest. Null where there is none.';
revoke execute on function dns.rrset_draft(text, text) from public;
