create function jobs.keep_package_report(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  c_envelope_id constant uuid := p_arguments ->> 'id';
  v_replaced uuid;
begin
  select report.object_id into v_replaced from signature.envelope_reports as report
  where report.tenant_id = platform.tenant_id() and report.envelope_id = c_envelope_id
  for update;
  insert into signature.envelope_reports as report (tenant_id, environment, envelope_id, basis, object_id, size, sha256)
  values (platform.tenant_id(), platform.environment(), c_envelope_id, decode(p_arguments ->> 'basis', 'hex'), (p_arguments ->> 'object_id')::uuid,
    (p_arguments ->> 'size')::bigint, decode(p_arguments ->> 'sha256', 'hex'))
  on conflict (tenant_id, envelope_id) do update
  set basis = excluded.basis, object_id = excluded.object_id, size = excluded.size, sha256 = excluded.sha256, created_at = excluded.created_at;
  perform signature.remove_object(v_replaced);
  return '{}';
end
$$;
comment on function jobs.keep_package_report(jsonb) is
  'Keeps the evidence report of the completed envelope {id, basis, object_id, size, sha256}, with the basis of jobs.prepare_package_report. A report that was kept before is removed.';
revoke execute on function jobs.keep_package_report(jsonb) from public;
