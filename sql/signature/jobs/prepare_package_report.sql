create function jobs.prepare_package_report(p_arguments jsonb) returns jsonb
  language sql stable set search_path = ''
  -- See gateway.prepare_report.
  set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
  -- As text: jsonb would order members anew, and the report would have other bytes than its sender gets.
  select jsonb_build_object('prepared', signature.report_of(envelope)::text,
    'basis', encode(signature.report_basis(envelope, p_arguments ->> 'maker'), 'hex'))
  from signature.envelopes as envelope
  where envelope.tenant_id = platform.tenant_id() and envelope.environment = platform.environment() and envelope.id = (p_arguments ->> 'id')::uuid
    and envelope.erased_at is null
$$;
comment on function jobs.prepare_package_report(jsonb) is
  'What the evidence report of the envelope {id} is made from: {prepared: signature.report_of as a text, basis: signature.report_basis with `maker`, in hexadecimal}. Null once the envelope was erased.';
revoke execute on function jobs.prepare_package_report(jsonb) from public;
