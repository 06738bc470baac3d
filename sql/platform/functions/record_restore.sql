create or replace function platform.record_restore(p_taken_at text, p_selo_version text) returns void
  language plpgsql volatile set search_path = '' as $$
begin
  perform platform.enter_context('00000000-0000-0000-0000-000000000000', 'live', null, null, null);
  perform platform.record_audit_event('backup.restored', 'platform', '00000000-0000-0000-0000-000000000000',
    jsonb_build_object('taken_at', p_taken_at, 'selo_version', p_selo_version));
  -- Who verified those proofs was another database's worker, and the file may have been edited since.
  if platform.setting('audit_verified_seal') is not null then
    perform platform.change_setting('audit_verified_seal', '0');
  end if;
  perform platform.enter_context(null, null, null, null, null);
end
$$;
comment on function platform.record_restore(text, text) is
  'Says in the audit trail of the platform itself that what follows continues a backup: what was written after it was taken is not there.';
revoke execute on function platform.record_restore(text, text) from public;
