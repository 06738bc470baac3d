--! owner selo_system
-- Looks across tenants: ALIAS records of all organizations follow a change.
create function jobs.claim_alias_news(p_limit integer) returns table (ids bigint[], followers jsonb)
  language plpgsql volatile security definer set search_path = '' as $$
begin
  return query
  with claimed as (
    update dns.alias_news as news set due_at = clock_timestamp() + interval '1 minute'
    where news.id in (
      select due.id from dns.alias_news as due where due.due_at <= clock_timestamp() order by due.due_at limit p_limit for update skip locked)
    returning news.id, news.name, news.with_names_below
  )
  select array(select claimed.id from claimed), (
    select coalesce(jsonb_agg(jsonb_build_object('tenant_id', zone.tenant_id, 'zone_id', zone.zone_id, 'names', zone.names)), '[]')
    from (
      -- All that a zone follows is settled together, and raises its serial once.
      select found.tenant_id, found.zone_id, array_agg(distinct found.name) as names
      from claimed cross join lateral dns.alias_followers(claimed.name, claimed.with_names_below) as found group by found.tenant_id, found.zone_id
    ) as zone);
end
$$;
comment on function jobs.claim_alias_news(integer) is
  'Changes that ALIAS names are still to follow, and these names by zone: [{tenant_id, zone_id, names}]. The caller has a minute for them: then other workers take them over.';
revoke execute on function jobs.claim_alias_news(integer) from public;
grant execute on function jobs.claim_alias_news(integer) to selo_worker;
