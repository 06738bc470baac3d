create or replace function platform.audit_chain(p_subject_id uuid) returns json
  language sql stable set search_path = '' as $$
  select json_build_object(
    'subject_id', p_subject_id,
    'length', (select count(*) from platform.audit_events as event where event.tenant_id = platform.tenant_id() and event.environment = platform.environment() and event.subject_id = p_subject_id),
    'head_hash', (
      select encode(event.hash, 'hex') from platform.audit_events as event
      where event.tenant_id = platform.tenant_id() and event.environment = platform.environment() and event.subject_id = p_subject_id order by event.seq desc limit 1),
    'sealed_by', sealed.seal_number,
    'sealed_length', sealed.seq,
    'faults', (
      select coalesce(json_agg(json_build_object('seq', fault.seq, 'event_id', fault.event_id, 'fault', fault.fault) order by fault.seq), '[]')
      from json_populate_recordset(null::platform.audit_fault, walk.faults) as fault))
  from platform.audit_walk_events(json_build_object(
    'after', row_to_json(row(platform.tenant_id(), platform.environment(), p_subject_id, 0)::platform.audit_place),
    'until', row_to_json(row(platform.tenant_id(), platform.environment(), p_subject_id, 9223372036854775807)::platform.audit_place))) as walk
  left join lateral (
    select leaf.seal_number, leaf.seq
    from platform.audit_seal_leaves as leaf
    join platform.audit_seals as seal on seal.number = leaf.seal_number
    where leaf.tenant_id = platform.tenant_id() and leaf.environment = platform.environment() and leaf.subject_id = p_subject_id
    order by leaf.seal_number desc limit 1
  ) as sealed on true
$$;
comment on function platform.audit_chain(uuid) is
  'The state of a subject''s chain, computed now: {subject_id, length, head_hash, sealed_by, sealed_length, faults: [{seq, event_id, fault}]}.';
revoke execute on function platform.audit_chain(uuid) from public;
