create or replace function signature.keep_report(p_envelope_id uuid, p_basis bytea, p_object_id uuid, p_size bigint, p_sha256 bytea, p_unreadable uuid) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_kept signature.envelope_reports;
begin
  -- An erasure waits for this lock, or has come since the report was made.
  perform from signature.envelopes as envelope
  where envelope.tenant_id = platform.tenant_id() and envelope.id = p_envelope_id for share;
  if exists (
    select from signature.participants as participant
    where participant.tenant_id = platform.tenant_id() and participant.envelope_id = p_envelope_id and participant.erased_at is not null
  ) then
    perform signature.remove_object(p_object_id);
    return;
  end if;
  insert into signature.envelope_reports as report (tenant_id, environment, envelope_id, basis, object_id, size, sha256)
  values (platform.tenant_id(), platform.environment(), p_envelope_id, p_basis, p_object_id, p_size, p_sha256)
  on conflict (tenant_id, envelope_id) do nothing;
  if found then
    return;
  end if;
  select report.* into v_kept from signature.envelope_reports as report
  where report.tenant_id = platform.tenant_id() and report.envelope_id = p_envelope_id
  for update;
  if v_kept.basis = p_basis and v_kept.object_id is distinct from p_unreadable then
    -- Another one kept the same report meanwhile, and others may read it.
    perform signature.remove_object(p_object_id);
    return;
  end if;
  update signature.envelope_reports as report
  set basis = p_basis, object_id = p_object_id, size = p_size, sha256 = p_sha256, created_at = default
  where report.tenant_id = platform.tenant_id() and report.envelope_id = p_envelope_id;
  perform signature.remove_object(v_kept.object_id);
end
$$;
comment on function signature.keep_report(uuid, bytea, uuid, bigint, bytea, uuid) is
  'Keeps the evidence report of an envelope that has ended, with its signature.report_basis. Of two reports with one basis the first stays, unless p_unreadable names its object. Otherwise the report that was kept before is removed. None is kept once anything of the envelope was erased.';
revoke execute on function signature.keep_report(uuid, bytea, uuid, bigint, bytea, uuid) from public;
