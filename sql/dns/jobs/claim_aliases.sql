--! owner selo_system
-- Looks across tenants: ALIAS records of all organizations follow a change.
create function jobs.claim_aliases(p_limit integer) returns table (tenant_id uuid, zone_id integer, names text[])
  language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
declare
  v_news record;
  v_is_noted boolean;
begin
  for v_news in
    select news.* from dns.alias_news as news where news.due_at <= clock_timestamp() order by news.due_at limit p_limit for update skip locked
  loop
    with follower as materialized (
      select found.* from dns.alias_followers(v_news.name, v_news.with_names_below) as found
    ), free as materialized (
      select alias.tenant_id, alias.zone_id, alias.name from dns.aliases as alias join follower using (tenant_id, zone_id, name) for update of alias skip locked
    ), marked as (
      update dns.aliases as alias
      set due_at = least(alias.due_at, clock_timestamp()), settled_at = case when alias.tenant_id is distinct from v_news.by_organization then alias.settled_at end
      from free where alias.tenant_id = free.tenant_id and alias.zone_id = free.zone_id and alias.name = free.name
        and (alias.due_at is null or alias.due_at > clock_timestamp() or alias.tenant_id = v_news.by_organization)
    )
    select count(*) = (select count(*) from free) into v_is_noted from follower;
    -- An ALIAS that is being settled may have read its way before this change.
    if v_is_noted then
      delete from dns.alias_news as news where news.id = v_news.id;
    else
      update dns.alias_news as news set due_at = clock_timestamp() + interval '1 second' where news.id = v_news.id;
    end if;
  end loop;
  return query
  with due as (
    -- Organizations take turns, so that none waits for all names of another.
    select alias.tenant_id, alias.zone_id, alias.name from (
      select known.*, row_number() over (partition by known.tenant_id order by known.due_at, known.zone_id) as turn
      from dns.aliases as known where known.due_at <= clock_timestamp()) as alias
    order by alias.turn, alias.due_at limit p_limit
  ), claimed as (
    update dns.aliases as alias set due_at = clock_timestamp() + interval '1 minute'
    where (alias.tenant_id, alias.zone_id, alias.name) in (
      select free.tenant_id, free.zone_id, free.name from dns.aliases as free join due using (tenant_id, zone_id, name)
      where free.due_at <= clock_timestamp() for update of free skip locked)
    returning alias.tenant_id, alias.zone_id, alias.name
  )
  select claimed.tenant_id, claimed.zone_id, array_agg(claimed.name) from claimed group by claimed.tenant_id, claimed.zone_id;
end
$$;
comment on function jobs.claim_aliases(integer) is
  'So many ALIAS names that are to follow a change, by zone. Writes down first for each of them what changed meanwhile, so that nothing is lost of what a worker had begun. The caller has a minute for them: then other workers take them over.';
revoke execute on function jobs.claim_aliases(integer) from public;
grant execute on function jobs.claim_aliases(integer) to selo_worker;
