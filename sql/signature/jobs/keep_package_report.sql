create function jobs.keep_package_report(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  c_envelope_id constant uuid := p_arguments ->> 'id';
  c_object_id constant uuid := p_arguments ->> 'object_id';
  c_basis constant bytea := decode(p_arguments ->> 'basis', 'hex');
  v_kept signature.envelope_reports;
begin
  insert into signature.envelope_reports as report (tenant_id, environment, envelope_id, basis, object_id, size, sha256)
  values (platform.tenant_id(), platform.environment(), c_envelope_id, c_basis, c_object_id, (p_arguments ->> 'size')::bigint,
    decode(p_arguments ->> 'sha256', 'hex'))
  on conflict (tenant_id, envelope_id) do nothing;
  if found then
    return '{}';
  end if;
  select report.* into v_kept from signature.envelope_reports as report
  where report.tenant_id = platform.tenant_id() and report.envelope_id = c_envelope_id
  for update;
  if v_kept.basis = c_basis and v_kept.object_id is distinct from (p_arguments ->> 'unreadable')::uuid then
    -- Another delivery kept the same report meanwhile, and others may read it.
    perform signature.remove_object(c_object_id);
    return '{}';
  end if;
  update signature.envelope_reports as report
  set basis = c_basis, object_id = c_object_id, size = (p_arguments ->> 'size')::bigint, sha256 = decode(p_arguments ->> 'sha256', 'hex'), created_at = default
  where report.tenant_id = platform.tenant_id() and report.envelope_id = c_envelope_id;
  perform signature.remove_object(v_kept.object_id);
  return '{}';
end
$$;
comment on function jobs.keep_package_report(jsonb) is
  'Keeps the evidence report of the completed envelope {id, basis, object_id, size, sha256}, with the basis of jobs.prepare_package_report. Of two reports with one basis the first stays, unless {unreadable} names its object. Otherwise the report that was kept before is removed.';
revoke execute on function jobs.keep_package_report(jsonb) from public;
