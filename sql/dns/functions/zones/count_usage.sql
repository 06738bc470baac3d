create or replace function dns.count_usage(p_zones integer, p_records integer) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_usage dns.usage;
begin
  insert into dns.usage as kept (tenant_id, zones, records) values (platform.tenant_id(), greatest(p_zones, 0), greatest(p_records, 0))
  on conflict (tenant_id) do update set zones = kept.zones + p_zones, records = kept.records + p_records
  returning kept.* into v_usage;
  if p_zones > 0 and v_usage.zones > dns.plan_limit('dns_zones') then
    perform platform.fail(403, 'zone_limit_reached', format('The plan of your organization allows %s zones.', dns.plan_limit('dns_zones')));
  elsif p_records > 0 and v_usage.records > dns.plan_limit('dns_records') then
    perform platform.fail(422, 'record_limit_reached',
      format('The plan of your organization allows %s records in all zones together.', dns.plan_limit('dns_records')));
  end if;
end
$$;
comment on function dns.count_usage(integer, integer) is
  'Counts zones and records that the context''s organization has more or fewer. 403 zone_limit_reached, 422 record_limit_reached.';
revoke execute on function dns.count_usage(integer, integer) from public;
