create or replace function dns.require_equal_apex(p_zone dns.zones, p_set jsonb, p_type text) returns void
  language plpgsql stable set search_path = '' as $$
declare
  v_served text[];
  v_given text[];
  v_ttl integer;
begin
  select array_agg(served.content order by served.content), max(served.ttl) into v_served, v_ttl
  from (select dns.comparable_apex(apex.content) as content, apex.ttl from dns.served_apex(p_zone) as apex where apex.type = p_type) as served;
  select array_agg(asked.content order by asked.content) into v_given
  from (
    select dns.comparable_apex(given.value ->> 'content') as content
    from jsonb_array_elements(case when jsonb_typeof(p_set -> 'records') = 'array' then p_set -> 'records' else '[]' end) as given (value)
  ) as asked;
  if upper(coalesce(p_set ->> 'changetype', 'REPLACE')) <> 'REPLACE'
    or v_served is distinct from v_given
    -- Programs give the NS their own default, which is left as it is.
    or p_type = 'SOA' and coalesce((p_set ->> 'ttl')::integer, v_ttl) is distinct from v_ttl
  then
    perform dns.refuse_rrset(p_set, 'is read-only: the service serves its own SOA and NS at the apex, and takes only equal ones');
  end if;
end
$$;
comment on function dns.require_equal_apex(dns.zones, jsonb, text) is
  'Nothing, if a set of SOA or NS at the apex is the one that the zone has, an NS with whatever TTL; otherwise 422 record_invalid.';
revoke execute on function dns.require_equal_apex(dns.zones, jsonb, text) from public;
