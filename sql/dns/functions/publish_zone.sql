create or replace function dns.publish_zone(p_zone_id integer) returns void
  language plpgsql volatile set search_path = '' as $$
begin
  null;
end
$$;
comment on function dns.publish_zone(integer) is 'PLACEHOLDER';
revoke execute on function dns.publish_zone(integer) from public;
