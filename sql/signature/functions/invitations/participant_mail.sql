create or replace function signature.participant_mail(p_kind text, p_envelope signature.envelopes, p_participant signature.participants) returns platform.mail_draft
  language sql stable set search_path = '' as $$
  -- The job makes the secret of the link of this version. A row or a job never holds it.
  select row(p_kind, p_participant.email, coalesce(p_envelope.language, organization.language), jsonb_build_object(
    'envelope_id', p_envelope.id, 'participant_id', p_participant.id, 'link_version', p_participant.link_version, 'title', p_envelope.title,
    'message', p_envelope.message, 'name', p_participant.name, 'code_channel', signature.code_channel(p_participant), 'role', p_participant.role, 'status', p_envelope.status, 'reason', p_envelope.cancel_reason,
    'expires_at', platform.instant(p_envelope.expires_at), 'verification_code', p_envelope.verification_code,
    'documents', content.documents, 'pages', content.pages,
    'is_alone', (
      select count(*) < 2 from signature.participants as acting
      where acting.tenant_id = p_envelope.tenant_id and acting.envelope_id = p_envelope.id and acting.role <> 'observador'),
    'copies_until', platform.instant(signature.copies_until(p_envelope)),
    -- A completed envelope tells everywhere when the last participant acted.
    'at', platform.instant(coalesce(p_envelope.completed_at, clock_timestamp()))))::platform.mail_draft
  from platform.organizations as organization
  cross join (
    select count(*) as documents, sum(jsonb_array_length(document.pages)) as pages
    from signature.envelope_documents as linked
    join signature.documents as document on document.tenant_id = linked.tenant_id and document.id = linked.document_id
    where linked.tenant_id = p_envelope.tenant_id and linked.envelope_id = p_envelope.id) as content
  where organization.id = p_envelope.tenant_id
$$;
comment on function signature.participant_mail(text, signature.envelopes, signature.participants) is
  'A mail about an envelope to one of its participants, in the language of the envelope, otherwise in that of the organization. The mail leads to the signing link as it is now.';
revoke execute on function signature.participant_mail(text, signature.envelopes, signature.participants) from public;
