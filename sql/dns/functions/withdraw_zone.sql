create or replace function dns.withdraw_zone(p_zone_id integer) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  c_zone constant dns.zones := dns.require_zone(p_zone_id::text);
begin
  perform dns.withdraw_domain(c_zone.id);
end
$$;
comment on function dns.withdraw_zone(integer) is
  'Ends the serving of a zone of the context. Called before the zone is deleted: 404 not_found for any other zone.';
revoke execute on function dns.withdraw_zone(integer) from public;
