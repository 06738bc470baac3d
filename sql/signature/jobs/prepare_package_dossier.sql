create function jobs.prepare_package_dossier(p_arguments jsonb) returns jsonb
  language sql stable set search_path = ''
  -- See gateway.prepare_report.
  set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
  -- As text: jsonb would order members anew, and the dossier would have other bytes than its sender gets.
  select to_jsonb(signature.dossier_of(envelope, p_arguments ->> 'maker')::text) from signature.envelopes as envelope
  where envelope.tenant_id = platform.tenant_id() and envelope.environment = platform.environment() and envelope.id = (p_arguments ->> 'id')::uuid
    and envelope.erased_at is null
$$;
comment on function jobs.prepare_package_dossier(jsonb) is 'What the dossier of the envelope {id, maker}, which has ended, is made from: signature.dossier_of, as a text. Null once the envelope was erased.';
revoke execute on function jobs.prepare_package_dossier(jsonb) from public;
