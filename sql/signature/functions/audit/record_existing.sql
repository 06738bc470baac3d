create or replace function signature.record_existing() returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_old record;
begin
  for v_old in
    select old.tenant_id, old.environment, old.proofs, old.digest from signature.old_proof_digests(null) as old order by old.tenant_id, old.environment
  loop
    perform platform.enter_context(v_old.tenant_id, v_old.environment, null, null, null);
    perform platform.record_audit_event('proofs.recorded', 'organization', v_old.tenant_id,
      jsonb_build_object('proofs', v_old.proofs, 'proofs_sha256', v_old.digest));
  end loop;
  perform platform.enter_context(null, null, null, null, null);
end
$$;
comment on function signature.record_existing() is
  'Records the proofs from before the audit trail, which have no event of their own. Runs once (platform.begin_audit).';
revoke execute on function signature.record_existing() from public;
