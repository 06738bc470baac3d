create function gateway.read_signing(p_participant_id uuid, p_session_sha256 text default null) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_participant signature.participants;
  v_envelope signature.envelopes;
  v_turn text;
  v_shows_documents boolean;
begin
  perform platform.require_scope('signing:act');
  v_participant := signature.participant_of_link(p_participant_id);
  select envelope.* into strict v_envelope from signature.envelopes as envelope
  where envelope.tenant_id = v_participant.tenant_id and envelope.id = v_participant.envelope_id;
  v_turn := signature.turn_of(v_envelope, v_participant);
  v_shows_documents := (v_turn in ('yes', 'done') or signature.gives_copies(v_envelope)) and signature.has_session(v_participant, p_session_sha256);
  return (
    select json_build_object(
      'organization', organization.name, 'contact', organization.contact_email, 'environment', v_envelope.environment, 'title', v_envelope.title, 'message', v_envelope.message,
      -- The move to expired may come up to a minute later.
      'status', case when signature.is_overdue(v_envelope) then 'expired' else v_envelope.status end, 'language', consent.language, 'turn', v_turn,
      'single_signer', 1 = (
        select count(*) from signature.participants as acting
        where acting.tenant_id = v_envelope.tenant_id and acting.envelope_id = v_envelope.id and acting.role <> 'observador'),
      'participant', json_build_object('name', v_participant.name, 'role', v_participant.role, 'modality', v_participant.modality,
        'status', v_participant.status, 'cpf', case when v_shows_documents then v_participant.cpf_mask end),
      'sent_to', signature.codes_go_to(v_participant), 'mails_to', signature.mask_email(v_participant.email), 'steps', array_remove(array[case when signature.signs_with_certificate(v_participant) then 'certificate' else 'code' end, signature.factor_of(v_participant)], null),
      'delegation', case when v_turn = 'yes' and signature.delegation_fault(v_envelope, v_participant) is null then json_build_object('needs', array(
        select lack.member from signature.numbers_lack(v_participant.auth_method, false, false, false) as lack order by lack.member)) end,
      'verification_code', case when v_shows_documents then v_envelope.verification_code end,
      'consent', json_build_object('version', consent.version, 'text', consent.body, 'sha256', consent.sha256),
      'documents', case when v_shows_documents then (
        select json_agg(json_build_object('id', document.id, 'filename', document.filename, 'pages', jsonb_array_length(document.pages),
          'page_sizes', document.pages, 'sha256', encode(document.sha256, 'hex'), 'final_sha256', encode(linked.final_sha256, 'hex')) order by linked.position)
        from signature.envelope_documents as linked
        join signature.documents as document on document.tenant_id = linked.tenant_id and document.id = linked.document_id
        where linked.tenant_id = v_envelope.tenant_id and linked.envelope_id = v_envelope.id) end,
      'fields', case when v_shows_documents then (
        select coalesce(json_agg(json_build_object('id', field.id, 'document_id', field.document_id, 'page', field.page, 'x', field.x, 'y', field.y,
          'width', field.width, 'height', field.height, 'type', field.type, 'required', field.required,
          'condition_field_id', field.condition_field_id, 'condition_trigger', field.condition_trigger, 'label', field.label, 'formula', field.formula,
          'attachment', case when delivered.field_id is not null then json_build_object('filename', delivered.filename, 'size', delivered.size, 'type', delivered.type) end,
          'value', field.value) order by field.id), '[]')
        from signature.fields as field
        left join signature.attachments as delivered on delivered.tenant_id = field.tenant_id and delivered.field_id = field.id
        where field.tenant_id = v_envelope.tenant_id and field.envelope_id = v_envelope.id and field.participant_id = v_participant.id) end)
    from platform.organizations as organization
    cross join signature.consent_of(v_envelope) as consent
    where organization.id = v_envelope.tenant_id);
end
$$;
comment on function gateway.read_signing(uuid, text) is
  E'@param participant_id Id of the participant.\nGET /signing/{participant_id}: what a signing link is for. Documents and fields only in a session whose second factor was passed, given as the SHA-256 (hexadecimal) of its token. Writes nothing. 404 not_found for another participant than that of the link.';
revoke execute on function gateway.read_signing(uuid, text) from public;
