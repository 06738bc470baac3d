create function gateway.find_attachment(p_id uuid, p_field_id uuid) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_attachment signature.attachments;
begin
  perform platform.require_scope('envelopes:read');
  select attachment.* into v_attachment
  from signature.attachments as attachment
  join signature.participants as participant on participant.tenant_id = attachment.tenant_id and participant.id = attachment.participant_id
  where attachment.tenant_id = platform.tenant_id() and attachment.environment = platform.environment() and attachment.envelope_id = p_id
    and attachment.field_id = p_field_id and participant.status = 'completed';
  if not found then
    perform signature.refuse_erased(p_id, (
      select field.participant_id from signature.fields as field
      where field.tenant_id = platform.tenant_id() and field.envelope_id = p_id and field.id = p_field_id and field.type = 'anexo'));
    perform platform.fail(404, 'not_found', 'The envelope has no such file, or its participant has not finished.');
  end if;
  return json_build_object('tenant_id', v_attachment.tenant_id, 'environment', v_attachment.environment, 'object_id', v_attachment.object_id);
end
$$;
comment on function gateway.find_attachment(uuid, uuid) is
  E'@param id Id of the envelope.\n@param field_id Id of the field.\nFirst half of GET /envelopes/{id}/attachments/{field_id}: the object that a signed link leads to. 404 not_found without such a file, and until its participant has finished. 409 conflict once envelope or participant was erased.';
revoke execute on function gateway.find_attachment(uuid, uuid) from public;
