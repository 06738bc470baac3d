--! owner selo_system
-- Looks across tenants: ALIAS records of all organizations follow a change.
create function jobs.claim_aliases(p_limit integer) returns table (tenant_id uuid, zone_id integer, names text[])
  language sql volatile security definer set search_path = '' as $$
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
  select claimed.tenant_id, claimed.zone_id, array_agg(claimed.name) from claimed group by claimed.tenant_id, claimed.zone_id
$$;
comment on function jobs.claim_aliases(integer) is
  'So many ALIAS names that are to follow a change, by zone. The caller has a minute for them: then other workers take them over. Waits for nobody. A transaction of its own, after jobs.note_alias_followers.';
revoke execute on function jobs.claim_aliases(integer) from public;
grant execute on function jobs.claim_aliases(integer) to selo_worker;
