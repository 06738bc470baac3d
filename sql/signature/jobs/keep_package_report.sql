create function jobs.keep_package_report(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
begin
  perform signature.keep_report((p_arguments ->> 'id')::uuid, decode(p_arguments ->> 'basis', 'hex'), (p_arguments ->> 'object_id')::uuid,
    (p_arguments ->> 'size')::bigint, decode(p_arguments ->> 'sha256', 'hex'), (p_arguments ->> 'unreadable')::uuid);
  return '{}';
end
$$;
comment on function jobs.keep_package_report(jsonb) is
  'Keeps the evidence report of the envelope {id, basis, object_id, size, sha256, unreadable}, with the basis of jobs.prepare_package_report or signature.dossier_of: see signature.keep_report.';
revoke execute on function jobs.keep_package_report(jsonb) from public;
