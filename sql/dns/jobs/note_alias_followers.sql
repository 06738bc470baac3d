--! owner selo_system
-- Looks across tenants: ALIAS records of all organizations follow a change.
create function jobs.note_alias_followers(p_limit integer, out noted integer, out held integer)
  language sql volatile security definer set search_path = '' as $$
  with news as materialized (
    select news.* from dns.alias_news as news where news.due_at <= clock_timestamp() order by news.due_at limit p_limit for update skip locked
  ), follower as materialized (
    select news.id, news.by_organization, found.tenant_id, found.zone_id, found.name
    from news cross join lateral dns.alias_followers(news.name, news.with_names_below) as found
  ), asked as materialized (
    select follower.tenant_id, follower.zone_id, follower.name, coalesce(bool_or(follower.tenant_id = follower.by_organization), false) as is_own
    from follower group by follower.tenant_id, follower.zone_id, follower.name
  ), free as materialized (
    -- Each is looked up, however many the planner expects.
    select found.*, asked.is_own from asked cross join lateral (
      select alias.tenant_id, alias.zone_id, alias.name from dns.aliases as alias
      where alias.tenant_id = asked.tenant_id and alias.zone_id = asked.zone_id and alias.name = asked.name for update skip locked) as found
  ), marked as (
    -- Each row once in a transaction: for the second time Postgres looks at its zone again, and waits for a change of the zone that may wait for this row.
    update dns.aliases as alias
    set due_at = least(alias.due_at, clock_timestamp()), settled_at = case when not free.is_own then alias.settled_at end
    from free where alias.tenant_id = free.tenant_id and alias.zone_id = free.zone_id and alias.name = free.name
      and (alias.due_at is null or alias.due_at > clock_timestamp() or free.is_own)
  ), late as materialized (
    select distinct follower.id from follower left join free using (tenant_id, zone_id, name) where free.name is null
  ), kept as (
    -- Before the worker comes again, and after those that came later.
    update dns.alias_news as news set due_at = clock_timestamp() + interval '20 milliseconds' from late where news.id = late.id returning news.id
  ), noted as (
    delete from dns.alias_news as news using (select news.id from news except select late.id from late) as noted where news.id = noted.id returning news.id
  )
  select (select count(*) from noted), (select count(*) from kept)
$$;
comment on function jobs.note_alias_followers(integer) is
  'Writes down for ALIAS names that they are to follow changes, for so many changes at most. noted: for how many it did. held: how many stay, because an ALIAS that follows is being settled, and may have read its way before the change. Waits for nobody.';
revoke execute on function jobs.note_alias_followers(integer) from public;
grant execute on function jobs.note_alias_followers(integer) to selo_worker;
