--! owner selo_system
-- Looks across tenants: one walk passes the chains of all organizations.
create or replace function platform.audit_walk_events(p_range json, out read json, out faults json)
  language plpgsql stable security definer
  -- The rows of a range are read by the index. Without these settings, the planner would read the whole table for every range once the table grew
  -- since the last analysis. platform.audit_heap_faults checks that the index has every row. The planner does not know how many rows a range has
  -- either, and would compare each event with each head.
  set search_path = '' set plan_cache_mode = force_custom_plan set enable_seqscan = off set enable_nestloop = off as $$
declare
  v_after constant platform.audit_place := json_populate_record(null::platform.audit_place, p_range -> 'after');
  v_until constant platform.audit_place := json_populate_record(null::platform.audit_place, p_range -> 'until');
begin
  with page as materialized (
    select kept as event, kept.tenant_id, kept.environment, kept.subject_type, kept.subject_id, kept.seq, kept.id, kept.hash, kept.prev_hash,
      lag(kept.seq) over chain as seq_in_page, lag(kept.hash) over chain as hash_in_page,
      -- A column without its constraint and its value gives no hash. The missing hash is a fault too.
      coalesce(kept.hash = platform.audit_event_hash(kept), false) as is_whole,
      platform.is_personal_kept(kept) as is_kept
    from platform.audit_events as kept
    where (kept.tenant_id, kept.environment, kept.subject_id, kept.seq) > (v_after.tenant_id, v_after.environment, v_after.subject_id, v_after.seq)
      and (kept.tenant_id, kept.environment, kept.subject_id, kept.seq) <= (v_until.tenant_id, v_until.environment, v_until.subject_id, v_until.seq)
    window chain as (partition by kept.tenant_id, kept.environment, kept.subject_id order by kept.seq)
  ), event as materialized (
    select page.*, coalesce(page.seq_in_page, before.seq, 0) as seq_before,
      coalesce(page.hash_in_page, before.hash, '\x0000000000000000000000000000000000000000000000000000000000000000') as hash_before
    from page
    -- The first event of the range may continue an event of the previous range.
    left join lateral (
      select earlier.seq, earlier.hash from platform.audit_events as earlier
      where earlier.tenant_id = page.tenant_id and earlier.environment = page.environment and earlier.subject_id = page.subject_id
        and earlier.seq < page.seq
      order by earlier.seq desc limit 1
    ) as before on page.seq_in_page is null and page.seq > 1
  ), leaf as materialized (
    select sealed.tenant_id, sealed.environment, sealed.subject_id, sealed.seq, sealed.hash, sealed.seal_number
    from platform.audit_seal_leaves as sealed
    where (sealed.tenant_id, sealed.environment, sealed.subject_id) >= (v_after.tenant_id, v_after.environment, v_after.subject_id)
      and (sealed.tenant_id, sealed.environment, sealed.subject_id) <= (v_until.tenant_id, v_until.environment, v_until.subject_id)
      and (sealed.tenant_id, sealed.environment, sealed.subject_id, sealed.seq) > (v_after.tenant_id, v_after.environment, v_after.subject_id, v_after.seq)
      and (sealed.tenant_id, sealed.environment, sealed.subject_id, sealed.seq) <= (v_until.tenant_id, v_until.environment, v_until.subject_id, v_until.seq)
  ), chain as materialized (
    -- How far the seals cover each chain of the range.
    select known.*, coalesce(covered.seq, 0) as covered
    from (select distinct event.tenant_id, event.environment, event.subject_id from event) as known
    left join lateral (
      select sealed.seq from platform.audit_seal_leaves as sealed
      where sealed.tenant_id = known.tenant_id and sealed.environment = known.environment and sealed.subject_id = known.subject_id
      order by sealed.seal_number desc limit 1
    ) as covered on true
  ), last_seal as materialized (
    select seal.number, seal.sealed_at from platform.audit_seals as seal order by seal.number desc limit 1
  ), wrong as (
    select 'events' as check_name, event.tenant_id, event.environment, event.subject_type, event.subject_id, event.seq_before + 1 as seq,
      null::uuid as event_id, format('removed: %s between %s and %s',
        case when event.seq - event.seq_before = 2 then 'an event is missing' else event.seq - event.seq_before - 1 || ' events are missing' end,
        event.seq_before, event.seq) as fault
    from event where event.seq > event.seq_before + 1
    union all
    select 'events', event.tenant_id, event.environment, event.subject_type, event.subject_id, event.seq, event.id,
      'inserted: another event has the same place'
    from event where event.seq < event.seq_before + 1
    union all
    select 'events', event.tenant_id, event.environment, event.subject_type, event.subject_id, event.seq, event.id, case
        -- The hash of the event is right for another place.
        when moved.seq is not null then format('reordered: the event was at place %s', moved.seq)
        else 'edited: the hash does not match the event' end
    from (select edited.*, row_number() over (order by edited.subject_id, edited.seq) as number from event as edited where not edited.is_whole) as event
    -- The search covers the first few faults and the places near them: the search along a long damaged chain would take hours.
    left join lateral (
      select place.seq
      from platform.audit_events as place
      where event.number <= 5 and place.tenant_id = event.tenant_id and place.environment = event.environment and place.subject_id = event.subject_id
        and place.seq between event.seq - 100 and event.seq + 100
        and platform.audit_event_hash(jsonb_populate_record(event.event, jsonb_build_object('seq', place.seq))) = event.hash
      limit 1
    ) as moved on true
    union all
    select 'events', event.tenant_id, event.environment, event.subject_type, event.subject_id, event.seq, event.id,
      'broken: the event does not continue the previous event'
    from event where event.is_whole and event.seq = event.seq_before + 1 and event.prev_hash is distinct from event.hash_before
    union all
    select 'events', event.tenant_id, event.environment, event.subject_type, event.subject_id, event.seq, event.id,
      'edited: the personal data do not match their commitments'
    from event where not event.is_kept
    union all
    -- A seal covers every unsealed event of the day before the seal. An older unsealed event was therefore written later than its time.
    select 'events', event.tenant_id, event.environment, event.subject_type, event.subject_id, event.seq, event.id,
      format('backdated: the event is older than seal %s, which does not cover the event', last_seal.number)
    from event
    join chain on chain.tenant_id = event.tenant_id and chain.environment = event.environment and chain.subject_id = event.subject_id
    cross join last_seal
    where event.seq > chain.covered and (event.event).occurred_at < last_seal.sealed_at - interval '1 day'
    union all
    select 'heads', leaf.tenant_id, leaf.environment, coalesce(event.subject_type, last.subject_type, 'subject'), leaf.subject_id, leaf.seq, event.id, case
        when event.seq is not null then format('rewritten: seal %s covers another event at this place', leaf.seal_number)
        else format('truncated: seal %s covers %s events, and %s exist', leaf.seal_number, leaf.seq, coalesce(last.seq, 0)) end
    from leaf
    left join event on event.tenant_id = leaf.tenant_id and event.environment = leaf.environment and event.subject_id = leaf.subject_id and event.seq = leaf.seq
    left join lateral (
      select tail.seq, tail.subject_type from platform.audit_events as tail
      where tail.tenant_id = leaf.tenant_id and tail.environment = leaf.environment and tail.subject_id = leaf.subject_id
      order by tail.seq desc limit 1
    ) as last on event.seq is null
    where (event.hash = leaf.hash) is not true and (event.seq is not null or last.seq is null or last.seq < leaf.seq)
  )
  select json_build_object('platform.audit_events', (select count(*) from event), 'platform.audit_seal_leaves', (select count(*) from leaf)),
      (select json_agg(row_to_json(wrong) order by wrong.tenant_id, wrong.environment, wrong.subject_id, wrong.seq) from wrong)
    into read, faults;
end
$$;
comment on function platform.audit_walk_events(json) is
  'Checks the chains between two places ({after, until}, the second included): every hash, every place, every link, every sealed head, and every commitment to personal data that is still kept. Answers the number of rows read of each table, and the faults as [platform.audit_fault] or null.';
revoke execute on function platform.audit_walk_events(json) from public;
grant execute on function platform.audit_walk_events(json) to selo_owner;
