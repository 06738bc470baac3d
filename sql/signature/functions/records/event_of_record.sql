create or replace function signature.event_of_record(p_record signature.signature_records) returns platform.audit_events
  language sql stable set search_path = '' as $$
  select event.*
  from platform.audit_events as event
  where event.tenant_id = p_record.tenant_id and event.environment = p_record.environment and event.subject_id = p_record.envelope_id
    and event.subject_type = 'envelope'
    and event.action = case when p_record.participant_id is null then 'envelope.completed' else 'envelope.participant_signed' end
    and event.details like '%"record_id":"' || p_record.id || '"%'
  order by event.seq limit 1
$$;
comment on function signature.event_of_record(signature.signature_records) is
  'The event with which a signed record was made. Its details hold the digest of the evidence. Null without an event.';
revoke execute on function signature.event_of_record(signature.signature_records) from public;
grant execute on function signature.event_of_record(signature.signature_records) to selo_system;
