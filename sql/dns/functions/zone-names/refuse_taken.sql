create or replace function dns.refuse_taken(p_name text, p_code text, p_why text) returns void
  language plpgsql stable set search_path = '' as $$
declare
  c_proof constant text := format(
    'If the domain is yours, publish the TXT record _selo-challenge.%s with the content "%s" where it is served now, and repeat the request.',
    p_name, dns.challenge(p_name));
begin
  if p_code = 'zone_exists' then
    perform platform.fail(409, 'zone_exists', p_why || ' ' || c_proof);
  end if;
  perform platform.fail(403, 'zone_not_allowed', p_why || ' ' || c_proof);
end
$$;
comment on function dns.refuse_taken(text, text, text) is
  'Refuses a zone because of zones of others, and names the record by which the public DNS gives the name to the organization of the context: 409 zone_exists, or 403 zone_not_allowed.';
revoke execute on function dns.refuse_taken(text, text, text) from public;
