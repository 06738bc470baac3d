create function api.remove_field(p_id uuid, p_field_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform platform.require_scope('envelopes:write');
  perform signature.require_draft(p_id);
  delete from signature.fields as field where field.tenant_id = platform.tenant_id() and field.envelope_id = p_id and field.id = p_field_id;
  if not found then
    perform platform.fail(404, 'not_found', 'The envelope has no such field.');
  end if;
  perform platform.record_audit_event('envelope.field_removed', 'envelope', p_id, jsonb_build_object('field_id', p_field_id) || signature.settle_draft(p_id));
end
$$;
comment on function api.remove_field(uuid, uuid) is
  E'@param id Id of the envelope.\n@param field_id Id of the field.\nTakes a field out of a draft, with the fields that it shows. Returns 409 conflict once the envelope has been sent.';
revoke execute on function api.remove_field(uuid, uuid) from public;
