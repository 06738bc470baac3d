create or replace function platform.record_audit_event(
  p_action text, p_subject_type text, p_subject_id uuid, p_details jsonb default '{}', p_personal jsonb default '{}'
)
  returns void language plpgsql volatile set search_path = '' as $$
declare
  c_details constant text := platform.canonical_json(p_details);
  v_place bigint := 1;
  v_prev_hash bytea := '\x0000000000000000000000000000000000000000000000000000000000000000';
  v_head record;
begin
  loop
    select head.seq, head.hash into v_head
    from platform.audit_events as head
    where head.tenant_id = platform.tenant_id() and head.environment = platform.environment() and head.subject_id = p_subject_id
    order by head.seq desc limit 1;
    if found then
      v_place := v_head.seq + 1;
      v_prev_hash := v_head.hash;
    end if;
    -- The insert waits for another transaction that writes the same place of the chain. This event then takes the next place.
    insert into platform.audit_events
    select event.*
    from platform.make_audit_events(array[
      row(p_action, p_subject_type, p_subject_id, c_details, p_personal, platform.origin(), v_place, v_prev_hash)::platform.audit_entry]) as event
    on conflict (tenant_id, environment, subject_id, seq) do nothing;
    exit when found;
  end loop;
end
$$;
comment on function platform.record_audit_event(text, text, uuid, jsonb, jsonb) is
  'Adds an event to the chain of a subject in the context''s organization and environment. Details are integers, texts and booleans, without personal data. Personal data {name: text} enters the chain only as salted commitments. The context names the actor, the request and its origin.';
revoke execute on function platform.record_audit_event(text, text, uuid, jsonb, jsonb) from public;
