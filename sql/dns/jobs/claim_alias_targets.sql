--! owner selo_system
-- Looks across tenants: a worker asks for the targets of all organizations.
create function jobs.claim_alias_targets(p_limit integer, p_is_failing boolean) returns table (name text, began timestamptz)
  language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
declare
  v_names text[];
  v_unused text[];
begin
  loop
    with due as (
      -- Organizations take turns, so that none waits for all targets of another.
      select target.name, target.type from (
        select known.*, row_number() over (partition by known.first_by order by known.due_at) as turn
        from dns.alias_targets as known where known.due_at <= clock_timestamp() and (known.failing_since is not null) = p_is_failing) as target
      order by target.turn, target.due_at limit p_limit
    ), claimed as (
      update dns.alias_targets as target set due_at = clock_timestamp() + interval '1 minute'
      where (target.name, target.type) in (
        select free.name, free.type from dns.alias_targets as free join due using (name, type)
        where free.due_at <= clock_timestamp() for no key update of free skip locked)
      returning target.name
    )
    select array_agg(distinct claimed.name) into v_names from claimed;
    exit when v_names is null;
    -- Locked first, and looked at again then: who begins to lead there meanwhile locks them, too.
    v_unused := array(
      select target.name from dns.alias_targets as target
      where target.name = any (v_names) and not dns.is_alias_followed(target.name, false) for update skip locked);
    delete from dns.alias_targets as target where target.name = any (v_unused) and not dns.is_alias_followed(target.name, false);
    return query
    select claimed.name, clock_timestamp() from unnest(v_names) as claimed (name)
    where exists (select from dns.alias_targets as target where target.name = claimed.name);
    exit when found;
  end loop;
end
$$;
comment on function jobs.claim_alias_targets(integer, boolean) is
  'Targets of ALIAS records that the public DNS is to be asked for: those that did not answer last time (p_is_failing), or the others. The caller has a minute for them: then other workers take them over. Removes targets to which no ALIAS leads any more.';
revoke execute on function jobs.claim_alias_targets(integer, boolean) from public;
grant execute on function jobs.claim_alias_targets(integer, boolean) to selo_worker;
