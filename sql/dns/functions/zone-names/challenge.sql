create or replace function dns.challenge(p_name text) returns text
  language sql stable set search_path = '' as $$
  select 'selo-organization=' || left(encode(sha256(convert_to(platform.tenant_id() || ' ' || p_name, 'UTF8')), 'hex'), 32)
$$;
comment on function dns.challenge(text) is
  'The content of the TXT record _selo-challenge.<name> by which the public DNS gives a name to the organization of the context. It is no secret: only the holder of the domain can publish it, and it names one organization.';
revoke execute on function dns.challenge(text) from public;
