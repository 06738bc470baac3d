create or replace function dns.refuse_rrset(p_set jsonb, p_fault text) returns void
  language plpgsql stable set search_path = '' as $$
begin
  perform platform.fail(422, 'record_invalid', left(format('RRset %s IN %s: %s.', left(p_set ->> 'name', 255), left(p_set ->> 'type', 20), p_fault), 1000));
end
$$;
comment on function dns.refuse_rrset(jsonb, text) is '422 record_invalid, which names a set of the API of PowerDNS.';
revoke execute on function dns.refuse_rrset(jsonb, text) from public;
