create or replace function platform.audit_event_hash(p_event platform.audit_events) returns bytea
  language plpgsql stable set search_path = '' as $$
begin
  return sha256(p_event.prev_hash || convert_to(platform.audit_event_text(p_event), 'UTF8'));
end
$$;
comment on function platform.audit_event_hash(platform.audit_events) is 'The hash that an event must have.';
revoke execute on function platform.audit_event_hash(platform.audit_events) from public;
grant execute on function platform.audit_event_hash(platform.audit_events) to selo_system;
