create or replace function dns.rrset_draft(p_type text, p_content text, out content text, out priority integer)
  language plpgsql immutable set search_path = '' as $$
declare
  c_parts constant text[] := case when p_type in ('MX', 'SRV') then regexp_match(p_content, '^\s*0*([0-9]{1,5})\s+(\S.*)$') end;
begin
  content := coalesce(c_parts[2], p_content);
  priority := c_parts[1]::integer;
end
$$;
comment on function dns.rrset_draft(text, text) is
  'Splits a record''s text of the API of PowerDNS into content and priority. In MX and SRV the priority comes first; other types have priority null.';
revoke execute on function dns.rrset_draft(text, text) from public;
