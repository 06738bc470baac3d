create or replace function platform.record_audit_events(p_events platform.audit_draft[]) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  c_environment constant text := platform.environment();
  c_origin constant jsonb := platform.origin();
  c_genesis constant bytea := decode(repeat('00', 32), 'hex');
  v_entries platform.audit_entry[];
  v_count bigint;
begin
  loop
    select array_agg(row(draft.action, draft.subject_type, draft.subject_id, platform.canonical_json(coalesce(draft.details, '{}')), coalesce(draft.personal, '{}'),
        c_origin, coalesce(head.seq, 0) + draft.nth, case when draft.nth = 1 then coalesce(head.hash, c_genesis) end)::platform.audit_entry
      order by draft.subject_id, draft.nth) into v_entries
    from (
      select given.*, row_number() over (partition by given.subject_id order by given.place) as nth
      from unnest(p_events) with ordinality as given (action, subject_type, subject_id, details, personal, place)) as draft
    left join lateral (
      select last.seq, last.hash from platform.audit_events as last
      where last.tenant_id = c_tenant_id and last.environment = c_environment and last.subject_id = draft.subject_id
      order by last.seq desc limit 1) as head on true;
    begin
      -- The insert waits for another transaction that writes the same place of a chain. All of these events then take the next places.
      insert into platform.audit_events select event.* from platform.make_audit_events(v_entries) as event
      on conflict (tenant_id, environment, subject_id, seq) do nothing;
      get diagnostics v_count = row_count;
      exit when v_count = cardinality(v_entries);
      raise exception 'another transaction took a place' using errcode = 'serialization_failure';
    exception when serialization_failure then null;
    end;
  end loop;
end
$$;
comment on function platform.record_audit_events(platform.audit_draft[]) is
  'Adds events to the chains of their subjects in one statement, in the order given within each chain. See platform.record_audit_event.';
revoke execute on function platform.record_audit_events(platform.audit_draft[]) from public;
