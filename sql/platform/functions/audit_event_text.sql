-- Concatenated here, because it is made with every write and platform.canonical_json is slower. Its members are known, and
-- most of them hold nothing that JSON would escape.
create or replace function platform.audit_event_text(p_event platform.audit_events) returns text
  language plpgsql stable set search_path = '' as $$
begin
  return '{"action":"' || p_event.action
    || '","actor":{"id":' || coalesce('"' || p_event.actor_id || '"', 'null') || ',"type":"' || p_event.actor_type
    || '"},"channel":' || coalesce('"' || p_event.channel || '"', 'null')
    || ',"commitments":' || p_event.commitments
    || ',"details":' || p_event.details
    || ',"environment":"' || p_event.environment
    || '","event_id":"' || p_event.id
    || '","kind":"audit_event","occurred_at":"' || platform.instant(p_event.occurred_at)
    || '","request_id":' || coalesce(to_json(p_event.request_id)::text, 'null')
    || ',"schema_version":1,"seq":' || p_event.seq
    || ',"subject":{"id":"' || p_event.subject_id || '","type":"' || p_event.subject_type
    || '"},"tenant_id":"' || p_event.tenant_id || '"}';
end
$$;
comment on function platform.audit_event_text(platform.audit_events) is
  'The canonical JSON (RFC 8259 UTF-8, keys sorted, no whitespace) of an event. The hash of the event covers it and the hash before it. It holds commitments to personal data and no personal data.';
revoke execute on function platform.audit_event_text(platform.audit_events) from public;
grant execute on function platform.audit_event_text(platform.audit_events) to selo_system;
