create function api.delete_label(p_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
begin
  perform platform.require_scope('labels:write');
  -- The whole lock at once: signature.hold_labels waits for it, and nobody who holds a weaker one waits for rows that this transaction deletes.
  perform from signature.labels as label
  where label.tenant_id = c_tenant_id and label.environment = platform.environment() and label.id = p_id for update;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such label.');
  end if;
  delete from signature.labels as label where label.tenant_id = c_tenant_id and label.id = p_id;
  perform platform.record_audit_event('label.deleted', 'label', p_id);
end
$$;
comment on function api.delete_label(uuid) is
  E'@param id Id of the label.\n@slow\nRemoves a label, also from its envelopes.';
revoke execute on function api.delete_label(uuid) from public;
