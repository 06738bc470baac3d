create or replace function platform.make_audit_event(
  p_action text, p_subject_type text, p_subject_id uuid, p_details jsonb, p_personal jsonb, p_origin jsonb,
  p_seq bigint default 1, p_prev_hash bytea default '\x0000000000000000000000000000000000000000000000000000000000000000'
)
  returns platform.audit_events language plpgsql volatile set search_path = '' as $$
declare
  v_event platform.audit_events;
begin
  v_event.tenant_id := platform.tenant_id();
  v_event.environment := platform.environment();
  v_event.id := platform.uuidv7();
  v_event.subject_type := p_subject_type;
  v_event.subject_id := p_subject_id;
  v_event.seq := p_seq;
  v_event.action := p_action;
  v_event.actor_id := nullif(current_setting('app.token_id', true), '')::uuid;
  v_event.channel := p_origin ->> 'channel';
  v_event.actor_type := case
    when v_event.actor_id is not null then 'token' when v_event.channel = 'cli' then 'operator' else 'system' end;
  v_event.request_id := p_origin ->> 'request_id';
  v_event.occurred_at := clock_timestamp();
  v_event.details := p_details;
  v_event.personal := platform.salted(p_personal || jsonb_build_object(
    'address', p_origin ->> 'address', 'operator', p_origin ->> 'operator'));
  v_event.commitments := platform.commitments(v_event.personal);
  v_event.prev_hash := p_prev_hash;
  v_event.hash := platform.audit_event_hash(v_event);
  return v_event;
end
$$;
comment on function platform.make_audit_event(text, text, uuid, jsonb, jsonb, jsonb, bigint, bytea) is
  'An event as it is to be inserted, of the context''s organization and token: the first of a chain unless its place and the hash before it are given. Its origin is {request_id, address, channel, operator}.';
revoke execute on function platform.make_audit_event(text, text, uuid, jsonb, jsonb, jsonb, bigint, bytea) from public;
