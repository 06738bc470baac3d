create or replace function dns.served_settings(p_zone dns.zones) returns table (kind text, content text)
  language sql stable set search_path = '' as $$
  -- SHA-1, no opt-out, no further iterations, no salt (RFC 9276). Narrow: each answer denies one hash, so that nobody can walk the zone (RFC 7129, appendix B).
  select setting.kind, setting.content
  from (values ('NSEC3PARAM', '1 0 0 -'), ('NSEC3NARROW', '1')) as setting (kind, content)
  where dns.is_signed(p_zone)
$$;
comment on function dns.served_settings(dns.zones) is 'The settings that pdns.domainmetadata must have for a zone: narrow NSEC3 for a signed one.';
revoke execute on function dns.served_settings(dns.zones) from public;
grant execute on function dns.served_settings(dns.zones) to selo_system;
