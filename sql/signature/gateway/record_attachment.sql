create function gateway.record_attachment(
  p_participant_id uuid, p_field_id uuid, p_session_sha256 text, p_file_name text, p_object_id uuid, p_size bigint, p_sha256 text, p_type text
)
  returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  v_participant signature.participants;
  v_replaced uuid;
begin
  perform platform.require_scope('signing:act');
  -- The lock of the participant keeps a completion away: it finds the file before or this one.
  v_participant := signature.enter_signing(p_participant_id, p_session_sha256);
  perform signature.refuse_attachment(v_participant, p_field_id, p_file_name);
  select attachment.object_id into v_replaced from signature.attachments as attachment
  where attachment.tenant_id = v_participant.tenant_id and attachment.field_id = p_field_id;
  insert into signature.attachments as attachment (tenant_id, field_id, environment, envelope_id, participant_id, object_id, filename, type, size, sha256)
  values (v_participant.tenant_id, p_field_id, v_participant.environment, v_participant.envelope_id, v_participant.id, p_object_id, p_file_name, p_type,
    p_size, decode(p_sha256, 'hex'))
  on conflict (tenant_id, field_id) do update
  set object_id = excluded.object_id, filename = excluded.filename, type = excluded.type, size = excluded.size, sha256 = excluded.sha256,
    created_at = excluded.created_at, replacements = attachment.replacements + 1;
  perform signature.remove_object(v_replaced);
  perform platform.record_audit_event('envelope.attachment_delivered', 'envelope', v_participant.envelope_id,
    jsonb_build_object('participant_id', v_participant.id, 'field_id', p_field_id, 'sha256', p_sha256, 'size', p_size, 'type', p_type)
    || signature.envelope_state(v_participant.envelope_id), jsonb_build_object('filename', p_file_name));
  return json_build_object('field_id', p_field_id, 'filename', p_file_name, 'size', p_size, 'sha256', p_sha256, 'type', p_type);
end
$$;
comment on function gateway.record_attachment(uuid, uuid, text, text, uuid, bigint, text, text) is
  'Second half of PUT /signing/{participant_id}/attachments/{field_id}, for a stored file that may be delivered: it takes the place of the file before, whose object is removed. Answers {field_id, filename, size, sha256, type}. Errors as signature.refuse_attachment and signature.enter_signing.';
revoke execute on function gateway.record_attachment(uuid, uuid, text, text, uuid, bigint, text, text) from public;
