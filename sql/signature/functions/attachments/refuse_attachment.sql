create or replace function signature.refuse_attachment(p_participant signature.participants, p_field_id uuid, p_file_name text) returns void
  language plpgsql stable set search_path = '' as $$
begin
  if not exists (
    select from signature.fields as field
    where field.tenant_id = p_participant.tenant_id and field.envelope_id = p_participant.envelope_id and field.participant_id = p_participant.id
      and field.id = p_field_id and field.type = 'anexo'
  ) then
    perform platform.fail(404, 'not_found', 'You have no such field for a file.');
  elsif p_participant.status in ('completed', 'declined') then
    perform platform.fail(409, 'conflict', 'You have finished, and your files stay as they are.');
  elsif exists (
    select from signature.attachments as attachment
    where attachment.tenant_id = p_participant.tenant_id and attachment.field_id = p_field_id and attachment.replacements = 20
  ) then
    perform platform.fail(409, 'conflict', 'This file was replaced 20 times, and stays as it is.');
  end if;
  perform signature.refuse_wrong_texts(jsonb_build_object('file_name', p_file_name));
end
$$;
comment on function signature.refuse_attachment(signature.participants, uuid, text) is
  '404 not_found for a field that is none of the participant''s for files. 409 conflict once the participant has finished, and for a file that was replaced 20 times. 422 for a wrong name.';
revoke execute on function signature.refuse_attachment(signature.participants, uuid, text) from public;
