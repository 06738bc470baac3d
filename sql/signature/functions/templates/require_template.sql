create or replace function signature.require_template(p_id uuid) returns signature.templates
  language plpgsql stable set search_path = '' as $$
declare
  v_template signature.templates;
begin
  select template.* into v_template from signature.templates as template
  where template.tenant_id = platform.tenant_id() and template.environment = platform.environment() and template.id = p_id;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such template.');
  end if;
  return v_template;
end
$$;
comment on function signature.require_template(uuid) is 'A template of the context, or 404 not_found.';
revoke execute on function signature.require_template(uuid) from public;
