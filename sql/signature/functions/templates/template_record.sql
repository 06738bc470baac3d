create or replace function signature.template_record(p_template signature.templates) returns text
  language sql stable set search_path = '' as $$
  select platform.record_digest(p_template.record_salt, jsonb_build_object('name', p_template.name, 'title', p_template.title, 'message', p_template.message,
    'signing_order', p_template.signing_order, 'language', p_template.language, 'expires_in_days', p_template.expires_in_days,
    'participants', p_template.participants, 'created_at', platform.instant(p_template.created_at), 'updated_at', platform.instant(p_template.updated_at)))
$$;
comment on function signature.template_record(signature.templates) is 'The salted digest of a template, as the audit trail holds it.';
revoke execute on function signature.template_record(signature.templates) from public;
grant execute on function signature.template_record(signature.templates) to selo_system;
