create or replace function dns.is_delegated(p_observed text[], p_nameservers text[]) returns boolean
  language sql immutable set search_path = '' as $$
  select coalesce(cardinality(p_observed) > 0 and p_observed <@ p_nameservers, false)
$$;
comment on function dns.is_delegated(text[], text[]) is
  'Whether every NS record that the public DNS shows is a nameserver of the zone (dns-hosting §3). A name with one foreign NS record among them is not delegated to the service.';
revoke execute on function dns.is_delegated(text[], text[]) from public;
