create or replace function signature.label_record(p_label signature.labels) returns text
  language sql stable set search_path = '' as $$
  select platform.record_digest(p_label.record_salt, jsonb_build_object(
    'name', p_label.name, 'color', p_label.color, 'created_at', platform.instant(p_label.created_at)))
$$;
comment on function signature.label_record(signature.labels) is 'The salted digest of a label, as the audit trail holds it. It covers nothing of envelopes: signature.audit_check_envelope_labels compares these.';
revoke execute on function signature.label_record(signature.labels) from public;
grant execute on function signature.label_record(signature.labels) to selo_system;
