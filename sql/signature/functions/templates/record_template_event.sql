create or replace function signature.record_template_event(p_action text, p_template signature.templates) returns void
  language sql volatile set search_path = '' as $$
  select platform.record_audit_event(p_action, 'template', p_template.id, jsonb_build_object('signing_order', p_template.signing_order,
      'participants', jsonb_array_length(p_template.participants), 'record_sha256', signature.template_record(p_template)),
    jsonb_strip_nulls(jsonb_build_object('name', p_template.name, 'title', p_template.title, 'message', p_template.message)))
$$;
comment on function signature.record_template_event(text, signature.templates) is
  'Records the event of a template that was made or changed. Its name, title and message are personal data, because they may name somebody.';
revoke execute on function signature.record_template_event(text, signature.templates) from public;
