create or replace function signature.attachments_of(p_participant signature.participants, p_values jsonb) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_agg(jsonb_build_object('field_id', attachment.field_id, 'sha256', encode(attachment.sha256, 'hex'), 'size', attachment.size, 'type', attachment.type)
    order by attachment.field_id)
  from signature.attachments as attachment
  where attachment.tenant_id = p_participant.tenant_id and attachment.participant_id = p_participant.id and attachment.envelope_id = p_participant.envelope_id
    and p_values ? attachment.field_id::text
$$;
comment on function signature.attachments_of(signature.participants, jsonb) is
  'What a signed record says of the files of a participant, among fields with these values: [{field_id, sha256, size, type}]. Null without a file.';
revoke execute on function signature.attachments_of(signature.participants, jsonb) from public;
