create or replace function signature.require_label(p_id uuid) returns signature.labels
  language plpgsql volatile set search_path = '' as $$
declare
  v_label signature.labels;
begin
  select label.* into v_label from signature.labels as label
  where label.tenant_id = platform.tenant_id() and label.environment = platform.environment() and label.id = p_id
  for no key update;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such label.');
  end if;
  return v_label;
end
$$;
comment on function signature.require_label(uuid) is 'Locks a label of the context for a change and answers the row, or 404 not_found.';
revoke execute on function signature.require_label(uuid) from public;
