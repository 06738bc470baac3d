create or replace function dns.take_zone_id() returns integer
  language plpgsql volatile set search_path = '' as $$
begin
  return nextval(pg_get_serial_sequence('dns.zones', 'id'));
end
$$;
comment on function dns.take_zone_id() is 'An id that no zone has, and that no other caller gets.';
revoke execute on function dns.take_zone_id() from public;
