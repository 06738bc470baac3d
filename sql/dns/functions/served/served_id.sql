create or replace function dns.served_id(p_name text, p_type text, p_prio integer, p_content text) returns uuid
  language sql immutable set search_path = '' as $$
  select encode(substring(sha256(convert_to(concat_ws(' ', p_name, coalesce(p_type, ''), coalesce(p_prio, 0), p_content), 'UTF8')) for 16), 'hex')::uuid
$$;
comment on function dns.served_id(text, text, integer, text) is
  'The id of a row in pdns.records: the first 16 bytes of a SHA-256. So a rebuild gives the same ids, and replicas find a row without comparing its content.';
revoke execute on function dns.served_id(text, text, integer, text) from public;
grant execute on function dns.served_id(text, text, integer, text) to selo_system;
