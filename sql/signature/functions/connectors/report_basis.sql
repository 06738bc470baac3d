create or replace function signature.report_basis(p_envelope signature.envelopes, p_maker text) returns bytea
  language sql stable set search_path = '' as $$
  -- Whatever else signature.report_of answers stays as it is while nothing happens in an envelope that has ended: the hash of the last event of the
  -- report stands for it.
  select sha256(convert_to(jsonb_build_array(p_maker, organization.name, signature.signing_language(p_envelope), organization.time_zone,
    platform.setting('public_url'),
    (select encode(event.hash, 'hex') from platform.audit_events as event
      where event.tenant_id = p_envelope.tenant_id and event.environment = p_envelope.environment and event.subject_id = p_envelope.id
        and (p_envelope.status <> 'completed' or event.action = 'envelope.completed')
      order by event.seq desc limit 1),
    (select made.certificate_id from platform.seal_certificates as made
      where made.environment = p_envelope.environment and made.status = 'active'))::text, 'UTF8'))
  from platform.organizations as organization where organization.id = p_envelope.tenant_id
$$;
comment on function signature.report_basis(signature.envelopes, text) is
  'Digest of all from which the report of an envelope that has ended is made, with a word that stands for whoever makes the report and for how it is drawn. The same digest means the same bytes.';
revoke execute on function signature.report_basis(signature.envelopes, text) from public;
