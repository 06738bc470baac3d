-- Written by hand and not by platform.canonical_json: it is made with every write, its members are known, and most of
-- them cannot hold anything that JSON would escape.
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
  'The canonical JSON (RFC 8259 UTF-8, keys sorted, no whitespace) of an event: what its hash covers, besides the hash before it. No personal data, only commitments to it.';
revoke execute on function platform.audit_event_text(platform.audit_events) from public;
grant execute on function platform.audit_event_text(platform.audit_events) to selo_system;
