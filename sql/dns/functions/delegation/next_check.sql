create or replace function dns.next_check(p_zone_id integer, p_after timestamptz) returns timestamptz
  language sql stable set search_path = '' as $$
  select to_timestamp(c.turn + 300 * (floor((extract(epoch from p_after) - c.turn) / 300) + 1))
  -- Ids follow each other. Multiplied so (Knuth, TAOCP 6.4), they are spread over the five minutes.
  from (select (p_zone_id::bigint * 2654435761 & 4294967295) % 300) as c (turn)
$$;
comment on function dns.next_check(integer, timestamptz) is
  'When the delegation of a zone is checked next: every five minutes (dns-hosting §8), at its own turn, so that the checks of many zones are spread.';
revoke execute on function dns.next_check(integer, timestamptz) from public;
