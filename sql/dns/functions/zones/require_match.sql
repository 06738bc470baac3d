create or replace function dns.require_match(p_zone dns.zones, p_if_match text) returns void
  language plpgsql stable set search_path = '' as $$
declare
  -- Once, however many tags the request names.
  c_tags constant text[] := case when p_if_match is not null then array[dns.records_tag(p_zone), dns.zone_tag(p_zone)] end;
begin
  -- A weak tag matches nothing (RFC 9110 §13.1.1). An answer that was compressed has a tag of its own, which ends with the coding.
  if p_if_match is null or p_if_match ~ '^[ \t]*\*[ \t]*$' or exists (
    select from regexp_matches(p_if_match, '(W/)?"([^"]*)"', 'g') as given (parts)
    where given.parts[1] is null
      and regexp_replace(given.parts[2], '-(gzip|br|zstd)$', '') = any (c_tags)) then
    return;
  end if;
  perform platform.fail(412, 'precondition_failed', 'The zone changed since it was read: its tag is not in If-Match.');
end
$$;
comment on function dns.require_match(dns.zones, text) is
  '412 precondition_failed unless If-Match of a request names the tag of the zone or of its records, or is * or absent. A writer holds the lock of the zone.';
revoke execute on function dns.require_match(dns.zones, text) from public;
