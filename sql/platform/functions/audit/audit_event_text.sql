-- The text is concatenated here: every write makes one, and platform.canonical_json is slower. The members are known, and
-- most members hold nothing that JSON would escape.
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
  'The canonical JSON of an event (RFC 8259, UTF-8, keys sorted, no whitespace). The hash of the event covers this text and the previous hash. The text holds commitments to personal data and no personal data.';
revoke execute on function platform.audit_event_text(platform.audit_events) from public;
grant execute on function platform.audit_event_text(platform.audit_events) to selo_system;
