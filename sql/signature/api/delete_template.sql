create function api.delete_template(p_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform platform.require_scope('templates:write');
  delete from signature.templates as template
  where template.tenant_id = platform.tenant_id() and template.environment = platform.environment() and template.id = p_id;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such template.');
  end if;
  perform platform.record_audit_event('template.deleted', 'template', p_id);
end
$$;
comment on function api.delete_template(uuid) is E'@param id Id of the template.\nDeletes a template. Its envelopes stay as they are, and their templateId becomes null.';
revoke execute on function api.delete_template(uuid) from public;
