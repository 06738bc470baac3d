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
    -- The row of type A stands for both: who writes them locks it first, so two who come at once do not take one each.
    v_names := array(
      with due as (
        -- Organizations take turns, so that none waits for all targets of another.
        select target.name from (
          select known.*, row_number() over (partition by known.first_by order by known.due_at) as turn
          from dns.alias_targets as known where known.due_at <= clock_timestamp() and (known.failing_since is not null) = p_is_failing) as target
        order by target.turn, target.due_at limit p_limit
      )
      select free.name from dns.alias_targets as free
      where free.type = 'A' and free.name in (select due.name from due) for no key update skip locked);
    exit when v_names = '{}';
    -- Looked at again, now that nobody else changes them.
    with claimed as (
      update dns.alias_targets as target set due_at = clock_timestamp() + interval '1 minute'
      where target.name in (
        select due.name from dns.alias_targets as due
        where due.name = any (v_names) and due.due_at <= clock_timestamp() and (due.failing_since is not null) = p_is_failing)
      returning target.name
    )
    select array_agg(distinct claimed.name) into v_names from claimed;
    continue when v_names is null;
    -- Locked first, and looked at again then: who begins to lead there meanwhile locks them, too.
    v_unused := array(
      select locked.name from (
        select target.name from dns.alias_targets as target
        where target.name = any (v_names) and not dns.is_alias_followed(target.name, false) for update skip locked) as locked
      group by locked.name having count(*) = 2);
    delete from dns.alias_targets as target where target.name = any (v_unused) and not dns.is_alias_followed(target.name, false);
    return query
    select claimed.name, clock_timestamp() from unnest(v_names) as claimed (name)
    where exists (select from dns.alias_targets as target where target.name = claimed.name);
    exit when found;
  end loop;
end
$$;
comment on function jobs.claim_alias_targets(integer, boolean) is
  'Targets of ALIAS records that the public DNS is to be asked for: those that did not answer last time (p_is_failing), or the others. The caller has a minute for them: then other workers take them over. Removes targets to which no ALIAS leads any more. Waits for nobody who asks, or begins to follow.';
revoke execute on function jobs.claim_alias_targets(integer, boolean) from public;
grant execute on function jobs.claim_alias_targets(integer, boolean) to selo_worker;
