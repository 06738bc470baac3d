create or replace function platform.record_restore(p_taken_at text, p_selo_version text) returns void
  language plpgsql volatile set search_path = '' as $$
begin
  perform platform.enter_context('00000000-0000-0000-0000-000000000000', 'live', null, null, null);
  perform platform.record_audit_event('backup.restored', 'platform', '00000000-0000-0000-0000-000000000000',
    jsonb_build_object('taken_at', p_taken_at, 'selo_version', p_selo_version));
  -- The worker of another database verified the signatures, and an edit may have changed the backup file since.
  if platform.setting('audit_verified_seal') is not null then
    perform platform.change_setting('audit_verified_seal', '0');
  end if;
  perform platform.enter_context(null, null, null, null, null);
  -- Nobody observed this database since the backup, which does not mean that the service was away, or that a fault lasted.
  update platform.faults as fault set ended_at = watch.seen_at from platform.fault_watch as watch where fault.ended_at is null;
  delete from platform.fault_watch;
end
$$;
comment on function platform.record_restore(text, text) is
  'Records in the audit trail of the platform itself that the database was restored from a backup. The database lacks the events after the backup.';
revoke execute on function platform.record_restore(text, text) from public;
