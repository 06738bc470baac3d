create or replace function platform.audit_faults(p_subject_id uuid default null)
  returns table (subject_type text, subject_id uuid, seq bigint, event_id uuid, fault text)
  language sql stable set search_path = '' as $$
  with event as materialized (
    select kept as row, kept.subject_type, kept.subject_id, kept.seq, kept.id, kept.hash, kept.prev_hash,
      lag(kept.seq, 1, 0::bigint) over chain as seq_before,
      lag(kept.hash, 1, decode(repeat('00', 32), 'hex')) over chain as hash_before,
      -- A column that lost its constraint and its value makes no hash: that is no match either.
      kept.hash is not distinct from platform.audit_event_hash(kept) as is_whole,
      kept.personal is null or platform.commitments(kept.personal) is not distinct from kept.commitments as is_kept
    from platform.audit_events as kept
    where kept.tenant_id = platform.tenant_id() and kept.environment = platform.environment()
      and (p_subject_id is null or kept.subject_id = p_subject_id)
    window chain as (partition by kept.subject_id order by kept.seq)
  ), leaf as materialized (
    select sealed.subject_id, sealed.seq, sealed.hash, sealed.seal_number
    from platform.audit_seal_leaves as sealed
    where sealed.tenant_id = platform.tenant_id() and sealed.environment = platform.environment()
      and (p_subject_id is null or sealed.subject_id = p_subject_id)
  )
  select event.subject_type, event.subject_id, event.seq_before + 1, null, format('removed: %s between %s and %s',
    case when event.seq - event.seq_before = 2 then 'an event is missing' else event.seq - event.seq_before - 1 || ' events are missing' end,
    event.seq_before, event.seq)
  from event where event.seq > event.seq_before + 1
  union all
  select event.subject_type, event.subject_id, event.seq, event.id, case
      -- In its own place, with its own predecessor, it would be whole.
      when moved.seq is not null then format('reordered: the event stood at %s', moved.seq)
      else 'edited: its hash is that of another event' end
  from event
  left join lateral (
    select place.seq
    from platform.audit_events as place
    where place.tenant_id = platform.tenant_id() and place.environment = platform.environment() and place.subject_id = event.subject_id
      and platform.audit_event_hash(jsonb_populate_record(event.row, jsonb_build_object('seq', place.seq))) = event.hash
    limit 1
  ) as moved on true
  where not event.is_whole
  union all
  select event.subject_type, event.subject_id, event.seq, event.id, 'broken: it does not continue the event before it'
  from event where event.is_whole and event.seq = event.seq_before + 1 and event.prev_hash <> event.hash_before
  union all
  select event.subject_type, event.subject_id, event.seq, event.id, 'edited: personal data are not those that were recorded'
  from event where not event.is_kept
  union all
  select coalesce(event.subject_type, last.subject_type, 'subject'), leaf.subject_id, leaf.seq, event.id, case
      when event.id is not null then format('rewritten: seal %s covers another event here', leaf.seal_number)
      else format('truncated: seal %s covers %s events, %s are there', leaf.seal_number, leaf.seq, coalesce(last.seq, 0)) end
  from leaf
  left join event on event.subject_id = leaf.subject_id and event.seq = leaf.seq
  left join lateral (
    select tail.seq, tail.subject_type from platform.audit_events as tail
    where tail.tenant_id = platform.tenant_id() and tail.environment = platform.environment() and tail.subject_id = leaf.subject_id order by tail.seq desc limit 1
  ) as last on true
  where event.hash is distinct from leaf.hash and (event.id is not null or last.seq is null or last.seq < leaf.seq)
$$;
comment on function platform.audit_faults(uuid) is
  'What is wrong with the chains of the context''s organization and environment, or with one: every hash recomputed, every place, every commitment to personal data that is still kept, and every head that was ever sealed. Empty when all is well.';
revoke execute on function platform.audit_faults(uuid) from public;
