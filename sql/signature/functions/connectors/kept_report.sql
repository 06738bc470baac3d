create or replace function signature.kept_report(p_envelope signature.envelopes, p_maker text) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('object_id', report.object_id, 'size', report.size, 'sha256', encode(report.sha256, 'hex'))
  from signature.envelope_reports as report
  where report.tenant_id = p_envelope.tenant_id and report.envelope_id = p_envelope.id and report.basis = signature.report_basis(p_envelope, p_maker)
$$;
comment on function signature.kept_report(signature.envelopes, text) is 'The report of an envelope as it is kept: {object_id, size, sha256}. Null for one that would be made otherwise today.';
revoke execute on function signature.kept_report(signature.envelopes, text) from public;
