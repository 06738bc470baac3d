--! owner selo_system
-- Looks across tenants: it reads the changes that zones of all organizations are still to follow.
create or replace function dns.late_aliases(p_tenant_id uuid) returns table (zone_id integer, names text[])
  language sql stable security definer set search_path = '' as $$
  select late.zone_id, array_agg(distinct late.name)
  from (
    select alias.zone_id, alias.name from dns.aliases as alias where alias.tenant_id = p_tenant_id and alias.settled_at is null
    union all
    select follower.zone_id, follower.name
    from dns.alias_news as news cross join lateral dns.alias_followers(news.name, news.with_names_below, p_tenant_id) as follower
    where news.by_organization = p_tenant_id
  ) as late
  group by late.zone_id order by late.zone_id limit 100
$$;
comment on function dns.late_aliases(uuid) is 'The ALIAS names of an organization that are not settled, by zone.';
revoke execute on function dns.late_aliases(uuid) from public;
grant execute on function dns.late_aliases(uuid) to selo_owner;
